/** Checks the structure of a response against a schema as far as code depends on it: lists, objects and scalars. */
import { z } from "zod";
import { unwrap } from "../schema/schema";

/**
 * Returns the first field that is a list, an object or a scalar where the schema expects another of the three, such as
 * `credentialsKeys is not a list`; undefined when there is none. Absent, null and unknown enum values are accepted.
 */
export function findSchemaViolation(schema: z.ZodType, value: unknown, path = ""): string | undefined {
  const inner = unwrap(schema);
  if (value === undefined || (value === null && path !== "")) return undefined;
  const mismatch = (form: string) => `${path || "the body"} is not ${form}`;
  const childPath = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (inner instanceof z.ZodArray) {
    if (!Array.isArray(value)) return mismatch("a list");
    const element = inner.element as z.ZodType;
    // A null item may be any item, so nothing could be concluded from the list.
    return first(
      value.map((item, index) =>
        item === null ? `${childPath(index)} is null` : findSchemaViolation(element, item, childPath(index)),
      ),
    );
  }
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) {
    // Some servers return an empty map as an empty list.
    const isEmptyMap = inner instanceof z.ZodRecord && Array.isArray(value) && value.length === 0;
    if (typeof value !== "object" || value === null || (Array.isArray(value) && !isEmptyMap))
      return mismatch("an object");
    const fields = value as Record<string, unknown>;
    if (inner instanceof z.ZodRecord) {
      const schemaOf = inner.valueType as z.ZodType;
      return first(Object.keys(fields).map((key) => findSchemaViolation(schemaOf, fields[key], childPath(key))));
    }
    const schema = inner.shape as Record<string, z.ZodType>;
    return first(
      Object.keys(schema).map((key) => findSchemaViolation(schema[key] as z.ZodType, fields[key], childPath(key))),
    );
  }
  const isScalar =
    inner instanceof z.ZodString ||
    inner instanceof z.ZodNumber ||
    inner instanceof z.ZodBoolean ||
    inner instanceof z.ZodEnum;
  return isScalar && typeof value === "object" ? mismatch("a single value") : undefined;
}

const first = (problems: readonly (string | undefined)[]) => problems.find((problem) => problem !== undefined);
