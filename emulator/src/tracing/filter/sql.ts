/** A part of a statement, with a value for each of its question marks. */
export interface Sql {
  sql: string;
  params: (string | number)[];
}

/** `sql` is text of ours, never a user's. */
export function part(sql: string, ...params: (string | number)[]): Sql {
  return { sql, params };
}

/** Halves of halves: SQLite counts the depth of an expression, and a chain of a thousand is as deep as long. */
export function joined(word: "AND" | "OR", parts: readonly Sql[]): Sql {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const middle = Math.ceil(parts.length / 2);
  const one = joined(word, parts.slice(0, middle));
  const other = joined(word, parts.slice(middle));
  return part(`(${one.sql} ${word} ${other.sql})`, ...one.params, ...other.params);
}
