/** Property paths, as the engine writes them. */

/** Formats keys as a property path: `secrets["api.key"]`, `tags[0]`. It ends before a key that no path can name. */
export function formatPropertyPath(keys: readonly (string | number)[]): string {
  const unnamed = keys.findIndex((key) => String(key).endsWith("\\"));
  return (unnamed < 0 ? keys : keys.slice(0, unnamed)).map(formatKey).join("").replace(/^\./, "");
}

function formatKey(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `["${key.replaceAll('"', '\\"')}"]`;
}
