/** check: parses inputs that may hold unknowns, runs the rules whose paths are known, words the failures. Pure. */
import type { z } from "zod";
import { type CheckFailure, type Definition, type RuleSettings, secretsOf } from "../definition/definition";
import {
  fieldsAt,
  getOwn,
  matchesPath,
  type PropertyMap,
  someAncestor,
  valueAt,
  variantFor,
  variantsOf,
} from "../schema/schema";
import { closestMatch } from "../text/did-you-mean";
import { formatIssue } from "../text/issue-message";

export interface CheckResult {
  failures: CheckFailure[];
  warnings: CheckFailure[];
}

/** Validates what the user wrote; nothing under an unknown value is judged. */
export function validate(
  definition: Definition,
  inputs: PropertyMap,
  previous: PropertyMap,
  isUnknown: (value: unknown) => boolean,
  settings: RuleSettings = { ownerMarker: true, vocabulary: { githost: "githost", agentgraph: "agentgraph" } },
): CheckResult {
  const variant = variantFor(definition.schema, inputs);
  if (!variant) return { failures: [unknownVariant(definition, inputs, isUnknown)], warnings: [] };
  const parsed = variant.safeParse(inputs);
  const dropped = findDroppedKeys(inputs, []);
  const invalid = (parsed.error?.issues ?? []).flatMap((issue) =>
    failuresOf(issue, variant, inputs, isUnknown, definition),
  );
  const failures = [...dropped, ...invalid.filter(({ path }) => dropped.every((failure) => failure.path !== path))];
  const warnings: CheckFailure[] = [];
  for (const rule of definition.rules) {
    if (rule.paths.some((path) => isUnknownAt(inputs, path, isUnknown))) continue;
    // A rule may trust the types of what it reads, so it is silent where the schema has already failed.
    if (failures.some((failure) => rule.paths.some((path) => isSameBranch(failure.path, path)))) continue;
    const found = [rule.check(inputs, previous, settings) ?? []].flat();
    (rule.severity === "warning" ? warnings : failures).push(...found);
  }
  return { failures, warnings };
}

/** Pulumi drops this key wherever it writes or reads a map, so what stands there would never reach the server. */
function findDroppedKeys(value: unknown, path: readonly string[]): CheckFailure[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "__proto__"
      ? [{ path: [...path, key].join("."), reason: "cannot be declared, since Pulumi drops a key of this name." }]
      : findDroppedKeys(part, [...path, key]),
  );
}

/** Whether one of the two leads to the other. */
const isSameBranch = (left: string, right: string) => matchesPath(left, right) || matchesPath(right, left);

/** A value is not known when something on the way to it, or inside it, is not. */
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
      : `is ${JSON.stringify(value)}`;
  return {
    path: key,
    reason: `${problem}; write ${values.length > 1 ? "one of " : ""}${values.join(", ")}, as a plain text.`,
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
  // What is wrong with an empty key is said of the map.
  const keys = issue.code === "invalid_key" && issue.path.at(-1) === "" ? issue.path.slice(0, -1) : issue.path;
  const path = keys.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const fields = fieldsAt(schema, issue.path);
    const reason = (key: string) =>
      (path === "" && getOwn(definition.schema.foreignFields ?? {}, key)) || unknownField(key, fields);
    return issue.keys.map((key) => ({ path: path === "" ? key : `${path}.${key}`, reason: reason(key) }));
  }
  const value = valueAt(inputs, issue.path);
  const isSecretValue = secretsOf(definition, inputs).some(
    (pattern) => matchesPath(path, pattern) || matchesPath(pattern, path),
  );
  return [{ path, reason: formatIssue(issue, value, isSecretValue) }];
}

function unknownField(key: string, fields: string[]): string {
  const suggestion = closestMatch(key, fields);
  return `is not a field here${suggestion ? `; did you mean "${suggestion}"?` : `; the fields are ${fields.join(", ")}.`}`;
}
