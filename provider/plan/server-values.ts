/**
 * Differences that only the server made, in inputs whose change replaces the object: a platform moves a deployment to
 * another tier, or someone moves its repository. State keeps the last applied value and records that of the server
 * beside it, so that nothing is replaced unless the program changes. Pure.
 */
import type { z } from "zod";
import { type Definition, purposeOf, type ServerProfile } from "../definition/definition";
import type { CheckFailure } from "../definition/rules";
import { isEqual } from "../schema/compare";
import { getOwn, isObjectOrArray, type PropertyMap, schemaAt, splitPath, valueAt, variantFor } from "../schema/schema";
import { diffInputs, fixedPaths } from "./diff";
import { HIDDEN, isSecret } from "./property-values";

/** By path, what the server holds in place of the last applied value: null for nothing, and no secret. */
export type ServerValues = Readonly<Record<string, unknown>>;

export interface KeptInputs {
  inputs: PropertyMap;
  /** Absent when nothing differs. */
  serverValues?: ServerValues | undefined;
}

/** Returns what a read found, with the last applied values where only a replacement could change the server's. */
export function keepApplied(
  definition: Definition,
  applied: PropertyMap,
  remote: PropertyMap,
  { profile = {}, secretInputs = [] }: { profile?: ServerProfile; secretInputs?: readonly string[] | undefined } = {},
): KeptInputs {
  const { paths } = diffInputs(definition, applied, remote);
  const differing = fixedPaths(definition, paths, profile);
  if (differing.length === 0) return { inputs: remote };
  let inputs = remote;
  const serverValues: Record<string, unknown> = {};
  for (const path of differing) {
    const keys = splitPath(path, applied, remote);
    serverValues[path] = isSecret(definition, path, applied, secretInputs) ? HIDDEN : (valueAt(remote, keys) ?? null);
    inputs = withValue(inputs, keys, valueAt(applied, keys)) as PropertyMap;
  }
  return { inputs, serverValues };
}

/** Returns the properties with the values of the server at those paths at which the program declares exactly these. */
export function withAccepted(
  definition: Definition,
  before: PropertyMap,
  after: PropertyMap,
  serverValues: ServerValues,
): PropertyMap {
  const schema = variantFor(definition.schema, before);
  return Object.entries(serverValues).reduce((properties, [path, value]) => {
    const keys = splitPath(path, before, after);
    const declared = valueAt(after, keys);
    return isSame(schema, keys, declared, value) ? (withValue(properties, keys, declared) as PropertyMap) : properties;
  }, before);
}

/** Returns the paths at which the program now declares what the server holds. */
export function acceptedPaths(
  definition: Definition,
  before: PropertyMap,
  after: PropertyMap,
  serverValues: ServerValues,
): string[] {
  const remaining = new Set(diffInputs(definition, withAccepted(definition, before, after, serverValues), after).paths);
  return Object.keys(serverValues).filter((path) => !remaining.has(path));
}

/** Returns the values that still differ from the inputs; undefined when none do. */
export function remainingValues(
  definition: Definition,
  inputs: PropertyMap,
  serverValues: ServerValues,
): ServerValues | undefined {
  const schema = variantFor(definition.schema, inputs);
  const entries = Object.entries(serverValues).filter(([path, value]) => {
    const keys = splitPath(path, inputs);
    return !isSame(schema, keys, valueAt(inputs, keys), value);
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const isSame = (schema: z.ZodType | undefined, keys: readonly string[], declared: unknown, value: unknown): boolean =>
  isEqual(schema && schemaAt(schema, keys), declared, value);

export function describeServerValues(
  definition: Definition,
  applied: PropertyMap,
  serverValues: ServerValues,
  urn: string,
): CheckFailure[] {
  return Object.entries(serverValues).map(([path, value]) => {
    const own = valueAt(applied, splitPath(path, applied));
    const values = value === HIDDEN ? "has another value" : `has ${format(value)} instead of ${format(own)}`;
    return {
      path,
      reason:
        `the server ${values}, which no \`pulumi up\` of this stack changed, so nothing is planned. To keep ` +
        `what the server has, declare it. ${replaceHint(definition, urn)}`,
    };
  });
}

/** Describes a change that the server was found to be unable to make, and what to do about it. */
export const describeUnsupported = (definition: Definition, path: string, urn: string): CheckFailure => ({
  path,
  reason:
    "the update fails, and changes nothing, unless the server has changed since: an earlier `pulumi up` found " +
    `that it cannot ${purposeOf(definition)}. ${replaceHint(definition, urn)}`,
});

/** Returns how to make a change that no update makes. */
export function replaceHint({ kind, impact: { loses } }: Definition, urn: string): string {
  const loss = loses === null ? "" : `, which loses ${loses}`;
  return `To replace the ${kind} on purpose${loss}, run:  pulumi up --replace '${urn}'`;
}

const format = (value: unknown) => (value == null ? "no value" : JSON.stringify(value));

function withValue(properties: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = isObjectOrArray(properties) ? properties : {};
  const others = Object.entries(object).filter(([name]) => name !== key);
  return Object.fromEntries([...others, [key, withValue(getOwn(object, key), rest, value)]]);
}
