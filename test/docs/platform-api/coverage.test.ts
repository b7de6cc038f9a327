/** Every fact of docs/platform-api/ has a test, and `npm run coverage` shows it. */
import { spawnSync } from "node:child_process";
import { scripts } from "../../../package.json";
import { type Fact, readFacts } from "../../../scripts/docs/platform-api";
import { readRecordings } from "../../support/agent-servers/recordings";
import { problemsOf, readProofs, testsOf } from "../support/coverage";
import { ROOT } from "../support/markdown";

it("every described fact has a test or a reason, and every test covers facts of the pages", () => {
  const facts = readFacts(ROOT);
  expect(facts.length).toBeGreaterThan(500);
  expect(problemsOf(facts, readProofs(ROOT))).toEqual([]);
});

it("no test of the emulator proves what neither the description nor another server says", () => {
  const fact = (certainty: Fact["certainty"]): Fact => ({ id: "1.a", text: "A", certainty, file: "page.md" });
  const proofs = new Map([["1.a", ["emulator/test/a.test.ts › a", "test/b.test.ts › b"]]]);
  expect(testsOf(fact("recorded"), proofs)).toHaveLength(2);
  expect(testsOf(fact("assumed"), proofs)).toEqual(["test/b.test.ts › b"]);
});

it("a recorded fact is in the recording of each server that it names, and no recording shows another", () => {
  const facts = readFacts(ROOT);
  const shown = readRecordings().flatMap(({ server, exchanges }) =>
    exchanges.flatMap((exchange) => exchange.facts.map((id) => `${id}: ${server}`)),
  );
  const recorded = facts.flatMap(({ id, certainty, source = "" }) =>
    certainty === "recorded" ? source.split(", ").map((server) => `${id}: ${server}`) : [],
  );
  expect(recorded.filter((name) => !shown.includes(name))).toEqual([]);
  const known = facts.map(({ id }) => id);
  expect(shown.filter((name) => !known.includes(name.replace(/: \w+$/, "")))).toEqual([]);
});

it("facts about agent servers, which anybody can install, are described, recorded or assumed", () => {
  const pages = /(agent-server|assistants)\.md$/;
  const reported = readFacts(ROOT).filter(({ certainty, file }) => certainty === "reported" && pages.test(file));
  expect(reported).toEqual([]);
});

it("`npm run coverage` prints the tests of the facts whose IDs begin like its option --id", () => {
  const args = [...scripts.coverage.split(" ").slice(1), "--id", "1B.item 5"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^1B\.item 5 {2}Every traced run/);
  expect(lines[1]).toMatch(/^ {2}(emulator\/)?test\/.+\.test\.ts › /);
  expect(lines.slice(-2)).toEqual([
    "1B.item 5:evaluations  Evaluations of threads depend on it",
    expect.stringMatching(/^ {2}no test: evaluations belong to no operation/),
  ]);
});
