/**
 * Converts between the properties of a resource and the objects of an API, as the metadata of the fields say. The clients
 * rename the fields, and send those alone that the body of a request has. Pure.
 */
import type { z } from "zod";
import { metadataOf, type PropertyMap, valueAt } from "./schema";

/** Returns the outputs of a resource with the server's values; those that a response omits keep their values. */
export function toOutputs<S>(outputs: z.ZodType<S>, remote: object, previous: Partial<S> = {}): S {
  const shape = (outputs as unknown as z.ZodObject).shape as Record<string, z.ZodType>;
  const values = Object.entries(shape).map(([name, schema]) => {
    const { wireName = name, absentMeans } = metadataOf(schema);
    return [name, valueAt(remote, wireName) ?? (previous as PropertyMap)[name] ?? absentMeans];
  });
  return Object.fromEntries(values) as S;
}
