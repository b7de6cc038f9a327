/** Property paths in the syntax of the engine. */

/** Real inputs have about ten levels; deeper levels are omitted. */
export const MAX_LEVELS = 100;

/** Splits a path such as `a.b[0]["c.d"]` into its keys. An unclosed quote extends to the end. */
export function keysOf(path: string): string[] {
  const keys: string[] = [];
  let at = 0;
  while (at < path.length && keys.length < MAX_LEVELS) {
    if (path.startsWith('["', at)) {
      const quoted = /(?:[^"\\]|\\.)*/sy;
      quoted.lastIndex = at + 2;
      keys.push((quoted.exec(path)?.[0] ?? "").replace(/\\(.)/gs, "$1"));
      at = path.startsWith('"]', quoted.lastIndex) ? quoted.lastIndex + 2 : path.length;
    } else if (SEPARATORS.has(path[at] ?? "")) {
      at += 1;
    } else {
      const plain = /[^.[\]]+/y;
      plain.lastIndex = at;
      keys.push(plain.exec(path)?.[0] ?? "");
      at = plain.lastIndex;
    }
  }
  return keys;
}
const SEPARATORS: ReadonlySet<string> = new Set([".", "[", "]"]);
