/** Returns the keys of a property path of the engine; `*` is any key. In quotes, a backslash escapes a quote alone. */
export const parsePropertyPath = (path: string): string[] =>
  [...path.matchAll(KEY)].map(([, quoted, index, name]) => quoted?.replaceAll('\\"', '"') ?? index ?? name ?? "");
const KEY = /\["((?:\\"|[^"\\]|\\(?!"))*)"\]|\[([^\]]*)\]|([^.[]+)/g;
