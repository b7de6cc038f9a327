/** The package schema and the definitions agree: generated SDKs must not refuse a program that the provider accepts. */
import fc from "fast-check";
import type { z } from "zod";
import { forAll } from "../../../emulator/test/support/for-all";
import type { ObjectSpec, PackageSpec, PropertySpec, TypeSpec } from "../../../plugin/schema/spec";
import schema from "../../../plugin/schema.json";
import { definitions } from "../../../provider/definitions";
import { isPropertyMap, type PropertyMap } from "../../../provider/schema/schema";
import { settingsSchema } from "../../../provider/settings/settings-schema";
import { arbitraryOf } from "../../support/arbitraries/from-schema";

const { resources, types, provider } = schema as unknown as PackageSpec;
const resourceOf = (kind: string) => resources[`agentgraph:index:${kind}`] as PackageSpec["resources"][string];

/** Returns the paths at which a value does not have its type in the package schema. */
function mismatches(type: TypeSpec, value: unknown, path: string): string[] {
  if (type.oneOf) return type.oneOf.some((one) => mismatches(one, value, path).length === 0) ? [] : [path];
  if (type.$ref === "pulumi.json#/Any") return [];
  if (type.$ref) {
    const named = types[type.$ref.replace("#/types/", "")];
    if (!named) return [`${path}: no type ${type.$ref}`];
    if ("enum" in named) return named.enum.some((one) => one.value === value) ? [] : [path];
    return objectMismatches(named, value, path);
  }
  if (type.items)
    return Array.isArray(value)
      ? value.flatMap((item, index) => mismatches(type.items as TypeSpec, item, `${path}[${index}]`))
      : [path];
  if (type.additionalProperties) {
    const of = type.additionalProperties;
    return isPropertyMap(value)
      ? Object.entries(value).flatMap(([key, part]) => mismatches(of, part, `${path}.${key}`))
      : [path];
  }
  if (type.type === "integer") return Number.isInteger(value) ? [] : [path];
  return typeof value === type.type ? [] : [path];
}

function objectMismatches({ properties, required = [] }: ObjectSpec, value: unknown, path: string): string[] {
  if (!isPropertyMap(value)) return [path];
  const missing = required.filter((key) => value[key] === undefined).map((key) => `${path}.${key} is required`);
  const wrong = Object.entries(value).flatMap(([key, part]) =>
    properties[key] ? mismatches(properties[key], part, `${path}.${key}`) : [`${path}.${key} does not exist`],
  );
  return [...missing, ...wrong];
}

const inputsOf = (kind: string): ObjectSpec => {
  const { inputProperties: properties, requiredInputs: required = [], properties: all } = resourceOf(kind);
  // What check computes may be in the inputs of a definition.
  const computed = Object.fromEntries(Object.entries(all).filter(([key]) => /^(source|verify)Digest$/.test(key)));
  return { properties: { ...properties, ...computed }, required };
};

const kinds = definitions.map((definition) => [definition.kind, definition] as const);

it.each(kinds)("Every input that the definition of %s accepts conforms to the package schema", (kind, { schema }) => {
  fc.assert(
    fc.property(arbitraryOf(schema.inputs), (value) => {
      expect(objectMismatches(inputsOf(kind), value, kind)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

it.each(kinds)("Whatever the package schema requires of %s, its definition requires", (kind, { schema }) => {
  fc.assert(
    fc.property(arbitraryOf(schema.inputs), (value) => {
      for (const incomplete of withoutRequired(inputsOf(kind), value as PropertyMap))
        expect(schema.inputs.safeParse(incomplete).success).toBe(false);
    }),
    { numRuns: 50 },
  );
});

/** Returns copies of a value that each lack one required property, at any depth. */
function withoutRequired({ properties, required = [] }: ObjectSpec, value: PropertyMap): PropertyMap[] {
  const without = required.map((key) => ({ ...value, [key]: undefined }));
  const deeper = Object.entries(value).flatMap(([key, part]) =>
    partsWithoutRequired(properties[key] as PropertySpec, part).map((incomplete) => ({ ...value, [key]: incomplete })),
  );
  return [...without, ...deeper];
}

function partsWithoutRequired({ $ref = "", items, additionalProperties }: TypeSpec, value: unknown): unknown[] {
  if (items && Array.isArray(value))
    return value.flatMap((item, index) => partsWithoutRequired(items, item).map((part) => value.with(index, part)));
  if (additionalProperties && isPropertyMap(value))
    return Object.entries(value).flatMap(([key, item]) =>
      partsWithoutRequired(additionalProperties, item).map((part) => ({ ...value, [key]: part })),
    );
  const named = types[$ref.replace("#/types/", "")];
  return named && "properties" in named && isPropertyMap(value) ? withoutRequired(named, value) : [];
}

it("Every argument that the settings accept conforms to the provider in the package schema", () => {
  const { inputProperties: properties, requiredInputs: required = [] } = provider;
  forAll(arbitraryOf(settingsSchema as z.ZodType), (value) => {
    expect(objectMismatches({ properties, required }, value, "Provider")).toEqual([]);
  });
});

it("A value of another type does not conform", () => {
  const { properties, required = [] } = inputsOf("Deployment");
  const conforms = (value: unknown) => objectMismatches({ properties, required }, value, "Deployment");
  expect(conforms({ source: "githost", waitFor: "later" })).toEqual(["Deployment.waitFor"]);
  expect(conforms({ source: "githost", secrets: { A: 1 } })).toEqual(["Deployment.secrets.A"]);
  expect(conforms({ sourceConfig: { resourceSpec: { minScale: 0.5 } }, other: 1 })).toEqual([
    "Deployment.source is required",
    "Deployment.sourceConfig.resourceSpec.minScale",
    "Deployment.other does not exist",
  ]);
});
