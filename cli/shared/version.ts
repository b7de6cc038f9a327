/** The version of this package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function ownVersion(): string {
  // From dist/cli/shared/ and from cli/shared/, where tests run it.
  for (const up of ["../../..", "../.."]) {
    const version = versionIn(join(__dirname, up, "package.json"));
    if (version !== undefined) return version;
  }
  return "unknown";
}

/** The version that a package.json names; undefined when there is none. */
export function versionIn(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { version?: string }).version;
  } catch {
    return undefined;
  }
}
