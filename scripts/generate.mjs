/**
 * Writes everything that is generated from the built definitions: the types of sdk/nodejs/, plugin/schema.json, the SDKs for
 * Go and Python, and the list of public types in docs/internal/api.md. With names of languages, writes only their SDKs; the
 * one for Java is not committed. With --print and a file name, prints that file instead. With --check-api, fails if
 * docs/internal/api.md differs from the built types.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { COMMITTED_SDKS, generateSdks } from "./generate/sdks.mjs";
import { ensureBuild } from "./setup/build.mjs";
import { ROOT, tool } from "./setup/paths.mjs";

const GENERATORS = {
  "sdk/nodejs/resources.ts": async () => (await import("./generate/resources.mjs")).text,
  "sdk/nodejs/enums.ts": async () => (await import("./generate/enums.mjs")).text,
  "sdk/nodejs/functions.ts": async () => (await import("./generate/functions.mjs")).text,
  "sdk/nodejs/native/index.ts": async () => (await import("./generate/native.mjs")).text,
  "plugin/schema.json": async () => (await import("./generate/schema.mjs")).text,
};

const { values, positionals: languages } = parseArgs({
  allowPositionals: true,
  options: {
    print: { type: "string" },
    "check-api": { type: "boolean" },
    // Where the SDKs are written instead of sdk/, and from which schema.
    out: { type: "string" },
    schema: { type: "string" },
  },
});

if (values["check-api"]) process.exitCode = (await import("./generate/api-report.mjs")).checkApiReport(false) ? 0 : 1;
else if (values.print) process.stdout.write(await GENERATORS[values.print]());
else if (languages.length > 0) await generateSdks(languages, values);
else {
  for (const [file, text] of Object.entries(GENERATORS))
    writeFileSync(new URL(`../${file}`, import.meta.url), await text());
  await generateSdks(COMMITTED_SDKS);
  execFileSync(tool("biome"), ["check", "--write", ...Object.keys(GENERATORS)], { cwd: ROOT, stdio: "inherit" });
  await ensureBuild(process.env);
  (await import("./generate/api-report.mjs")).checkApiReport(true);
}
