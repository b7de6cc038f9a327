/** `npm run plugin`: builds the bundle, the executable of this platform, and the archives of a release. */
import { relative } from "node:path";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { ensureBundle } from "./bundle.ts";
import { ensureEmulatorExecutable } from "./emulator.ts";
import { ensureExecutable } from "./executable.ts";
import { ensureRelease } from "./release.ts";

export const usage = {
  command: "npm run plugin",
  summary:
    "Builds the native provider plugin in build/: its bundle, its executable, that of the emulator, and the " +
    "archives of a release.",
  options: { bundle: { type: "boolean", meaning: "build only the bundle, which the npm package contains" } },
};

export async function main({ bundle: bundleOnly = false }: { bundle?: boolean }) {
  await ready({ cli: false });
  const builds = bundleOnly
    ? [ensureBundle]
    : [ensureBundle, () => ensureExecutable(), () => ensureEmulatorExecutable(), ensureRelease];
  for (const build of builds) console.log(`  ${relative(ROOT, await build())}`);
}
