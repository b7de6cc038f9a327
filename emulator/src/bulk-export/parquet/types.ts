import type { ParquetWriter } from "hyparquet-writer";
import type { ColumnKind, Column as Field } from "../../tracing/columns";
import type { Codec } from "./codecs";
import { Column, ListColumn } from "./column";
import { RepeatingTexts } from "./dictionary-encoder";
import { Booleans, Doubles, Integers, type Values } from "./values";

export type SchemaElement = ParquetWriter["schema"][number];

interface Type {
  /** Its schema, but for the name and whether it may be null. */
  schema: Omit<SchemaElement, "name">;
  values(): Values;
}

const text: Type = {
  schema: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  values: () => new RepeatingTexts(),
};

/** The Parquet type of each kind of column. */
const types: Record<Exclude<ColumnKind, "strings">, Type> = {
  string: text,
  uuid: text,
  json: text,
  timestamp: {
    schema: {
      type: "INT64",
      converted_type: "TIMESTAMP_MICROS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
    },
    values: () => new Integers(),
  },
  int: { schema: { type: "INT64" }, values: () => new Integers() },
  double: { schema: { type: "DOUBLE" }, values: () => new Doubles() },
  boolean: { schema: { type: "BOOLEAN" }, values: () => new Booleans() },
};

/** The schema of a file: a root, then the columns in order, a list being three elements deep. */
export function schemaOf(fields: readonly Field[]): SchemaElement[] {
  return [{ name: "runs", num_children: fields.length }, ...fields.flatMap(elementsOf)];
}

function elementsOf({ name, kind, nullable }: Field): SchemaElement[] {
  const repetition_type = nullable ? "OPTIONAL" : "REQUIRED";
  if (kind !== "strings") return [{ name, repetition_type, ...types[kind].schema }];
  return [
    { name, repetition_type, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "OPTIONAL", ...text.schema },
  ];
}

/** The way to a column's values in the schema. */
export function pathOf({ name, kind }: Field): string[] {
  return kind === "strings" ? [name, "list", "element"] : [name];
}

export function physicalType({ kind }: Field): NonNullable<SchemaElement["type"]> {
  const { type } = kind === "strings" ? text.schema : types[kind].schema;
  return type as NonNullable<typeof type>;
}

export function columnFor({ kind, nullable }: Field, codec: Codec): Column {
  if (kind === "strings") return new ListColumn(nullable, text.values(), codec);
  return new Column(nullable ? 1 : 0, types[kind].values(), codec);
}
