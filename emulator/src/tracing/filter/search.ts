import { joined, part, type Sql } from "./sql";

/** Matches columns that contain the text; ignores the case of A to Z only, as SQLite does. */
export function inText(column: string, text: string): Sql {
  return part(`instr(lower(${column}), ?) > 0`, lower(text));
}

/** Matches runs whose name, error, or any text in inputs or outputs contains the text. */
export function anyText(text: string): Sql {
  return joined("OR", [
    ...["r.name", "r.error"].map((column) => inText(column, text)),
    ...["r.inputs", "r.outputs"].map((column) => inJson(column, text)),
  ]);
}

/** The first condition excludes most runs without parsing their JSON. */
function inJson(column: string, text: string): Sql {
  const roughly = inText(column, JSON.stringify(text).slice(1, -1));
  const exactly = inText("j.value", text);
  const sql = `(${roughly.sql} AND EXISTS (SELECT 1 FROM json_tree(${column}) AS j WHERE j.type = 'text' AND ${exactly.sql}))`;
  return part(sql, ...roughly.params, ...exactly.params);
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
