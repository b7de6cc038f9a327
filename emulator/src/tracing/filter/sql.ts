/** A part of a statement with a value for each placeholder. */
export interface Sql {
  sql: string;
  params: (string | number)[];
}

/** `sql` must not contain user input. */
export function sqlPart(sql: string, ...params: (string | number)[]): Sql {
  return { sql, params };
}

/** Joins conditions as a balanced tree, because SQLite limits the depth of expressions. */
export function joinConditions(operator: "AND" | "OR", parts: readonly Sql[]): Sql {
  const [single] = parts;
  if (single && parts.length === 1) return single;
  const middle = Math.ceil(parts.length / 2);
  const left = joinConditions(operator, parts.slice(0, middle));
  const right = joinConditions(operator, parts.slice(middle));
  return sqlPart(`(${left.sql} ${operator} ${right.sql})`, ...left.params, ...right.params);
}
