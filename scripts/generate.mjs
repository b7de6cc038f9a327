/**
 * Writes what is generated: the types of sdk/ from the definitions as they are built, and docs/coverage.md from the notes
 * of the tests. With --print and a file, writes that one to standard output instead.
 */
import { writeFileSync } from "node:fs";

const TEXTS = {
  "sdk/kinds.ts": async () => (await import("./generate/resources.mjs")).text,
  "sdk/lookups.ts": async () => (await import("./generate/functions.mjs")).text,
  "docs/coverage.md": async () => (await import("./generate/coverage.mjs")).coveragePage(),
};
const [flag, asked] = process.argv.slice(2);
if (flag === "--print") process.stdout.write(await TEXTS[asked]());
else {
  for (const [file, text] of Object.entries(TEXTS)) writeFileSync(new URL(`../${file}`, import.meta.url), await text());
}
