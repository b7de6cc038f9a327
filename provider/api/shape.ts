/** Checks the types of a response against a schema, and converts scalars that a server writes in another way. */
import { z } from "zod";
import { childOf, getOwn, isPropertyMap, unwrap } from "../schema/schema";

/** Returns a scalar in the type that the schema declares where nothing is lost: 24 for "24", "7" for 7, true for "true". */
export function toDeclaredType(schema: z.ZodType, value: unknown): unknown {
  // Other numbers may have been rounded, and an ID must not become another one.
  if (isText(schema)) return Number.isSafeInteger(value) || typeof value === "boolean" ? String(value) : value;
  if (typeof value !== "string") return value;
  if (schema instanceof z.ZodNumber) return String(Number(value)) === value ? Number(value) : value;
  if (schema instanceof z.ZodBoolean && (value === "true" || value === "false")) return value === "true";
  return value;
}

const isText = (schema: z.ZodType) => schema instanceof z.ZodString || schema instanceof z.ZodEnum;

/**
 * Returns the first field whose type is not that of the schema, such as `credentialsKeys is not a list`; undefined when
 * there is none. Absent, null and unknown enum values are accepted.
 */
export function findSchemaViolation(schema: z.ZodType, value: unknown, path = ""): string | undefined {
  const inner = unwrap(schema);
  if (value === undefined || (value === null && path !== "")) return undefined;
  const mismatch = (form: string) => `${path || "the body"} is not ${form}`;
  const childPath = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (inner instanceof z.ZodArray) {
    if (!Array.isArray(value)) return mismatch("a list");
    const element = inner.element as z.ZodType;
    for (const [index, item] of value.entries()) {
      const violation = findItemViolation(element, item, childPath(index));
      if (violation !== undefined) return violation;
    }
    return undefined;
  }
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) {
    // Some servers return an empty map as an empty list.
    const isEmptyMap = inner instanceof z.ZodRecord && Array.isArray(value) && value.length === 0;
    if (typeof value !== "object" || value === null || (Array.isArray(value) && !isEmptyMap))
      return mismatch("an object");
    const fields = value as Record<string, unknown>;
    for (const key of Object.keys(inner instanceof z.ZodRecord ? fields : inner.shape)) {
      const violation = findSchemaViolation(childOf(inner, key) as z.ZodType, fields[key], childPath(key));
      if (violation !== undefined) return violation;
    }
    return undefined;
  }
  if (isText(inner)) return typeof value === "string" ? undefined : mismatch("a string");
  if (inner instanceof z.ZodNumber) return Number.isFinite(value) ? undefined : mismatch("a number");
  if (inner instanceof z.ZodBoolean) return typeof value === "boolean" ? undefined : mismatch("true or false");
  return undefined;
}

/** A null item may be any item, and so may one without its name: nothing could be concluded from the list. */
function findItemViolation(element: z.ZodType, item: unknown, path: string): string | undefined {
  if (item === null) return `${path} is null`;
  const name = element instanceof z.ZodObject ? (element.shape.name as z.ZodType | undefined) : undefined;
  const needsName = name !== undefined && !(name instanceof z.ZodOptional);
  if (needsName && isPropertyMap(item) && getOwn(item, "name") == null) return `${path}.name is missing`;
  return findSchemaViolation(element, item, path);
}
