/** Converts a response to the result of a function. */
import { z } from "zod";
import { catchallOf, isPropertyMap, unwrap } from "../../schema/schema";
import { UserError } from "../../text/user-error";

/**
 * Returns the fields that the schema names, without those that are null. Keys that belong to the user are kept.
 * @throws UserError when a required field is missing.
 */
export function toResult(schema: z.ZodType, value: unknown, omitted: ReadonlySet<string> = new Set()): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => toResult(inner.element as z.ZodType, item, omitted));
  }
  if (inner instanceof z.ZodRecord && isPropertyMap(value)) {
    const entries = Object.entries(value).map(([key, part]) => [key, toResult(inner.valueType as z.ZodType, part)]);
    return Object.fromEntries(entries);
  }
  if (!(inner instanceof z.ZodObject) || !isPropertyMap(value)) return value;
  const fields = Object.entries(inner.shape as Record<string, z.ZodType>).filter(([key]) => !omitted.has(key));
  const missing = fields.filter(([key, field]) => value[key] == null && !(field instanceof z.ZodOptional));
  if (missing.length > 0) {
    const names = missing.map(([key]) => key).join(", ");
    throw new UserError(`The response is missing ${names}. Does the URL point to the API itself?`);
  }
  const declaredFields = fields.flatMap(([key, field]) =>
    value[key] == null ? [] : [[key, toResult(field, value[key])]],
  );
  const userFields = catchallOf(inner) ? Object.entries(value).filter(([key]) => !Object.hasOwn(inner.shape, key)) : [];
  return Object.fromEntries([...declaredFields, ...userFields]);
}
