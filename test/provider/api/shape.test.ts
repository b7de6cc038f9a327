import { z } from "zod";
import { findSchemaViolation } from "../../../provider/api/shape";

const schema = z.object({
  key: z.string(),
  size: z.number().nullish(),
  words: z.array(z.string()).nullish(),
  parts: z.array(z.object({ name: z.string() })).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  source: z.enum(["a", "b"]).optional(),
});

it.each<[string, unknown]>([
  ["with all fields", { key: "x", size: 1, words: ["a"], parts: [{ name: "n" }], labels: { a: "b" }, source: "a" }],
  ["with absent and null fields", { key: "x", size: null, words: null }],
  ["with an unknown enum value", { key: "x", source: "c" }],
  ["with a single value of another type than in the schema", { key: 5, size: "1" }],
  ["with unknown fields", { key: "x", more: [{}] }],
  ["with an empty list in place of an empty map", { key: "x", labels: [] }],
])("findSchemaViolation accepts a response %s", (_what, value) => {
  expect(findSchemaViolation(schema, value)).toBeUndefined();
});

it.each<[unknown, string]>([
  [5, "the body is not an object"],
  [[], "the body is not an object"],
  [{ key: {} }, "key is not a single value"],
  [{ key: "x", words: 5 }, "words is not a list"],
  [{ key: "x", words: {} }, "words is not a list"],
  [{ key: "x", words: [["a"]] }, "words.0 is not a single value"],
  [{ key: "x", parts: [{ name: "n" }, null] }, "parts.1 is null"],
  [{ key: "x", parts: ["n"] }, "parts.0 is not an object"],
  [{ key: "x", labels: ["a"] }, "labels is not an object"],
  [{ key: "x", source: [] }, "source is not a single value"],
])("findSchemaViolation reports what is wrong with %j", (value, problem) => {
  expect(findSchemaViolation(schema, value)).toBe(problem);
});
