/** The types of a file, between JSON Schema and a language. */

export type Language = "typescript" | "python";

export type Type =
  /** `unknown`: any value. `never`: no value. `integer`: a number without a fraction. */
  | { kind: "unknown" | "never" | "string" | "number" | "integer" | "boolean" | "null" }
  | { kind: "literal"; value: string | number | boolean }
  | { kind: "list"; item: Type }
  /**
   * @property required How many of the items are required.
   * @property rest Of all further items; absent where there are none.
   */
  | { kind: "tuple"; items: readonly Type[]; required: number; rest?: Type }
  | { kind: "map"; value: Type }
  | { kind: "union"; types: readonly Type[] }
  /** A declaration. */
  | { kind: "reference"; name: string };

export interface Field {
  key: string;
  type: Type;
  isRequired: boolean;
  comment: readonly string[];
}

/** A named type: an object with fields, or another name for a type. */
export interface Declaration {
  name: string;
  comment: readonly string[];
  shape: { fields: readonly Field[]; others?: Type } | { alias: Type };
}

/** The types of one graph, the ones that programs use first. */
export interface GraphTypes {
  graphId: string;
  declarations: readonly Declaration[];
}

export const UNKNOWN: Type = { kind: "unknown" };

/** Returns one type for several, each of which a value may have. */
export function unionOf(types: readonly Type[]): Type {
  const flat = types.flatMap((type) => (type.kind === "union" ? type.types : [type]));
  const distinct = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()];
  const possible = distinct.filter(({ kind }) => kind !== "never");
  if (possible.some(({ kind }) => kind === "unknown")) return UNKNOWN;
  const [only = { kind: "never" }, ...more] = possible;
  return more.length === 0 ? only : { kind: "union", types: possible.sort(byOrder) };
}

/** The order of a schema is not that of its server. `null` is last, as programmers write it. */
const byOrder = (a: Type, b: Type): number =>
  a.kind === "literal" && b.kind === "literal" && typeof a.value === "number" && typeof b.value === "number"
    ? a.value - b.value
    : compare(rankOf(a), rankOf(b));
const rankOf = (type: Type) => `${type.kind === "null" ? 1 : 0}${JSON.stringify(type)}`;

/** Orders texts by their code units, on every machine alike. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
