/** Semantic comparison: what counts as a difference, and how a read merges the server's response. */
import fc from "fast-check";
import { z } from "zod";
import { forAll } from "../../../emulator/test/support/for-all";
import { diffPaths, isEqual } from "../../../provider/schema/compare";
import { mergeRemote } from "../../../provider/schema/mapping";
import { fieldMetadata, variantFor } from "../../../provider/schema/schema";
import { partiallyUnknownInputs, setAt, validInputs } from "../../support/arbitraries/deployment-inputs";
import { definitionOf } from "../plan/plans";

const schema = z.strictObject({
  name: z.string(),
  spec: z
    .strictObject({
      cpu: z.number().register(fieldMetadata, { compare: "cpu" }).optional(),
      memoryMb: z.int().optional(),
      labels: z.record(z.string(), z.string()).optional(),
      mounts: z.array(z.strictObject({ cpu: z.number().register(fieldMetadata, { compare: "cpu" }) })).optional(),
    })
    .optional(),
  secrets: z.record(z.string(), z.string()).optional(),
  since: z.string().register(fieldMetadata, { compare: "instant" }).optional(),
  fields: z.array(z.string()).register(fieldMetadata, { compare: "set" }).optional(),
  variable: z.string().register(fieldMetadata, { absentMeans: "" }).optional(),
  everything: z.boolean().register(fieldMetadata, { absentMeans: false }).optional(),
});
const base = { name: "a", spec: { cpu: 1, memoryMb: 128, labels: { "a.b": "c" } }, secrets: { A: "1", B: "2" } };

describe("A difference", () => {
  it.each([
    ["a field", { ...base, name: "b" }, ["name"]],
    ["a field below", { ...base, spec: { ...base.spec, memoryMb: 256 } }, ["spec.memoryMb"]],
    ["a field that is gone", { ...base, spec: { cpu: 1, labels: { "a.b": "c" } } }, ["spec.memoryMb"]],
    ["a whole object is gone", { name: "a", secrets: base.secrets }, ["spec.cpu", "spec.memoryMb", "spec.labels.a.b"]],
    ["one key of a map", { ...base, secrets: { A: "1", B: "3" } }, ["secrets.B"]],
    ["a key that is new", { ...base, secrets: { A: "1", B: "2", C: "" } }, ["secrets.C"]],
    ["a key that is gone", { ...base, secrets: { A: "1" } }, ["secrets.B"]],
    ["a CPU by its first decimal", { ...base, spec: { ...base.spec, cpu: 1.1 } }, ["spec.cpu"]],
    ["an unknown in place of an object", { ...base, spec: "unknown" }, ["spec"]],
  ])("names %s", (_what, changed, paths) => {
    expect(diffPaths(schema, base, changed)).toEqual(paths);
    expect(diffPaths(schema, changed, base).toSorted()).toEqual(paths.toSorted());
  });

  it.each([
    ["CPU within a decimal", { ...base, spec: { ...base.spec, cpu: 1.04 } }],
    ["CPU that a server rounds half up", { ...base, spec: { ...base.spec, cpu: 1.05 } }],
    ["CPU that a server rounds half to even", { ...base, spec: { ...base.spec, cpu: 0.95 } }],
    ["the order of a map", { ...base, secrets: { B: "2", A: "1" } }],
    ["a field that the schema does not know", { ...base, extra: 1 }],
    ["null in place of nothing", { ...base, spec: { ...base.spec, mounts: null } }],
  ])("does not include %s", (_what, changed) => {
    expect(diffPaths(schema, base, changed)).toEqual([]);
  });

  it("of a list is one path, and its order matters", () => {
    const of = (...cpus: number[]) => ({ name: "a", spec: { mounts: cpus.map((cpu) => ({ cpu })) } });
    expect(diffPaths(schema, of(1, 2), of(2, 1))).toEqual(["spec.mounts"]);
    expect(diffPaths(schema, of(1, 2), of(1))).toEqual(["spec.mounts"]);
    expect(diffPaths(schema, of(1), of(1.01))).toEqual([]);
    expect(isEqual(undefined, [0], [-0])).toBe(true); // JSON has no -0.
  });
});

