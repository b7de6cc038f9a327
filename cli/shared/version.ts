/** Versions of packages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the version of this package. */
/** Returns the version of this package. */
export function packageVersion(): string {
  // From dist/cli/shared/ and, in tests, from cli/shared/.
  for (const up of ["../../..", "../.."]) {
    const version = readVersion(join(__dirname, up, "package.json"));
    if (version !== undefined) return version;
  }
  return "unknown";
}

/** Returns the version in a package.json; undefined if there is none. */
export function readVersion(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { version?: string }).version;
  } catch {
    return undefined;
  }
}
