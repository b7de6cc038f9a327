/**
 * Writes everything that is generated from the built definitions: the files below, and the SDKs for Go and Python. With
 * names of languages, writes only their SDKs; the one for Java is not committed. With --print and names of files,
 * prints them instead, a NUL between two.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, tool } from "../setup/paths.mjs";
import { OUTPUTS } from "./documents/outputs.ts";
import { COMMITTED_SDKS, generateSdks } from "./sdks.ts";

// Each loads only what it needs.
const FILES: Record<string, () => Promise<{ text: string }>> = {
  "README.md": async () => (await import("./documents/tables.ts")).resources,
  "emulator/README.md": async () => (await import("./documents/tables.ts")).routes,
  "docs/platforms.md": async () => (await import("./documents/tables.ts")).platforms,
  "sdk/nodejs/resources.ts": () => import("./typescript/resources.ts"),
  "sdk/nodejs/components/args.ts": () => import("./typescript/components.ts"),
  "sdk/nodejs/enums.ts": () => import("./typescript/enums.ts"),
  "sdk/nodejs/functions.ts": () => import("./typescript/functions.ts"),
  "sdk/nodejs/index.ts": () => import("./typescript/exports.ts"),
  "sdk/nodejs/native/index.ts": async () => ({ text: (await import("./typescript/exports.ts")).native }),
  "provider/index.ts": () => import("./typescript/handlers.ts"),
  "cli/adopt/kinds.ts": () => import("./typescript/adopted-kinds.ts"),
  "plugin/schema.json": () => import("./schema.ts"),
  "docs/_index.md": () => import("./documents/overview.ts"),
  "docs/errors.json": () => import("./documents/message-index.ts"),
  "docs/settings.json": () => import("./documents/setting-index.ts"),
  ...Object.fromEntries(
    Object.keys(OUTPUTS).map((file) => [
      file,
      async () => ({ text: (await import("./documents/output-schemas.ts")).textOf(file) }),
    ]),
  ),
};

export async function main() {
  const { values, positionals: languages } = parseArgs({
    args: process.argv.slice(3),
    allowPositionals: true,
    options: {
      print: { type: "string", multiple: true },
      // Where the SDKs are written instead of sdk/, and from which schema.
      out: { type: "string" },
      schema: { type: "string" },
    },
  });
  const { print } = values;
  if (print !== undefined) process.stdout.write((await Promise.all(print.map(textOf))).join("\0"));
  else if (languages.length > 0) await generateSdks(languages, values);
  else await generateAll();
}

async function generateAll() {
  for (const file of Object.keys(FILES)) writeFileSync(join(ROOT, file), await textOf(file));
  await generateSdks(COMMITTED_SDKS);
  const formatted = Object.keys(FILES).filter((file) => !file.endsWith(".md"));
  execFileSync(tool("biome"), ["check", "--write", ...formatted], { cwd: ROOT, stdio: "inherit" });
}

async function textOf(file: string) {
  const load = FILES[file];
  if (!load) throw new Error(`${file} is not generated. These are: ${Object.keys(FILES).join(", ")}.`);
  return (await load()).text;
}
