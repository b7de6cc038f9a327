/** Selects the inputs that a definition declares from a response. Pure. */
import { z } from "zod";
import type { Definition } from "../definition/definition";
import { catchallOf, isPropertyMap, metadataOf, type PropertyMap, unwrap, variantFor } from "../schema/schema";

export function toDeclaredInputs(definition: Definition, remote: PropertyMap): PropertyMap {
  const variant = variantFor(definition.schema, remote);
  return (variant ? pickDeclared(variant, remote) : remote) as PropertyMap;
}

/** Keeps declared fields that have a value. Lists and free-form maps are kept whole, as they are compared. */
function pickDeclared(schema: z.ZodType, value: unknown, isWhole = false): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const items = value.map((item) => pickDeclared(inner.element as z.ZodType, item, true));
    return items.length === 0 && !isWhole ? undefined : items;
  }
  if (inner instanceof z.ZodRecord && isPropertyMap(value) && !isWhole) {
    const isFree = unwrap(inner.valueType as z.ZodType) instanceof z.ZodUnknown;
    return Object.keys(value).length === 0 && !isFree ? undefined : value;
  }
  if (!(inner instanceof z.ZodObject) || !isPropertyMap(value)) return value;
  const shape = inner.shape as Record<string, z.ZodType>;
  const entries = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    const field = Object.hasOwn(shape, key) ? shape[key] : catchallOf(inner);
    if (!field || part == null || metadataOf(field).computed) return [];
    const picked = pickDeclared(field, part, isWhole);
    return picked === undefined ? [] : [[key, picked]];
  });
  return entries.length === 0 && !isWhole ? undefined : Object.fromEntries(entries);
}
