/** Strings in JSON form, which is also valid in TypeScript, Python and YAML. */
import { escapeUnprintable } from "../../../shared/json";

/** Prints a string with the quotes that need fewer escapes, as formatters do. */
export function printString(text: string): string {
  const escaped = escapeUnprintable(JSON.stringify(text));
  const count = (quote: string) => text.split(quote).length - 1;
  if (count('"') <= count("'")) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
