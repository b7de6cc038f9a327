/** The native plugin of this checkout, as the npm package contains it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ROOT } from "./checkout";

const run = promisify(execFile);

/** Returns the folder of the bundle. Builds it if its sources changed; concurrent tests build it once. */
export const pluginFolder = () => build("bundle.ts", "ensureBundle");

/** Returns the executable of this platform. Builds it if its sources changed. */
export const pluginExecutable = () => build("executable.ts", "ensureExecutable");

/** Returns the executable of the emulator for this platform. Builds it if its sources changed. */
export const emulatorExecutable = () => build("emulator.ts", "ensureEmulatorExecutable");

/** Returns the folder with the archives of a release. Builds them if their sources changed. */
export const pluginRelease = () => build("release.ts", "ensureRelease");

/** Builds all files of a release. @returns Their folder. */
export async function release(folder: string): Promise<string> {
  await run(process.execPath, ["scripts/run.mjs", "release", "--local", "--out", folder], {
    cwd: ROOT,
    maxBuffer: 1e8,
  });
  return folder;
}

async function build(script: string, name: string): Promise<string> {
  const url = pathToFileURL(join(ROOT, "scripts/plugin", script)).href;
  const program = `const { ${name} } = await import("${url}"); console.log(await ${name}());`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program]);
  return stdout.trim().split("\n").at(-1) ?? "";
}
