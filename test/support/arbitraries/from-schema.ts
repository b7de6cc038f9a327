/** Random values of a zod schema. A text that must match a rule is one of the examples; add one where none does. */
import fc from "fast-check";
import { z } from "zod";
import { catchallOf } from "../../../provider/schema/schema";

const TEXTS = [
  ...["agent", "a b", "A_1", "", "-1", "15m"],
  ...["22222222-2222-4222-8222-222222222222", "https://agents.example.com/base", "2026-01-31T00:00:00Z"],
];
const object = { noNullPrototype: true } as const;

export function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional) return arbitraryOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodUnion) return fc.oneof(...(schema.options as z.ZodType[]).map(arbitraryOf));
  if (schema instanceof z.ZodObject) return objectOf(schema);
  return valueOfType(schema).filter((value) => schema.safeParse(value).success);
}

/** Returns values of the right type, which may violate a rule. */
function valueOfType(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodRecord) {
    return fc.dictionary(keyOf(schema.keyType as z.ZodType), arbitraryOf(schema.valueType as z.ZodType), {
      maxKeys: 2,
      ...object,
    });
  }
  if (schema instanceof z.ZodArray) return fc.array(arbitraryOf(schema.element as z.ZodType), { maxLength: 2 });
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constant(schema.value);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return fc.constantFrom(0.1, 0.5, 1, 2.5, 24, 128, 1024);
  if (schema instanceof z.ZodUnknown) return fc.jsonValue();
  return fc.oneof(fc.constantFrom(...TEXTS), fc.string());
}

const keyOf = (schema: z.ZodType) =>
  arbitraryOf(schema)
    .map(String)
    .filter((key) => key !== "__proto__");

function objectOf(schema: z.ZodObject): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  const required = fields.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([key]) => key);
  const declared = fc.record(Object.fromEntries(fields.map(([key, field]) => [key, arbitraryOf(field)])), {
    requiredKeys: required as never[],
    ...object,
  });
  if (!catchallOf(schema)) return declared;
  const others = fc.dictionary(keyOf(z.string()), fc.jsonValue(), { maxKeys: 2, ...object });
  return fc.tuple(others, declared).map(([more, inputs]) => ({ ...more, ...(inputs as object) }));
}
