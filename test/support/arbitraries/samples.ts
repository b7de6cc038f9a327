/** Values of a zod schema that together contain each of its fields with each of its types and words. */
import { z } from "zod";
import { KNOWN_VALUES } from "../../../provider/api/known-values";
import { catchallOf, fieldMetadata } from "../../../provider/schema/schema";

/** In place of any text: also the ID of something. */
const TEXT = "22222222-2222-4222-8222-222222222222";
/** What users store under keys of their own. */
const ANYTHING = { text: "a", integer: 1, fraction: 0.5, flag: true, nothing: null, list: [1], empty: [], object: {} };

/** @param known The schemas of fields that this schema does not describe. */
export function samplesOf(schema: z.ZodType, known: Readonly<Record<string, z.ZodType>> = {}): unknown[] {
  if (schema instanceof z.ZodOptional) return samplesOf(schema.unwrap() as z.ZodType, known);
  if (schema instanceof z.ZodNullable) return [...samplesOf(schema.unwrap() as z.ZodType, known), null];
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap((option) => samplesOf(option));
  if (schema instanceof z.ZodObject) return objectsOf(schema, known);
  if (schema instanceof z.ZodArray) return samplesOf(schema.element as z.ZodType).map((item) => [item]);
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodBoolean) return [true, false];
  if (schema instanceof z.ZodNumber) return schema.isInt ? [1] : [1, 0.5];
  if (schema instanceof z.ZodRecord) return [ANYTHING, {}];
  // The content of messages, such as the input of a run.
  if (schema instanceof z.ZodUnknown) return [{}, [{}]];
  const { knownValues } = fieldMetadata.get(schema) ?? {};
  return knownValues === undefined ? [TEXT] : [...KNOWN_VALUES[knownValues as keyof typeof KNOWN_VALUES]];
}

function objectsOf(schema: z.ZodObject, known: Readonly<Record<string, z.ZodType>>): unknown[] {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([key, field]) => {
    const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
    const isVague = inner instanceof z.ZodUnknown || (inner instanceof z.ZodString && !fieldMetadata.get(inner));
    return [key, samplesOf((isVague && known[key]) || field)] as const;
  });
  const count = Math.max(1, ...fields.map(([, samples]) => samples.length));
  const others = catchallOf(schema) ? { other: { kept: true } } : {};
  return Array.from({ length: count }, (_, index) => ({
    ...others,
    ...Object.fromEntries(fields.map(([key, samples]) => [key, samples[index % samples.length]])),
  }));
}
