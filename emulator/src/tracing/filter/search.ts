import { joined, part, type Sql } from "./sql";

/** The text stands within the column, whatever the case of A to Z: SQLite knows no other letters. */
export function inText(column: string, text: string): Sql {
  return part(`instr(lower(${column}), ?) > 0`, lower(text));
}

/** The text stands in the run's name, its error, or any text within its inputs or outputs. */
export function anyText(text: string): Sql {
  return joined("OR", [
    ...["r.name", "r.error"].map((column) => inText(column, text)),
    ...["r.inputs", "r.outputs"].map((column) => inJson(column, text)),
  ]);
}

/** Most runs are told apart without taking their JSON to pieces. */
function inJson(column: string, text: string): Sql {
  const roughly = inText(column, JSON.stringify(text).slice(1, -1));
  const exactly = inText("j.value", text);
  const sql = `(${roughly.sql} AND EXISTS (SELECT 1 FROM json_tree(${column}) AS j WHERE j.type = 'text' AND ${exactly.sql}))`;
  return part(sql, ...roughly.params, ...exactly.params);
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
