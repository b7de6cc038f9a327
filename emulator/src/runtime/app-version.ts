/**
 * Major, minor, patch and release candidate of a self-hosted application; the candidate of a final release is Infinity.
 */
export type AppVersion = readonly number[];

/** Parses "0.16.1" or "0.16.1rc1". Returns undefined for any other text. */
export function parseVersion(text: string): AppVersion | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-?rc\.?(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, major, minor, patch, candidate] = match;
  return [Number(major), Number(minor), Number(patch), candidate ? Number(candidate) : Number.POSITIVE_INFINITY];
}

export function formatVersion([major, minor, patch, candidate = 0]: AppVersion): string {
  return `${major}.${minor}.${patch}${Number.isFinite(candidate) ? `rc${candidate}` : ""}`;
}

export function isOlder(version: AppVersion, other: AppVersion): boolean {
  const firstDifference = version.findIndex((part, index) => part !== other[index]);
  return firstDifference >= 0 && (version[firstDifference] ?? 0) < (other[firstDifference] ?? 0);
}
