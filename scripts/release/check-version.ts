/** `node scripts/release/check-version.ts v1.2.3`: fails unless the tag and every package have the same version. */
import { readFileSync } from "node:fs";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const json = (path: string) => JSON.parse(read(path)).version;
const match = (path: string, pattern: RegExp) => pattern.exec(read(path))?.[1];

const VERSIONS = {
  "package.json": json("package.json"),
  "emulator/package.json": json("emulator/package.json"),
  "provider/text/version.ts": match("provider/text/version.ts", /VERSION = "(.+)"/),
  "emulator/src/runtime/version.ts": match("emulator/src/runtime/version.ts", /emulatorVersion = "(.+)"/),
  "plugin/schema.json": json("plugin/schema.json"),
  "sdk/python/pyproject.toml": match("sdk/python/pyproject.toml", /^ *version = "(.+)"$/m),
  "sdk/go/agentgraph/pulumi-plugin.json": json("sdk/go/agentgraph/pulumi-plugin.json"),
  "templates/typescript/package.json": match("templates/typescript/package.json", /"pulumi-agentgraph": "\^(.+)"/),
  "templates/python/requirements.txt": match("templates/python/requirements.txt", /^pulumi-agentgraph==(.+)$/m),
};

const [tag = ""] = process.argv.slice(2);
const different = Object.entries(VERSIONS).filter(([, version]) => `v${version}` !== tag);
for (const [file, version] of different) console.error(`${file} has the version ${version}, and the tag is ${tag}.`);
process.exitCode = different.length > 0 ? 1 : 0;
