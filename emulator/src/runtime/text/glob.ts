/**
 * Whether a path matches a pattern with `*` for any text without a slash and `**` for any text. It reads the path once
 * and knows at each letter how much of the pattern may be behind it, so that it takes length times length at most.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const tokens = pattern.match(/\*\*|./gsu) ?? [];
  // Whether the first tokens, as many as the index, match all that was read.
  const reached = [true];
  for (const [index, token] of tokens.entries()) reached.push(isStar(token) && reached[index] === true);
  for (const letter of path) {
    let before = reached[0] === true;
    reached[0] = false;
    for (const [index, token] of tokens.entries()) {
      const was = reached[index + 1] === true;
      const goesOn = was && (token === "**" || letter !== "/");
      reached[index + 1] = isStar(token) ? goesOn || reached[index] === true : before && token === letter;
      before = was;
    }
  }
  return reached[tokens.length] === true;
}

const isStar = (token: string) => token === "*" || token === "**";
