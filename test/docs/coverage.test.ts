/** Every statement of docs/internal/coverage.md has a test, and the page contains every statement of the API description. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "../../package.json";
import { rowsOf } from "../support/interface-rows";
import { notesIn, problemsOf, readProofs, readStatements, type Statement, statementsOf } from "./support/coverage";
import { ROOT } from "./support/markdown";

const interfaceFile = join(ROOT, "../shared/interface.md");
/** The parts of the API: control plane, threads, bulk export. */
const parts = ["A", "B", "C"];
const statements = readStatements(ROOT);

it("every statement has a test or a reason, and every test covers statements of the page", () => {
  expect(statements.length).toBeGreaterThan(300);
  expect(problemsOf(statements, readProofs(ROOT))).toEqual([]);
});

const isAvailable = existsSync(interfaceFile);
(isAvailable ? it : it.skip)(
  `every row and rule of the API description has an entry${isAvailable ? "" : " (skipped: ../shared/interface.md does not exist)"}`,
  () => {
    const rows = rowsOf(readFileSync(interfaceFile, "utf8"), parts);
    const ids = statements.map(({ id }) => id);
    const missing = rows.filter((row) => !ids.some((id) => id === row || id.startsWith(`${row}:`)));
    expect(rows.length).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  },
);

it("a statement without a test, an unknown one, one listed twice and a needless reason are reported", () => {
  const listed: Statement[] = [
    { id: "1.a", text: "A" },
    { id: "1.b", text: "B" },
    { id: "1.b", text: "B" },
    { id: "1.c", text: "C", reason: "nothing can be observed" },
  ];
  const proofs = new Map(["1.b", "1.c", "1.d"].map((id) => [id, ["a.test.ts › a title"]]));
  expect(problemsOf(listed, proofs)).toEqual([
    "1.b: docs/internal/coverage.md lists it twice.",
    '1.a: no test has the comment "@covers 1.a".',
    "1.c: docs/internal/coverage.md says that no test can prove it, and a test does.",
    "1.d: docs/internal/coverage.md does not list this statement, which a test covers: a.test.ts › a title",
  ]);
});

it("rows are statements, with a reason where no test can exist, and other rows are rejected", () => {
  const head = "| ID | statement |\n|---|---|\n";
  expect(statementsOf(`${head}| \`1.a\` | A |\n| \`1.b\` | B. *No test:* nothing can be observed |`)).toEqual([
    { id: "1.a", text: "A" },
    { id: "1.b", text: "B", reason: "nothing can be observed" },
  ]);
  expect(() => statementsOf(`${head}| 1.a | A |`)).toThrow("this row is not a statement: | 1.a | A |");
});

it("comments are found above tests, in groups and with tables, and not above groups", () => {
  const text = [
    'describe("a group", () => {',
    "  // @covers 1.a, 2B.POST /x, /y",
    '  test.each([1])("counts %s", () => {});',
    "});",
    '// @covers 3.1\ndescribe("another", () => {});',
  ].join("\n");
  expect(notesIn("a.test.ts", text)).toEqual([{ ids: ["1.a", "2B.POST /x, /y"], title: "a group counts %s" }]);
});

it("`npm run coverage` prints the tests of the statements whose IDs begin like its option --id", () => {
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

it("rowsOf finds rows and rules in tables, lists and definitions of the requested parts", () => {
  const text = [
    ...["# Title", "- before any section", "## 2. Things", "### A. One", "**Thing** (a remark)", ""],
    ...["| Field | Type |", "|---|---|", "| name | a or b |", "| low, high | n |", "", "Plain words.", ""],
    ...["**Part**: `size` (number, or `none`), `color`. More about `nothing`. **Other**: `kind`.", "", "Calls:"],
    ...["| Method | Path |", "|---|---|", "| GET | /a |", "| POST | /a |", "### B. Two", "| Field |", "|---|", "| b |"],
    ...["## 3. Rules", "1. First.", "2. Second.", "- A remark.", "", "| Status | When |", "|---|---|", "| 429 | now |"],
    ...["| 429 | then |"],
  ].join("\n");
  expect(rowsOf(text, ["A"])).toEqual([
    ...["2A.Thing", "2A.Thing.name", "2A.Thing.low", "2A.Thing.high", "2A.Part.size", "2A.Part.color", "2A.Other.kind"],
    ...["2A.GET /a", "2A.POST /a", "3.1", "3.2", "3.item 1", "3.429", "3.429 (again)"],
  ]);
  expect(rowsOf(text, ["A", "B"])).toContain("2B.b");
});
