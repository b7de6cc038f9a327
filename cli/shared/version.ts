/** The package that contains this code, and versions of packages. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Returns the folder of this package, which contains dist/cli/shared/ and, in tests, cli/shared/. */
export function packageFolder(): string {
  const folder = join(__dirname, "../..");
  return basename(folder) === "dist" ? dirname(folder) : folder;
}

/** Returns the version of this package. */
export const packageVersion = (): string => readVersion(join(packageFolder(), "package.json")) ?? "unknown";

/** Returns the version in a package.json; undefined if there is none. */
export function readVersion(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { version?: string }).version;
  } catch {
    return undefined;
  }
}
