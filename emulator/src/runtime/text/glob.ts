/**
 * Returns whether a path matches a pattern in which `*` is any text without a slash and `**` is any text. Reads the
 * path once and tracks all possible positions in the pattern, so the cost is at most the product of both lengths.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const tokens = pattern.match(/\*\*|./gsu) ?? [];
  // reached[n]: whether the first n tokens match everything read so far.
  const reached = [true];
  for (const [index, token] of tokens.entries()) reached.push(isStar(token) && reached[index] === true);
  for (const letter of path) {
    let previous = reached[0] === true;
    reached[0] = false;
    for (const [index, token] of tokens.entries()) {
      const matched = reached[index + 1] === true;
      const continues = matched && (token === "**" || letter !== "/");
      reached[index + 1] = isStar(token) ? continues || reached[index] === true : previous && token === letter;
      previous = matched;
    }
  }
  return reached[tokens.length] === true;
}

const isStar = (token: string) => token === "*" || token === "**";
