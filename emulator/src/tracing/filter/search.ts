import { joinConditions, type Sql, sqlPart } from "./sql";

/** Matches columns that contain the text; ignores the case of A to Z only, as SQLite does. */
export function containsText(column: string, text: string): Sql {
  return sqlPart(`instr(lower(${column}), ?) > 0`, lower(text));
}

/** Matches runs whose name, error, or any text in inputs or outputs contains the text. */
export function runContainsText(text: string): Sql {
  return joinConditions("OR", [
    ...["r.name", "r.error"].map((column) => containsText(column, text)),
    ...["r.inputs", "r.outputs"].map((column) => jsonContainsText(column, text)),
  ]);
}

/** The first condition excludes most runs without parsing their JSON. */
function jsonContainsText(column: string, text: string): Sql {
  const prefilter = containsText(column, JSON.stringify(text).slice(1, -1));
  const exactMatch = containsText("j.value", text);
  const sql =
    `(${prefilter.sql} AND EXISTS (SELECT 1 FROM json_tree(${column}) AS j WHERE j.type = 'text' AND ` +
    `${exactMatch.sql}))`;
  return sqlPart(sql, ...prefilter.params, ...exactMatch.params);
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
