import { z } from "zod";
import { findSchemaViolation } from "../../../provider/api/shape";

const schema = z.object({
  id: z.string(),
  size: z.number().nullish(),
  words: z.array(z.string()).nullish(),
  parts: z.array(z.object({ name: z.string() })).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  source: z.enum(["a", "b"]).optional(),
});

it.each<[string, unknown]>([
  ["with all fields", { id: "x", size: 1, words: ["a"], parts: [{ name: "n" }], labels: { a: "b" }, source: "a" }],
  ["with absent and null fields", { id: "x", size: null, words: null }],
  ["with an unknown enum value", { id: "x", source: "c" }],
  ["with a single value of another type than in the schema", { id: 5, size: "1" }],
  ["with unknown fields", { id: "x", more: [{}] }],
  ["with an empty list in place of an empty map", { id: "x", labels: [] }],
])("findSchemaViolation accepts a response %s", (_what, value) => {
  expect(findSchemaViolation(schema, value)).toBeUndefined();
});

it.each<[unknown, string]>([
  [5, "the body is not an object"],
  [[], "the body is not an object"],
  [{ id: {} }, "id is not a single value"],
  [{ id: "x", words: 5 }, "words is not a list"],
  [{ id: "x", words: {} }, "words is not a list"],
  [{ id: "x", words: [["a"]] }, "words.0 is not a single value"],
  [{ id: "x", parts: [{ name: "n" }, null] }, "parts.1 is null"],
  [{ id: "x", parts: ["n"] }, "parts.0 is not an object"],
  [{ id: "x", labels: ["a"] }, "labels is not an object"],
  [{ id: "x", source: [] }, "source is not a single value"],
])("findSchemaViolation reports what is wrong with %j", (value, problem) => {
  expect(findSchemaViolation(schema, value)).toBe(problem);
});
