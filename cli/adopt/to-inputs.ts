/** Selects the inputs that a definition declares from a response. */
import { z } from "zod";
import type { Definition } from "../../provider/definition/definition";
import { catchallOf, fieldMetadata, type PropertyMap, unwrap, variantFor } from "../../provider/schema/schema";
import { isBag } from "./types";

export function declarable(definition: Definition, told: PropertyMap): PropertyMap {
  const branch = variantFor(definition.schema, told);
  return (branch ? pick(branch, told) : told) as PropertyMap;
}

/** Keeps the fields that the schema declares and that have a value. Lists and free-form maps are kept whole, as they are compared. */
function pick(schema: z.ZodType, value: unknown, isWhole = false): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const items = value.map((item) => pick(inner.element as z.ZodType, item, true));
    return items.length === 0 && !isWhole ? undefined : items;
  }
  if (inner instanceof z.ZodRecord && isBag(value) && !isWhole) {
    const isFree = unwrap(inner.valueType as z.ZodType) instanceof z.ZodUnknown;
    return Object.keys(value).length === 0 && !isFree ? undefined : value;
  }
  if (!(inner instanceof z.ZodObject) || !isBag(value)) return value;
  const shape = inner.shape as Record<string, z.ZodType>;
  const entries = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    const field = Object.hasOwn(shape, key) ? shape[key] : catchallOf(inner);
    if (!field || part == null || fieldMetadata.get(unwrap(field))?.computed) return [];
    const kept = pick(field, part, isWhole);
    return kept === undefined ? [] : [[key, kept]];
  });
  return entries.length === 0 && !isWhole ? undefined : Object.fromEntries(entries);
}
