/** Field names and terms are mapped to those of the server and back; keys that belong to the user are unchanged. */
import fc from "fast-check";
import { z } from "zod";
import { forAll } from "../../../emulator/test/support/for-all";
import { CaseMapper, SchemaViolation } from "../../../provider/api/case-mapper";
import { resourceSpec } from "../../../provider/api/control-plane/resource-spec";
import { fieldMetadata } from "../../../provider/schema/schema";

const neutral = new CaseMapper({ githost: "githost", agentgraph: "agentgraph" });
const vendor = new CaseMapper({ githost: "gitplace", agentgraph: "vendorgraph" });

const pod = z
  .object({ mountPath: z.string(), readOnly: z.boolean().optional() })
  .register(fieldMetadata, { keepCase: true });
const schema = z.object({
  source: z.enum(["githost", "external_docker"]).optional(),
  kind: z.literal("githost").optional(),
  filter: z.string().register(fieldMetadata, { vocabularyTerm: true }).optional(),
  name: z.string().optional(),
  agentgraphConfigPath: z.string().nullish(),
  spec: z.object({ memoryMb: z.number().optional(), labels: z.record(z.string(), z.string()).optional() }).optional(),
  mounts: z.array(pod).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
});

const key = fc.oneof(
  fc.constantFrom("app.kubernetes.io/name", "camelCase", "UPPER", "snake_case", "agentgraph_x", "githost", "a b"),
  fc.string({ minLength: 1 }),
  fc.constantFrom("__proto__", "constructor", "toString"),
);
const anything = fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true, maxKeys: 4 });
const definition = fc.record(
  {
    source: fc.constantFrom("githost", "external_docker"),
    kind: fc.constant("githost"),
    filter: fc.constantFrom("githost", "other"),
    name: fc.oneof(fc.constantFrom("githost", "agentgraph"), fc.string()),
    agentgraphConfigPath: fc.option(fc.string()),
    spec: fc.record(
      { memoryMb: fc.nat(), labels: fc.dictionary(key, fc.string(), { noNullPrototype: true }) },
      { requiredKeys: [], noNullPrototype: true },
    ),
    mounts: fc.array(fc.record({ mountPath: fc.string(), readOnly: fc.boolean() }, { noNullPrototype: true }), {
      maxLength: 3,
    }),
    free: anything,
  },
  { requiredKeys: [], noNullPrototype: true },
);

describe.each([
  ["neutral", neutral],
  ["vendor-specific", vendor],
])("A CaseMapper with the %s vocabulary", (_what, caseMapper) => {
  it("decodes what it encoded", () => {
    forAll(definition, (value) => expect(caseMapper.decode(schema, caseMapper.encode(schema, value))).toEqual(value));
  });

  // @covers 2A.Volume:untouched
  it("leaves keys and values that belong to the user unchanged", () => {
    forAll(definition, (value) => {
      const sent = caseMapper.encode(schema, value) as { spec?: { labels?: unknown }; free?: unknown; name?: unknown };
      expect([sent.spec?.labels, sent.free, sent.name]).toEqual([value.spec?.labels, value.free, value.name]);
    });
  });
});

it("CaseMapper encodes field names in snake case, except those of Kubernetes objects", () => {
  const value = { spec: { memoryMb: 128 }, mounts: [{ mountPath: "/data", readOnly: true }] };
  expect(neutral.encode(schema, value)).toEqual({
    spec: { memory_mb: 128 },
    mounts: [{ mountPath: "/data", readOnly: true }],
  });
});

it("CaseMapper encodes declared fields of an open object in snake case and leaves other keys unchanged", () => {
  const open = z.looseObject({ memoryMb: z.number().optional() });
  const value = { memoryMb: 1, ownKey: { inner_Key: "githost" } };
  expect(vendor.encode(open, value)).toEqual({ memory_mb: 1, ownKey: { inner_Key: "githost" } });
  expect(vendor.decode(open, vendor.encode(open, value))).toEqual(value);
});

it("CaseMapper prefers a declared field of an open object over a user key with the same spelling", () => {
  const open = z.looseObject({ threadId: z.string().optional() });
  expect(neutral.decode(open, { thread_id: "t", threadId: "mine", more: 1 })).toEqual({ threadId: "t", more: 1 });
  expect(neutral.decode(open, { threadId: "mine" })).toEqual({ threadId: "mine" });
});

// @covers 0:vocabulary, 10.terms
it("CaseMapper maps terms of the interface to the vocabulary and back, and nothing else", () => {
  const declared = {
    source: "githost",
    kind: "githost",
    filter: "githost",
    name: "githost",
    agentgraphConfigPath: "a.json",
  };
  const theirs = {
    source: "gitplace",
    kind: "gitplace",
    filter: "gitplace",
    name: "githost",
    vendorgraph_config_path: "a.json",
  };
  expect(vendor.encode(schema, declared)).toEqual(theirs);
  expect(vendor.decode(schema, theirs)).toEqual(declared);
  expect(neutral.encode(schema, { source: "githost" })).toEqual({ source: "githost" });
});

