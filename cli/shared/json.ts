/** JSON as commands print it. */
import { cleanText } from "../../provider/text/clean";

/** Escapes the characters that JSON leaves as they are, and that other languages reject or editors hide. */
export const escapeUnprintable = (json: string): string =>
  json.replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\udb40[\udc00-\udc7f]/g, (text) =>
    text.split("").map(unicodeEscape).join(""),
  );

const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Returns JSON without secrets, and without effect in a terminal or a pipeline. Escaped first: cleaning would make line
 * breaks of some characters, and remove everything between two others, also from one text to the next.
 */
export const printJson = (value: unknown, secrets: Iterable<string> = []): string =>
  cleanText(`${escapeUnprintable(JSON.stringify(value, null, 2))}\n`, secrets);
