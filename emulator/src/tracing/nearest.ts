/** The name that a misspelt one most likely means: the one with the fewest letters to change. */
export function nearest(text: string, names: readonly string[]): string {
  const ranked = names.map((name) => ({ name, edits: edits(text.toLowerCase(), name) }));
  return ranked.reduce((best, next) => (next.edits < best.edits ? next : best)).name;
}

/** Letters to put in, take out or replace, by the usual table, one row at a time. */
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
