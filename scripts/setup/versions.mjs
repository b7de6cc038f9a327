/** Returns the first version number in a text as three numbers: "v3.259.0" is [3, 259, 0]; undefined if there is none. */
function numbers(text) {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return found?.slice(1).map((part) => Number(part ?? 0));
}

/** Whether the version in a text is `least` or newer; false if there is none. */
export function atLeast(text, least) {
  const [found, wanted] = [numbers(text), numbers(least)];
  if (!found) return false;
  const differs = found.findIndex((number, place) => number !== wanted[place]);
  return differs === -1 || found[differs] > wanted[differs];
}