it("An empty text is equivalent to an absent one where a server fills it in", () => {
  expect(diffPaths(schema, base, { ...base, variable: "" })).toEqual([]);
  expect(diffPaths(schema, { ...base, variable: null }, base)).toEqual([]);
  expect(diffPaths(schema, base, { ...base, variable: "a" })).toEqual(["variable"]);
});

describe("For arbitrary inputs of a deployment", () => {
  const inputs = variantFor(definitionOf("Deployment").schema, { source: "external_docker" });
  if (!inputs) throw new Error("there is no such source");

  it("a value does not differ from itself", () => {
    forAll(validInputs, (properties) => expect(diffPaths(inputs, properties, structuredClone(properties))).toEqual([]));
  });

  it("differences are symmetric", () => {
    const properties = fc.oneof(
      validInputs,
      partiallyUnknownInputs.map((one) => one.inputs),
    );
    forAll(properties, properties, (left, right) => {
      expect(diffPaths(inputs, left, right).toSorted()).toEqual(diffPaths(inputs, right, left).toSorted());
    });
  });

  it("values are equivalent exactly when they have no differences", () => {
    forAll(validInputs, validInputs, (left, right) => {
      const empty = (properties: unknown) => JSON.stringify(properties).includes("{}");
      fc.pre(!empty(left) && !empty(right));
      expect(isEqual(inputs, left, right)).toBe(diffPaths(inputs, left, right).length === 0);
    });
  });

  it("an unknown is a difference at its path or below, and nowhere else", () => {
    forAll(partiallyUnknownInputs, ({ inputs: properties, knownInputs, path }) => {
      // A list differs as a whole.
      const [at = ""] = path.join(".").split(/\.\d+(?:\.|$)/);
      const found = diffPaths(inputs, knownInputs, properties);
      expect(found).not.toEqual([]);
      expect(found.filter((one) => one !== at && !one.startsWith(`${at}.`))).toEqual([]);
    });
  });

  it("merging equal remote values returns the declared ones", () => {
    forAll(validInputs, (properties) =>
      expect(mergeRemote(inputs, properties, structuredClone(properties))).toEqual(properties),
    );
  });

  it("merged values do not differ from the remote values that were returned", () => {
    forAll(validInputs, validInputs, (declared, server) => {
      const merged = mergeRemote(inputs, declared, server);
      expect(mergeRemote(inputs, merged, server)).toEqual(merged);
    });
  });
});

describe("A merged read", () => {
  it("contains the remote value when it differs", () => {
    const server = { name: "b", spec: { cpu: 2, memoryMb: 128, labels: { x: "y" } } };
    expect(mergeRemote(schema, base, server)).toEqual({ ...server, secrets: base.secrets });
  });

  it("keeps the declared form of equivalent values", () => {
    expect(mergeRemote(schema, { name: "a", spec: { cpu: 0.25 } }, { name: "a", spec: { cpu: 0.3 } })).toEqual({
      name: "a",
      spec: { cpu: 0.25 },
    });
  });

  it("omits undeclared server defaults", () => {
    expect(mergeRemote(schema, { name: "a", spec: {} }, base)).toEqual({ name: "a", spec: {} });
    expect(mergeRemote(schema, { name: "a" }, base)).toEqual({ name: "a" });
  });

  it("keeps what the server does not return, and drops what it returns as null", () => {
    expect(mergeRemote(schema, base, { name: "a" })).toEqual(base);
    expect(mergeRemote(schema, { name: "a", spec: { cpu: 1, memoryMb: 128 } }, { spec: { cpu: null } })).toEqual({
      name: "a",
      spec: { memoryMb: 128 },
    });
  });
});

it("Two unknowns at the same path do not differ", () => {
  const unknown = setAt(base, ["spec"], "unknown");
  expect(diffPaths(schema, unknown, structuredClone(unknown))).toEqual([]);
});

const open = z.looseObject({ a: z.string().optional() });

it("Keys that every object inherits are a difference only when they are declared", () => {
  for (const key of ["toString", "constructor", "valueOf"]) {
    expect(diffPaths(open, {}, { [key]: [] })).toEqual([key]);
    expect(diffPaths(z.record(z.string(), z.string()), { [key]: "x" }, {})).toEqual([key]);
    expect(isEqual(open, { [key]: 1 }, { [key]: 1 })).toBe(true);
  }
});
