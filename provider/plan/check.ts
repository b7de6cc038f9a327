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
  const branch = variantFor(definition.schema, inputs);
  if (!branch) return { failures: [wrongBranch(definition, inputs, isUnknown)], warnings: [] };
  const parsed = branch.safeParse(inputs);
  const lost = lostKeys(inputs, []);
  const wrong = (parsed.error?.issues ?? []).flatMap((issue) =>
    failuresOf(issue, branch, inputs, isUnknown, definition),
  );
  const failures = [...lost, ...wrong.filter(({ path }) => lost.every((failure) => failure.path !== path))];
  const warnings: CheckFailure[] = [];
  for (const rule of definition.rules) {
    if (rule.paths.some((path) => unknownAt(inputs, path, isUnknown))) continue;
    // A rule may trust the types of what it reads, so it is silent where the schema has already failed.
    if (failures.some((failure) => rule.paths.some((path) => isOneWay(failure.path, path)))) continue;
    const broken = [rule.check(inputs, previous, settings) ?? []].flat();
    (rule.severity === "warning" ? warnings : failures).push(...broken);
  }
  return { failures, warnings };
}

/** Pulumi drops this key wherever it writes or reads a map, so what stands there would never reach the server. */
function lostKeys(value: unknown, path: readonly string[]): CheckFailure[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "__proto__"
      ? [{ path: [...path, key].join("."), reason: "cannot be declared, since Pulumi drops a key of this name." }]
      : lostKeys(part, [...path, key]),
  );
}

/** Whether one of the two leads to the other. */
const isOneWay = (left: string, right: string) => matchesPath(left, right) || matchesPath(right, left);

/** A value is not known when something on the way to it, or inside it, is not. */
function unknownAt(inputs: PropertyMap, path: string, isUnknown: (value: unknown) => boolean): boolean {
  return (
    isUnknown(valueAt(inputs, path)) ||
    someAncestor(inputs, path, (value) => typeof value === "string" && isUnknown(value))
  );
}

function wrongBranch(
  definition: Definition,
  inputs: PropertyMap,
  isUnknown: (value: unknown) => boolean,
): CheckFailure {
  const { inputs: schema, discriminator: key = "" } = definition.schema;
  const words = variantsOf(schema, key).map((branch) => `"${(branch.shape[key] as z.ZodLiteral).value}"`);
  const value = inputs[key];
  const given = isUnknown(value)
    ? "is not known yet"
    : value === undefined
      ? "is missing"
      : `is ${JSON.stringify(value)}`;
  return {
    path: key,
    reason: `${given}; write ${words.length > 1 ? "one of " : ""}${words.join(", ")}, as a plain text.`,
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
    const known = fieldsAt(schema, issue.path);
    const reason = (key: string) =>
      (path === "" && getOwn(definition.schema.foreignFields ?? {}, key)) || unknownField(key, known);
    return issue.keys.map((key) => ({ path: path === "" ? key : `${path}.${key}`, reason: reason(key) }));
  }
  const value = valueAt(inputs, issue.path);
  const hidden = secretsOf(definition, inputs).some(
    (pattern) => matchesPath(path, pattern) || matchesPath(pattern, path),
  );
  return [{ path, reason: formatIssue(issue, value, hidden) }];
}

function unknownField(key: string, known: string[]): string {
  const near = closestMatch(key, known);
  return `is not a field here${near ? `; did you mean "${near}"?` : `; the fields are ${known.join(", ")}.`}`;
}
