/** `npm run check -- --sizes`: how much there is of what must not grow, compared with the limits of sizes.json. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** A limit is what is accepted today, a target what is wanted. A change that comes below a limit lowers it. */
interface Bound {
  limit: number;
  target: number;
}

interface Row extends Bound {
  name: string;
  actual: number;
}

const MAX_LINE_LENGTH = 120;
const SOURCE = /\.(ts|tsx|mts|mjs|cjs|js)$/;
/** Written by `npm run generate`, or by the tools of others. */
const GENERATED = new RegExp(
  "^(sdk/(go|python)|test/cli/types/written)/|" +
    "^sdk/nodejs/(resources|functions|enums|index|native/index|components/args)\\.ts$",
);
const GUIDE = /^docs\/[^/]+\.md$/;
const PAGE = "emulator/dist/page.html";

/** Measures a checkout: files that git knows. */
function measure(root: string): Record<string, number> {
  const list = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 1e8 }).trim().split("\n");
  const files = list.filter((file) => existsSync(join(root, file)));
  const textOf = (file: string) => readFileSync(join(root, file), "utf8");
  const matching = (...patterns: RegExp[]) => files.filter((file) => patterns.every((pattern) => pattern.test(file)));
  const sum = (names: string[], count: (text: string) => number) =>
    names.reduce((total, name) => total + count(textOf(name)), 0);
  const lines = (...patterns: RegExp[]) => sum(matching(...patterns), linesOf);
  const longIn = (names: string[], count = longLines) => sum(names, count);
  const written = files.filter((file) => SOURCE.test(file) && !GENERATED.test(file) && !/\/recordings\//.test(file));
  return {
    "words of the guide": sum(matching(GUIDE), wordsOf),
    "words of docs/errors.md": sum(matching(/^docs\/errors\.md$/), wordsOf),
    "long lines of the guide": longIn(matching(GUIDE), longProse),
    "long lines of provider, sdk, cli, plugin": longIn(
      written.filter((file) => /^(provider|sdk|cli|plugin)\//.test(file)),
    ),
    "long lines of the emulator": longIn(written.filter((file) => file.startsWith("emulator/"))),
    "long lines of tests and scripts": longIn(written.filter((file) => /^(test|scripts|acceptance)\//.test(file))),
    "lines of CONTRIBUTING.md": lines(/^CONTRIBUTING\.md$/),
    examples: new Set(matching(/^examples\/[^/]+\//).map((file) => file.split("/")[1])).size,
    "lines of scripts": lines(/^scripts\//),
    "lines of scripts/bench and scripts/mutation": lines(/^scripts\/(bench|mutation)\//),
    "lines of tests, without recordings": lines(/^(test|emulator\/test)\/(?!recordings\/)/),
    "lines of provider": lines(/^provider\//),
    "lines of emulator/page": lines(/^emulator\/page\//),
    "bytes of the compressed page": existsSync(join(root, PAGE)) ? gzipSync(textOf(PAGE), { level: 9 }).length : 0,
  };
}

const linesOf = (text: string) => text.split("\n").length - 1;
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;
const isLong = (line: string) => line.length > MAX_LINE_LENGTH;
const longLines = (text: string) => text.split("\n").filter(isLong).length;
/** Rows of tables and blocks of code cannot be wrapped. */
const longProse = (text: string) => longLines(text.replace(/^\|.*$|^ *(```+)[\s\S]*?^ *\1$/gm, ""));

/** @throws Error if something is measured that has no limit, or has a limit and is not measured. */
function compare(measured: Record<string, number>, bounds: Record<string, Bound>): Row[] {
  const names = [...new Set([...Object.keys(measured), ...Object.keys(bounds)])];
  return names.map((name) => {
    const [actual, bound] = [measured[name], bounds[name]];
    if (actual === undefined || bound === undefined) throw new Error(`sizes.json and sizes.ts differ in "${name}".`);
    return { name, actual, ...bound };
  });
}

const tooLarge = ({ actual, limit }: Row) => actual > limit;

/** Prints the sizes of this checkout. @returns The exit code. */
export function printSizes(root: string): number {
  const bounds = JSON.parse(readFileSync(join(root, "scripts/checks/sizes.json"), "utf8"));
  const rows = compare(measure(root), bounds);
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(`${"".padEnd(width)} ${["actual", "limit", "target"].map((title) => title.padStart(8)).join("")}`);
  for (const row of rows) {
    const figures = [row.actual, row.limit, row.target].map((figure) => figure.toLocaleString("en-US").padStart(8));
    console.log(`${row.name.padEnd(width)} ${figures.join("")}${tooLarge(row) ? "  TOO LARGE" : ""}`);
  }
  return rows.some(tooLarge) ? 1 : 0;
}
