/** Validates inputs that may contain unknowns, and runs the rules whose paths are known. Pure. */
import type { z } from "zod";
import { type CheckFailure, type Definition, type RuleSettings, secretsOf } from "../definition/definition";
import {
  childOf,
  deprecationOf,
  fieldsAt,
  getOwn,
  isObjectOrArray,
  isSameBranch,
  type PropertyMap,
  someAncestor,
  valueAt,
  variantFor,
  variantsOf,
} from "../schema/schema";
import { UNKNOWN_SECRET } from "../schema/unknown-secrets";
import { closestMatch } from "../text/did-you-mean";
import { formatIssue, printed } from "../text/issue-message";
import { isSecret } from "./secrets";

export interface CheckResult {
  failures: CheckFailure[];
  warnings: CheckFailure[];
}

/** Validates the declared inputs; anything under an unknown value is skipped. */
export function validate(
  definition: Definition,
  inputs: PropertyMap,
  previous: PropertyMap,
  isUnknown: (value: unknown) => boolean,
  settings: RuleSettings,
): CheckResult {
  const variant = variantFor(definition.schema, inputs);
  if (!variant) return { failures: [unknownVariant(definition, inputs, isUnknown)], warnings: [] };
  const parsed = variant.safeParse(inputs);
  const dropped = findUntransferable(inputs, []);
  const invalid = (parsed.error?.issues ?? []).flatMap((issue) =>
    failuresOf(issue, variant, inputs, isUnknown, definition),
  );
  const failures = [...dropped, ...invalid.filter(({ path }) => dropped.every((failure) => failure.path !== path))];
  const warnings = [...placeholders(definition, inputs), ...deprecations(variant, inputs, [])];
  for (const rule of definition.rules) {
    if (rule.paths.some((path) => isUnknownAt(inputs, path, isUnknown))) continue;
    // Rules rely on the types of their inputs, so they are skipped where the schema has already failed.
    if (failures.some((failure) => rule.paths.some((path) => isSameBranch(failure.path, path)))) continue;
    const ruleFailures = [rule.check(inputs, previous, settings) ?? []].flat();
    (rule.severity === "warning" ? warnings : failures).push(...ruleFailures);
  }
  return { failures, warnings };
}

/** Warns of the placeholders that an import of write-only inputs leaves in a generated program. */
function placeholders(definition: Definition, inputs: PropertyMap): CheckFailure[] {
  const paths = secretsOf(definition, inputs).filter((path) => valueAt(inputs, path) === UNKNOWN_SECRET);
  return paths.map((path) => ({
    path,
    reason:
      "is a placeholder, because the server does not return the value. Declare the value, and `pulumi up` sends it.",
  }));
}

/** Warns of each declared input that is deprecated. */
function deprecations(schema: z.ZodType, value: unknown, path: readonly string[]): CheckFailure[] {
  if (!isObjectOrArray(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const field = childOf(schema, key);
    if (!field || part === undefined) return [];
    const keys = [...path, key];
    const message = deprecationOf(field);
    const own = message === undefined ? [] : [{ path: keys.join("."), reason: `is deprecated. ${message}` }];
    return [...own, ...deprecations(field, part, keys)];
  });
}

const INVALID_TEXT = "is not a valid Unicode text: it contains half of a character. Correct the text.";

/** Returns the parts of a value that Pulumi does not transfer, so that they would not reach the server as declared. */
function findUntransferable(value: unknown, path: readonly string[]): CheckFailure[] {
  const fail = (reason: string) => [{ path: path.map((key) => key.toWellFormed()).join("."), reason }];
  if (path.at(-1) === "__proto__") return fail("is not supported, because Pulumi drops keys of this name.");
  if (path.at(-1)?.isWellFormed() === false) return fail(INVALID_TEXT);
  if (typeof value === "string" && !value.isWellFormed()) return fail(INVALID_TEXT);
  if (!isObjectOrArray(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => findUntransferable(part, [...path, key]));
}

/** Whether the value at a path, an ancestor or a part of it is unknown. */
function isUnknownAt(inputs: PropertyMap, path: string, isUnknown: (value: unknown) => boolean): boolean {
  return (
    isUnknown(valueAt(inputs, path)) ||
    someAncestor(inputs, path, (value) => typeof value === "string" && isUnknown(value))
  );
}

function unknownVariant(
  definition: Definition,
  inputs: PropertyMap,
  isUnknown: (value: unknown) => boolean,
): CheckFailure {
  const { inputs: schema, discriminator: key = "" } = definition.schema;
  const values = variantsOf(schema, key).map((variant) => `"${(variant.shape[key] as z.ZodLiteral).value}"`);
  const value = inputs[key];
  const problem = isUnknown(value)
    ? "is not known yet"
    : value === undefined
      ? "is missing"
      : isSecret(definition, key, inputs)
        ? "is not a known value"
        : `is ${printed(value)}`;
  return {
    path: key,
    reason: `${problem}; write one of ${values.join(", ")}, as a plain text.`,
  };
}

function failuresOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  inputs: PropertyMap,
  isUnknown: (value: unknown) => boolean,
  definition: Definition,
): CheckFailure[] {
  if (someAncestor(inputs, issue.path, (value) => typeof value === "string" && isUnknown(value))) return [];
  // An empty key is reported at the map.
  const keys = issue.path.at(-1) === "" ? issue.path.slice(0, -1) : issue.path;
  const path = keys.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const fields = fieldsAt(schema, issue.path);
    const reason = (key: string) =>
      (path === "" && getOwn(definition.schema.foreignFields ?? {}, key)) || unknownField(key, fields);
    return issue.keys.map((key) => ({ path: path === "" ? key : `${path}.${key}`, reason: reason(key) }));
  }
  const value = valueAt(inputs, issue.path);
  return [{ path, reason: formatIssue(issue, value, isSecret(definition, path, inputs)) }];
}

function unknownField(key: string, fields: string[]): string {
  const suggestion = closestMatch(key, fields);
  return `is not a known field${suggestion ? `; did you mean "${suggestion}"?` : `; expected one of ${fields.join(", ")}.`}`;
}
