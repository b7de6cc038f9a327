/** What a schema accepts, as data, for types of TypeScript, the package schema, and `agentgraph adopt`. */
import { z } from "zod";
import { catchallOf, fieldMetadata, unwrap } from "./schema";

export type Model =
  /** @property isOpen Whether other keys are allowed. */
  | { kind: "object"; object: z.ZodObject; fields: Readonly<Record<string, z.ZodType>>; isOpen: boolean }
  | { kind: "map"; value: z.ZodType }
  | { kind: "list"; item: z.ZodType }
  | { kind: "union"; options: readonly z.ZodType[] }
  | { kind: "enum" | "literal"; values: readonly unknown[] }
  /** @property known The name of the list of values that are known; others are allowed. */
  | { kind: "string"; known: string | undefined }
  | { kind: "number" | "integer" | "boolean" | "unknown" };

/** Returns the model of a schema without what wraps it. @throws Error if no generator can write such a type. */
export function modelOf(schema: z.ZodType, path: string): Model {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject)
    return { kind: "object", object: inner, fields: inner.shape, isOpen: catchallOf(inner) !== undefined };
  if (inner instanceof z.ZodRecord) return { kind: "map", value: inner.valueType as z.ZodType };
  if (inner instanceof z.ZodArray) return { kind: "list", item: inner.element as z.ZodType };
  if (inner instanceof z.ZodUnion) return { kind: "union", options: inner.options as z.ZodType[] };
  if (inner instanceof z.ZodEnum) return { kind: "enum", values: inner.options };
  if (inner instanceof z.ZodLiteral) return { kind: "literal", values: [...inner.values] };
  if (inner.type === "string") return { kind: "string", known: fieldMetadata.get(inner)?.knownValues };
  if (inner instanceof z.ZodNumber) return { kind: inner.format?.includes("int") ? "integer" : "number" };
  if (inner.type === "boolean" || inner.type === "unknown") return { kind: inner.type };
  throw new Error(`${path}: schemas of type ${inner.type} are not supported.`);
}

/** Returns the description of a schema. @throws Error if it has none. */
export function descriptionOf(schema: z.ZodType, path: string): string {
  if (schema.description) return schema.description;
  throw new Error(`${path} has no description: add a .describe().`);
}

/** Returns a key as the beginning of a name: `imageUri` as `ImageUri`. */
export const titleOf = (key: string): string => `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
