/**
 * Generates the types of sdk/ and plugin/schema.json from the built definitions, and docs/coverage.md from comments in tests. With --print and a
 * file name, prints that file instead.
 */
import { writeFileSync } from "node:fs";

const GENERATORS = {
  "sdk/resources.ts": async () => (await import("./generate/resources.mjs")).text,
  "sdk/functions.ts": async () => (await import("./generate/functions.mjs")).text,
  "sdk/native/index.ts": async () => (await import("./generate/native.mjs")).text,
  "plugin/schema.json": async () => (await import("./generate/schema.mjs")).text,
  "docs/coverage.md": async () => (await import("./generate/coverage.mjs")).coveragePage(),
};
const [flag, requestedFile] = process.argv.slice(2);
if (flag === "--print") process.stdout.write(await GENERATORS[requestedFile]());
else {
  for (const [file, text] of Object.entries(GENERATORS))
    writeFileSync(new URL(`../${file}`, import.meta.url), await text());
}
