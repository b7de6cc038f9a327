/** The lint rules of this repository, in scripts/checks/*.grit. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { newFolder } from "../../emulator/test/support/folder";

const ROOT = resolve(__dirname, "../..");
const SHIPPED = ["sdk", "provider", "cli", "plugin", "emulator/src"];

const REJECTED = [
  "export const count = (exports: string[]) => exports.length;",
  "export function first([module]: string[]) { return module; }",
  "export function all(...exports: string[]) { return exports; }",
  "export const inner = ({ a: { require } }: any) => require;",
  "export const pair = ({ __dirname, a: __filename }: any) => [__dirname, __filename];",
  "export function each(list: string[]) { for (const exports of list) list.push(exports); }",
  "export function local() { let exports = 1; return exports++; }",
  "export const named = () => { function require() {} return require; };",
  "export const expression = function exports() {};",
  "export const nested = () => { class module {} return module; };",
  "export function caught() { try { } catch (exports) { throw exports; } }",
  'import { join as require } from "node:path"; require();',
];
const ALLOWED = [
  "export const member = { exports: 1, module: 2, require: () => 3 }.exports;",
  ...['export const loaded = require("node:path");', "export const folder = __dirname;"],
  ...["export const { exports: allExports } = { exports: 1 };", "export interface Names { exports: string }"],
];

/** Statements that keep state in a module. */
const STATE = [
  ...["let count = 1;", "export let total = 1;", "const names = new Map<string, string>();"],
  ...["export const ids: Set<string> = new Set();", "const cache = new WeakMap<object, string>();"],
];
const NO_STATE = [
  'const KNOWN: ReadonlySet<string> = new Set(["a"]);',
  "const LIMIT = 4;",
  "class Run { readonly ids = new Set<string>(); }",
  "function local() { let count = 1; const ids = new Set([count++]); return ids; }",
];

/**
 * Lints one file per folder with the rules of this repository. @returns Where a rule was broken, as `<file>:<line>`.
 */
function lint(linesByFolder: Record<string, readonly string[]>): string[] {
  const folder = realpathSync(newFolder());
  for (const path of ["biome.json", "scripts/checks"])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  for (const [path, lines] of Object.entries(linesByFolder)) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "code.ts"), lines.join("\n"));
  }
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  const options = ["--vcs-enabled=false", "--reporter=github", "--max-diagnostics=none"];
  const args = [biome, "lint", ...options, ...Object.keys(linesByFolder)];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const found = [...stdout.matchAll(/title=plugin,file=(.+?),line=(\d+)/g)].map(
    ([, file = "", line]) => `${relative(folder, file)}:${line}`,
  );
  return [...new Set(found)].sort();
}

test("a name that the compiled module uses itself is rejected in all code that is shipped", () => {
  const lines = [...REJECTED, ...ALLOWED];
  const expected = SHIPPED.flatMap((path) => REJECTED.map((_, index) => `${path}/code.ts:${index + 1}`));
  expect(lint(Object.fromEntries([...SHIPPED, "test"].map((path) => [path, lines])))).toEqual(expected.sort());
});

test("state in a module of the provider is rejected, because one process may serve several runs", () => {
  const lines = [...STATE, ...NO_STATE];
  const expected = STATE.map((_, index) => `provider/code.ts:${index + 1}`);
  expect(lint({ provider: lines, test: lines })).toEqual(expected);
});
