/** Returns the first version number in a text as three numbers: "v3.259.0" is [3, 259, 0]; undefined if none. */
function parseVersion(text) {
  const version = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return version?.slice(1).map((part) => Number(part ?? 0));
}

/** Whether the version in a text is `least` or newer; false if there is none. */
export function atLeast(text, least) {
  const [version, minimum] = [parseVersion(text), parseVersion(least)];
  if (!version) return false;
  const differs = version.findIndex((number, index) => number !== minimum[index]);
  return differs === -1 || version[differs] > minimum[differs];
}
