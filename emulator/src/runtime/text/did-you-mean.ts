/** Returns the name with the smallest edit distance. */
export function closestMatch(text: string, names: readonly string[]): string {
  const ranked = names.map((name) => ({ name, edits: caseInsensitiveDistance(text, name) }));
  return ranked.reduce((best, next) => (next.edits < best.edits ? next : best)).name;
}

/** Returns the name that a word almost certainly means: one edit, a transposition or another case away. */
export function findLikelyTypo(word: string, names: readonly string[]): string | undefined {
  if (names.includes(word)) return undefined;
  const letters = (text: string) => [...text.toLowerCase()].sort().join("");
  return names.find((name) => caseInsensitiveDistance(word, name) <= 1 || letters(word) === letters(name));
}

const caseInsensitiveDistance = (text: string, name: string) => edits(text.toLowerCase(), name.toLowerCase());

/** Levenshtein distance, computed row by row. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + Number(letter !== to[column]);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
