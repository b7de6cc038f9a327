/** Every fact of docs/platform-api/ has a test, and `npm run coverage` shows it. */
import { spawnSync } from "node:child_process";
import { scripts } from "../../package.json";
import { type Fact, factsOf, isCitable, readFacts } from "../../scripts/docs/platform-api";
import { readRecordings } from "../support/recordings";
import { notesIn, problemsOf, readProofs, testsOf } from "./support/coverage";
import { ROOT } from "./support/markdown";

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

it("a fact without a test, an unknown one, one listed twice and a needless reason are reported", () => {
  const file = "page.md";
  const fact = (id: string): Fact => ({ id, text: "A", certainty: "described", file });
  const listed: Fact[] = [...["1.a", "1.b", "1.b"].map(fact), { ...fact("1.c"), reason: "nothing can be observed" }];
  const proofs = new Map(["1.b", "1.c", "1.d"].map((id) => [id, ["a.test.ts › a title"]]));
  expect(problemsOf(listed, proofs)).toEqual([
    "1.b: page.md lists it twice.",
    '1.a: no test has the comment "@covers 1.a".',
    "1.c: page.md says that no test can prove it, and a test does.",
    "1.d: no page contains this fact, which a test covers: a.test.ts › a title",
  ]);
});

it("rows of tables of facts are facts, with a reason where no test can exist, and other rows are rejected", () => {
  const page = [
    ...["| word | meaning |", "|---|---|", "| a | b |", ""],
    ...["| ID | type | fact | certainty |", "|---|---|---|---|"],
    ...[
      "| `1.a` | string | A | described |",
      "| `1.b` | | B. *No test:* nothing can be observed | reported: a page, May 2026 |",
      "",
    ],
    ...["| ID | assumption | where it is wrong |", "|---|---|---|", "| `10.c` | C | error |"],
  ].join("\n");
  expect(factsOf(page, "page.md")).toEqual([
    { id: "1.a", text: "A", certainty: "described", type: "string", file: "page.md" },
    {
      ...{ id: "1.b", text: "B", certainty: "reported", file: "page.md" },
      ...{ source: "a page, May 2026", reason: "nothing can be observed" },
    },
    {
      ...{ id: "10.c", text: "C", certainty: "assumed", file: "page.md" },
      wrong: { consequence: "error", setting: "none" },
    },
  ]);
  const head = "| ID | fact | certainty |\n|---|---|---|\n";
  for (const row of [
    ...["| 1.a | A | described |", "| `1.a` | A | certain |", "| `1.a` | A | recorded |"],
    "| `1.a` | A | assumed | more |",
  ])
    expect(() => factsOf(head + row, "page.md")).toThrow(`page.md: this row is not a fact: ${row}`);
});

it("a citation is the ID of a fact, or the beginning of IDs up to a separator", () => {
  const facts = factsOf("| ID | fact | certainty |\n|---|---|---|\n| `2A.Deployment.name:form` | A | assumed |", "");
  expect(["2A", "2A.Deployment", "2A.Deployment.name:form"].every((text) => isCitable(text, facts))).toBe(true);
  expect(["2", "2A.Dep", "2A.Deployment.names"].some((text) => isCitable(text, facts))).toBe(false);
});

it("comments are found above tests, in groups and with tables, and not above groups", () => {
  const text = [
    ...['describe("a group", () => {', "  // @covers 1.a, 2B.POST /x, /y", '  test.each([1])("counts %s", () => {});'],
    ...["});", '// @covers 3.1\ndescribe("another", () => {});'],
  ].join("\n");
  expect(notesIn("a.test.ts", text)).toEqual([{ ids: ["1.a", "2B.POST /x, /y"], title: "a group counts %s" }]);
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
