/** Which word was meant. */

/** The word within two edits, ignoring case and underscores; a snake-case spelling is thus found too. */
export function closestMatch(word: string, known: readonly string[]): string | undefined {
  const [best] = scored(word, known);
  return best && best.distance <= 2 ? best.candidate : undefined;
}

/** All of them, those first that differ least. */
export function sortBySimilarity(word: string, known: readonly string[]): string[] {
  return scored(word, known).map(({ candidate }) => candidate);
}

function scored(word: string, known: readonly string[]): { candidate: string; distance: number }[] {
  const plain = (text: string) => text.replaceAll("_", "").toLowerCase();
  return known
    .map((candidate) => ({ candidate, distance: editDistance(plain(word), plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitute);
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
