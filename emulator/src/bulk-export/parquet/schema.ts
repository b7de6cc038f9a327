import type { ColumnSource, SchemaElement } from "hyparquet-writer";
import type { ColumnKind, Column as Field } from "../../tracing/columns";

/** How a kind of column is encoded. */
interface ColumnType {
  /** Its schema without name and repetition type. */
  element: Omit<SchemaElement, "name">;
  /** Long texts have no statistics, which cost more than readers gain; JSON values rarely repeat. */
  options: Pick<ColumnSource, "encoding" | "statistics">;
}

const text: ColumnType["element"] = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
const plainEncoding = { encoding: "PLAIN" } as const;

const types: Record<ColumnKind, ColumnType> = {
  string: { element: text, options: { statistics: false } },
  uuid: { element: text, options: { statistics: false } },
  json: { element: text, options: { statistics: false, ...plainEncoding } },
  strings: { element: text, options: { statistics: false } },
  timestamp: {
    element: {
      type: "INT64",
      converted_type: "TIMESTAMP_MICROS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
    },
    options: plainEncoding,
  },
  int: { element: { type: "INT64" }, options: plainEncoding },
  double: { element: { type: "DOUBLE" }, options: plainEncoding },
  boolean: { element: { type: "BOOLEAN" }, options: {} },
};

/** Returns the schema of a file: a root, then the columns in order. A list consists of three elements. */
export function schemaOf(fields: readonly Field[]): SchemaElement[] {
  return [{ name: "runs", num_children: fields.length }, ...fields.flatMap(elementsOf)];
}

function elementsOf({ name, kind, nullable }: Field): SchemaElement[] {
  const repetition_type = nullable ? "OPTIONAL" : "REQUIRED";
  const { element } = types[kind];
  if (kind !== "strings") return [{ name, repetition_type, ...element }];
  return [
    { name, repetition_type, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "OPTIONAL", ...element },
  ];
}

/** Short texts that queries filter by: with statistics, readers skip row groups. */
const filterColumns: ReadonlySet<string> = new Set(["id", "name", "run_type", "status"]);

/** Returns a column without its values. */
export function columnOf({ name, kind }: Field): Omit<ColumnSource, "data"> {
  return { name, ...types[kind].options, ...(filterColumns.has(name) && { statistics: true }) };
}
