import { z } from "zod";
import { findSchemaViolation, toDeclaredType } from "../../../provider/api/shape";

const schema = z.object({
  key: z.string(),
  size: z.number().nullish(),
  words: z.array(z.string()).nullish(),
  parts: z.array(z.object({ name: z.string() })).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  source: z.enum(["a", "b"]).optional(),
  isOn: z.boolean().optional(),
});

it.each<[string, unknown]>([
  ["with all fields", { key: "x", size: 1, words: ["a"], parts: [{ name: "n" }], labels: { a: "b" }, source: "a" }],
  ["with absent and null fields", { key: "x", size: null, words: null }],
  ["with an unknown enum value", { key: "x", source: "c" }],
  ["with unknown fields", { key: "x", more: [{}] }],
  ["with an empty list in place of an empty map", { key: "x", labels: [] }],
])("findSchemaViolation accepts a response %s", (_what, value) => {
  expect(findSchemaViolation(schema, value)).toBeUndefined();
});

it.each<[unknown, string]>([
  [5, "the body is not an object"],
  [[], "the body is not an object"],
  [{ key: {} }, "key is not a string"],
  [{ key: 5 }, "key is not a string"],
  [{ key: "x", size: "1" }, "size is not a number"],
  [{ key: "x", size: Number.POSITIVE_INFINITY }, "size is not a number"],
  [{ key: "x", isOn: "yes" }, "isOn is not true or false"],
  [{ key: "x", words: 5 }, "words is not a list"],
  [{ key: "x", words: {} }, "words is not a list"],
  [{ key: "x", words: [["a"]] }, "words.0 is not a string"],
  [{ key: "x", parts: [{ name: "n" }, null] }, "parts.1 is null"],
  [{ key: "x", parts: ["n"] }, "parts.0 is not an object"],
  [{ key: "x", parts: [{ name: "n" }, {}] }, "parts.1.name is missing"],
  [{ key: "x", parts: [{ name: null }] }, "parts.0.name is missing"],
  [{ key: "x", labels: ["a"] }, "labels is not an object"],
  [{ key: "x", source: [] }, "source is not a string"],
])("findSchemaViolation reports what is wrong with %j", (value, problem) => {
  expect(findSchemaViolation(schema, value)).toBe(problem);
});

it.each<[string, z.ZodType, unknown, unknown]>([
  ["a number", z.string(), 7, "7"],
  ["a number", z.enum(["a"]), 7, "7"],
  ["a boolean", z.string(), true, "true"],
  ["the text of a number", z.number(), "0.5", 0.5],
  ["the text of a boolean", z.boolean(), "false", false],
])("toDeclaredType converts %s", (_what, declared, value, converted) => {
  expect(toDeclaredType(declared, value)).toBe(converted);
});

it.each<[z.ZodType, unknown]>([
  [z.string(), "7"],
  [z.string(), {}],
  [z.string(), 1.1],
  [z.string(), 2 ** 53],
  [z.number(), "500m"],
  [z.number(), ""],
  [z.number(), "007"],
  [z.boolean(), "yes"],
  [z.boolean(), 1],
  [z.unknown(), 7],
])("toDeclaredType with %o keeps %j", (declared, value) => {
  expect(toDeclaredType(declared, value)).toBe(value);
});
