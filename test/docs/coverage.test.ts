/** docs/coverage.md names the tests of every statement of the API. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rowsOf } from "../support/interface-rows";

const root = join(__dirname, "../..");
const interfaceFile = join(root, "../shared/interface.md");
/** The parts of the API: control plane, threads, bulk export. */
const parts = ["A", "B", "C"];

/** A row of a table on the page. */
interface Entry {
  id: string;
  statement: string;
  proof: string;
}

const page = readFileSync(join(root, "docs/coverage.md"), "utf8");
const entries: Entry[] = page
  .split("\n")
  .map((line) => /^\| `([^`]+)` \| (.+) \| (.+) \|$/.exec(line))
  .flatMap((match) => (match ? { id: match[1] ?? "", statement: match[2] ?? "", proof: match[3] ?? "" } : []));

it("the page has entries with unique IDs", () => {
  const ids = entries.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(150);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});

it("every row of a table is an entry or a header", () => {
  const lines = page.split("\n");
  const tables = lines.filter((line) => line.startsWith("|") && !line.startsWith("| ID |") && !line.startsWith("|---"));
  expect(tables).toHaveLength(entries.length);
});

it("the page is what `npm run generate` writes, and every statement has a test or a reason", () => {
  const print = [join(root, "scripts/generate.mjs"), "--print", "docs/coverage.md"];
  expect(execFileSync(process.execPath, print, { encoding: "utf8" })).toBe(page);
  const unproven = entries.filter(({ proof }) => !/^none: .{20,}/.test(proof) && !/^`.+\.test\.ts` › "/.test(proof));
  expect(unproven).toEqual([]);
});

const isAvailable = existsSync(interfaceFile);
(isAvailable ? it : it.skip)(
  `every row and rule of the API description has an entry${isAvailable ? "" : " (skipped: ../shared/interface.md does not exist)"}`,
  () => {
    const rows = rowsOf(readFileSync(interfaceFile, "utf8"), parts);
    const ids = entries.map(({ id }) => id);
    const missing = rows.filter((row) => !ids.some((id) => id === row || id.startsWith(`${row}:`)));
    expect(rows.length).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  },
);

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
