/**
 * Generates the types of sdk/ and plugin/schema.json from the built definitions, docs/coverage.md from comments in tests,
 * and sdk/go, sdks/ and docs/reference-python.md from the schema. With --print and a file name, prints that file instead; with --sdks and a folder, writes only
 * the SDKs, and there; a schema file may follow. With --api, writes docs/api from the built types; with --check-api, fails if
 * they differ.
 */
import { writeFileSync } from "node:fs";
import { generateSdks } from "./generate/sdks.mjs";

const GENERATORS = {
  "sdk/resources.ts": async () => (await import("./generate/resources.mjs")).text,
  "sdk/enums.ts": async () => (await import("./generate/enums.mjs")).text,
  "sdk/functions.ts": async () => (await import("./generate/functions.mjs")).text,
  "sdk/native/index.ts": async () => (await import("./generate/native.mjs")).text,
  "plugin/schema.json": async () => (await import("./generate/schema.mjs")).text,
  "docs/reference-python.md": async () => (await import("./generate/python-reference.mjs")).pythonReference(),
  "docs/coverage.md": async () => (await import("./generate/coverage.mjs")).coveragePage(),
};
const [flag, operand, schema] = process.argv.slice(2);
if (flag === "--api") (await import("./generate/api-report.mjs")).checkApiReport(true);
else if (flag === "--check-api")
  process.exitCode = (await import("./generate/api-report.mjs")).checkApiReport(false) ? 0 : 1;
else if (flag === "--print") process.stdout.write(await GENERATORS[operand]());
else if (flag === "--sdks") await generateSdks(operand, schema);
else {
  for (const [file, text] of Object.entries(GENERATORS))
    writeFileSync(new URL(`../${file}`, import.meta.url), await text());
  await generateSdks();
}
