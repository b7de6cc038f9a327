/** The first version number in a text, as three numbers: "v3.259.0" is [3, 259, 0]. Undefined if there is none. */
function numbers(text) {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return found?.slice(1).map((part) => Number(part ?? 0));
}

/** Whether the version that a text names is `least` or newer. False when it names none. */
export function atLeast(text, least) {
  const [found, wanted] = [numbers(text), numbers(least)];
  if (!found) return false;
  const differs = found.findIndex((number, place) => number !== wanted[place]);
  return differs === -1 || found[differs] > wanted[differs];
}
