/** Texts of a schema as parts of a program. */
import { cleanText } from "../../provider/text/clean";

/** Control characters, and those that are invisible or change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a text as a literal in which nothing is invisible, and nothing looks like a command to a pipeline: what the
 * command prints is cleaned, which would change the value.
 * @param escaped Writes a character by its number.
 */
export function quote(text: string, escaped: (codePoint: string) => string): string {
  const byNumber = (char: string) => escaped((char.codePointAt(0) ?? 0).toString(16));
  const literal = JSON.stringify(text).replace(INVISIBLE, byNumber);
  return cleanText(literal) === literal ? literal : `"${text.replace(/[^\w ]/gu, byNumber)}"`;
}
