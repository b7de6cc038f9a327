/** The lint rules of this repository, in scripts/checks/*.grit. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

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
  'export const loaded = require("node:path");',
  "export const folder = __dirname;",
  "export const { exports: allExports } = { exports: 1 };",
  "export interface Names { exports: string }",
];

test("a name that the compiled module uses itself is rejected in all code that is shipped", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentgraph-lint-")));
  try {
    for (const path of ["biome.json", "scripts/checks"])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    for (const path of [...SHIPPED, "test"]) {
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, "code.ts"), [...REJECTED, ...ALLOWED].join("\n"));
    }
    const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
    const args = [
      biome,
      "lint",
      "--vcs-enabled=false",
      "--reporter=github",
      "--max-diagnostics=none",
      ...SHIPPED,
      "test",
    ];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    const found = [...stdout.matchAll(/title=plugin,file=(.+?),line=(\d+)/g)].map(
      ([, file = "", line]) => `${relative(folder, file)}:${line}`,
    );
    const expected = SHIPPED.flatMap((path) => REJECTED.map((_, index) => `${path}/code.ts:${index + 1}`));
    expect([...new Set(found)].sort()).toEqual(expected.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