// @covers 9.item 1
it("CaseMapper maps the path of the integrations to the vocabulary", () => {
  expect(vendor.path("/v1/integrations/githost/install")).toBe("/v1/integrations/gitplace/install");
});

it("CaseMapper omits undefined and keeps null", () => {
  expect(neutral.encode(schema, { name: undefined, agentgraphConfigPath: null })).toEqual({
    agentgraph_config_path: null,
  });
});

// @covers 4A:payloads, 9.item 4, 2.unknown-fields
it("CaseMapper decodes the known parts of a response with unknown fields and enum values", () => {
  const response = { source: "of_the_future", new_field: 1, spec: { cpu: { of: "the future" }, labels: {} }, name: 7 };
  expect(neutral.decode(schema, response)).toEqual({ source: "of_the_future", spec: { labels: {} }, name: "7" });
  expect(neutral.decode(schema, null)).toBeNull();
});

const typed = z.object({
  key: z.string(),
  size: z.number().nullish(),
  words: z.array(z.string()).nullish(),
  parts: z.array(z.object({ name: z.string() })).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  source: z.enum(["a", "b"]).optional(),
  isOn: z.boolean().optional(),
  anything: z.unknown(),
});

it.each<[string, unknown]>([
  ["with all fields", { key: "x", size: 1, words: ["a"], parts: [{ name: "n" }], labels: { a: "b" }, source: "a" }],
  ["with absent and null fields", { key: "x", size: null, words: null }],
  ["with an unknown enum value", { key: "x", source: "c" }],
])("CaseMapper accepts a response %s", (_what, value) => {
  expect(neutral.decode(typed, value)).toEqual(value);
});

it("CaseMapper decodes an empty list in place of an empty map as a map", () => {
  expect(neutral.decode(typed, { key: "x", labels: [] })).toEqual({ key: "x", labels: {} });
});

it.each<[unknown, string]>([
  [5, "the body is not an object"],
  [[], "the body is not an object"],
  [{ key: {} }, "key is not a string"],
  [{ key: 1.1 }, "key is not a string"],
  [{ key: 2 ** 53 }, "key is not a string"],
  [{ key: "x", size: "500m" }, "size is not a number"],
  [{ key: "x", size: "" }, "size is not a number"],
  [{ key: "x", size: "007" }, "size is not a number"],
  [{ key: "x", size: true }, "size is not a number"],
  [{ key: "x", size: Number.POSITIVE_INFINITY }, "size is not a number"],
  [{ key: "x", is_on: "yes" }, "isOn is not true or false"],
  [{ key: "x", is_on: 1 }, "isOn is not true or false"],
  [{ key: "x", words: 5 }, "words is not a list"],
  [{ key: "x", words: {} }, "words is not a list"],
  [{ key: "x", words: [["a"]] }, "words.0 is not a string"],
  [{ key: "x", parts: [{ name: "n" }, null] }, "parts.1 is null"],
  [{ key: "x", parts: ["n"] }, "parts.0 is not an object"],
  [{ key: "x", parts: [{ name: "n" }, {}] }, "parts.1.name is missing"],
  [{ key: "x", parts: [{ name: null }] }, "parts.0.name is missing"],
  [{ key: "x", labels: ["a"] }, "labels is not an object"],
  [{ key: "x", labels: { a: {} } }, "labels.a is not a string"],
  [{ key: "x", source: [] }, "source is not a string"],
])("CaseMapper reports what is wrong with %j", (value, problem) => {
  expect(() => neutral.decode(typed, value)).toThrow(new SchemaViolation(problem));
});

it("CaseMapper names a field of a response as programs do, with its path", () => {
  const response = { spec: { memory_mb: "much" } };
  expect(() => vendor.decode(schema, response)).toThrow(new SchemaViolation("spec.memoryMb is not a number"));
});

it.each<[string, unknown, unknown]>([
  ["a number", { key: 7, source: 7 }, { key: "7", source: "7" }],
  ["a boolean", { key: true }, { key: "true" }],
  ["the text of a number", { size: "0.5" }, { size: 0.5 }],
  ["the text of a boolean", { is_on: "false" }, { isOn: false }],
])("CaseMapper converts %s to the declared type", (_what, value, converted) => {
  expect(neutral.decode(typed, value)).toEqual(converted);
});

it("CaseMapper encodes fields of a resource spec with the names of the interface", () => {
  const inAnyNotation = (name: string) => Object.keys(neutral.encode(resourceSpec, { [name]: 1 }) as object)[0];
  expect(["minScale", "cpuLimit", "queueMemoryLimitMb", "coreCpu"].map(inAnyNotation)).toEqual([
    ...["min_scale", "cpu_limit", "queue_memory_limit_mb", "core_cpu"],
  ]);
});
