/** Suggestions for misspelled names. */

/** Returns the candidate within two edits, ignoring case and underscores, so that snake case matches too. */
export function closestMatch(word: string, candidates: readonly string[]): string | undefined {
  const [closest] = rankBySimilarity(word, candidates);
  return closest && closest.distance <= 2 ? closest.candidate : undefined;
}

export function sortBySimilarity(word: string, candidates: readonly string[]): string[] {
  return rankBySimilarity(word, candidates).map(({ candidate }) => candidate);
}

function rankBySimilarity(word: string, candidates: readonly string[]): { candidate: string; distance: number }[] {
  const normalize = (text: string) => text.replaceAll("_", "").toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(normalize(word), normalize(candidate)) }))
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
