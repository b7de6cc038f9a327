/** Texts of a schema as parts of a program. */

/** Control characters, and those that are invisible or change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Returns a text as a literal in which nothing is invisible. @param escaped Writes a character by its number. */
export const quote = (text: string, escaped: (codePoint: string) => string): string =>
  JSON.stringify(text).replace(INVISIBLE, (char) => escaped((char.codePointAt(0) ?? 0).toString(16)));
