/** Paths in files that teams commit and use on several systems. */
import path from "node:path";

/**
 * Returns the path from a folder to a file or folder, with slashes, which all systems understand.
 * @param system Functions for paths of the operating system.
 */
export const portablePath = (from: string, to: string, system: path.PlatformPath = path): string =>
  system.relative(from, to).replaceAll(system.sep, "/");
