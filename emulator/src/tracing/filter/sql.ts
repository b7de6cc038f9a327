/** A part of a statement with a value for each placeholder. */
export interface Sql {
  sql: string;
  params: (string | number)[];
}

/** `sql` must not contain user input. */
export function part(sql: string, ...params: (string | number)[]): Sql {
  return { sql, params };
}

/** Joins conditions as a balanced tree, because SQLite limits the depth of expressions. */
export function joined(word: "AND" | "OR", parts: readonly Sql[]): Sql {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const middle = Math.ceil(parts.length / 2);
  const one = joined(word, parts.slice(0, middle));
  const other = joined(word, parts.slice(middle));
  return part(`(${one.sql} ${word} ${other.sql})`, ...one.params, ...other.params);
}
