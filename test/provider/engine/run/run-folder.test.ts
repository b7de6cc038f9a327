import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../../emulator/test/support/folder";
import { RunFolder } from "../../../../provider/engine/run/run-folder";

let base: string;
beforeEach(() => {
  base = join(newFolder(), "own");
});

const ADDRESS = "127.0.0.1:40000";
/** More than the largest process ID of any system. */
const ENDED = "99999999";
const HERE = "here";
const open = (address = ADDRESS, name = `${process.pid}-a`, place = HERE) => new RunFolder(address, base, name, place);
const textsOf = (folder: RunFolder) => folder.read().map(({ text }) => text);

/** Makes a process of an ended run, whose files are as old as this. */
function leaveBehind(address: string, ageMs: number, place = HERE): void {
  open(address, ENDED, place).append("of an ended process");
  const folder = join(base, `${address.replace(":", "_")}@${place}`);
  const time = (Date.now() - ageMs) / 1000;
  for (const path of [join(folder, ENDED), folder]) utimesSync(path, time, time);
}

const HOUR_MS = 60 * 60_000;

test("A process reads each line of the others once, and none of its own", () => {
  const [first, second] = [open(), open(ADDRESS, `${process.pid}-b`)];
  first.append("one");
  second.append("two");
  expect(textsOf(second)).toEqual(["one"]);
  first.append("three");
  expect(textsOf(second)).toEqual(["three"]);
  expect(textsOf(first)).toEqual(["two"]);
  expect(textsOf(second)).toEqual([]);
});

test("A line that is still being written is read once it is complete", () => {
  const [first, second] = [open(), open(ADDRESS, `${process.pid}-b`)];
  first.append("one");
  writeFileSync(join(base, "127.0.0.1_40000@here", `${process.pid}-a`), "one\ntw");
  expect(textsOf(second)).toEqual(["one"]);
  first.append("o");
  writeFileSync(join(base, "127.0.0.1_40000@here", `${process.pid}-a`), "one\ntwo\n");
  expect(textsOf(second)).toEqual(["two"]);
});

test("Two runs at once do not see each other's lines", () => {
  open().append("one");
  expect(textsOf(open("127.0.0.1:40001", `${process.pid}-b`))).toEqual([]);
});

test("A process that ends during the run still counts for those that had joined before", () => {
  const folder = open();
  folder.append("one");
  leaveBehind(ADDRESS, 0);
  expect(textsOf(folder)).toEqual(["of an ended process"]);
});

test("What a run left a moment ago does not count when its address returns to another run", () => {
  leaveBehind(ADDRESS, 0);
  const folder = open();
  expect(textsOf(folder)).toEqual([]);
  open(ADDRESS, `${process.pid}-b`).append("of this run");
  expect(textsOf(folder)).toEqual(["of this run"]);
});

test("Files of runs that ended more than an hour ago are deleted, and later ones stay", () => {
  leaveBehind("127.0.0.1:40001", 2 * HOUR_MS);
  leaveBehind("127.0.0.1:40002", HOUR_MS / 2);
  open().append("one");
  expect(readdirSync(base).sort()).toEqual(["127.0.0.1_40000@here", "127.0.0.1_40002@here"]);
});

test("Containers that share the folder do not see each other's lines, whatever their process IDs and addresses", () => {
  const folder = open();
  folder.append("of this container");
  const other = open(ADDRESS, `${process.pid}-b`, "elsewhere");
  other.append("of another container");
  expect(textsOf(other)).toEqual([]);
  expect(textsOf(folder)).toEqual([]);
});

test("A run in another container, whose processes cannot be seen, keeps its files for a week without a write", () => {
  leaveBehind("127.0.0.1:40001", 6 * 24 * HOUR_MS, "elsewhere");
  leaveBehind("127.0.0.1:40002", 8 * 24 * HOUR_MS, "another container");
  open().append("one");
  expect(readdirSync(base).sort()).toEqual(["127.0.0.1_40000@here", "127.0.0.1_40001@elsewhere"]);
});

test("All processes of one run are at the same place", () => {
  const built = require.resolve("../../../../dist/provider/engine/run/run-folder.js");
  const script = `const { RunFolder } = require(${JSON.stringify(built)});
    new RunFolder("${ADDRESS}", ${JSON.stringify(base)}).append("of a child")`;
  execFileSync(process.execPath, ["-e", script]);
  const folders = readdirSync(base);
  new RunFolder(ADDRESS, base).append("of the parent");
  expect(readdirSync(base)).toEqual(folders);
});

test("A folder that other users can write to is refused", () => {
  mkdirSync(base, { mode: 0o777, recursive: true });
  expect(() => open().append("one")).toThrow(/Error|other users have access to/);
});
