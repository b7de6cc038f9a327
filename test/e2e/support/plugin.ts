/** The native plugin of this checkout, as the npm package contains it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ROOT } from "./checkout";

const run = promisify(execFile);

/** Returns the folder of the bundle. Builds it if its sources changed; concurrent tests build it once. */
export async function pluginFolder(): Promise<string> {
  const script = pathToFileURL(join(ROOT, "scripts/plugin/bundle.mjs")).href;
  const build = `const { ensureBundle } = await import("${script}"); console.log(await ensureBundle());`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", build]);
  return stdout.trim().split("\n").at(-1) ?? "";
}
