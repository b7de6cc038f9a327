/** Suggestions for misspelled names. */

/** Returns the candidate within two edits, ignoring case and underscores, so that snake case matches too. */
export function closestMatch(word: string, candidates: readonly string[]): string | undefined {
  const [closest] = rankBySimilarity(word, candidates);
  return closest && closest.distance <= 2 ? closest.candidate : undefined;
}

/** Returns a question for the closest name, or a sentence with all of them. */
export function suggest(name: string, candidates: readonly string[]): string {
  const suggestion = closestMatch(name, candidates);
  return suggestion ? `Did you mean "${suggestion}"?` : `It has ${candidates.join(", ")}.`;
}

const MAX_LISTED = 5;

/** Returns a question for the object whose ID or name is closest, or a sentence with the first ones. Empty for none. */
export function suggestObject(text: string, objects: readonly { id: string; name: string }[]): string {
  const byText = new Map(objects.flatMap((object) => [object.name, object.id].map((key) => [key, object] as const)));
  const show = ({ id, name }: { id: string; name: string }) => `${JSON.stringify(name)} (${id})`;
  const meant = byText.get(closestMatch(text, [...byText.keys()]) ?? "");
  if (meant) return `Did you mean ${show(meant)}?`;
  if (objects.length === 0) return "";
  const more = objects.length > MAX_LISTED ? `, and ${objects.length - MAX_LISTED} more` : "";
  return `It has ${objects.slice(0, MAX_LISTED).map(show).join(", ")}${more}.`;
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
