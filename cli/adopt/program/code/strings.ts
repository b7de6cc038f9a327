/** Strings in JSON form, which is also valid in TypeScript, Python and YAML. */

/** Escapes the characters that JSON leaves as they are, and that other languages reject or editors hide. */
export const escapeUnprintable = (json: string): string =>
  json.replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, unicodeEscape);

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Prints a string with the quotes that need fewer escapes, as formatters do. */
export function printString(text: string): string {
  const escaped = escapeUnprintable(JSON.stringify(text));
  const count = (quote: string) => text.split(quote).length - 1;
  if (count('"') <= count("'")) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
