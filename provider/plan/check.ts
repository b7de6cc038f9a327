/** Validates inputs that may contain unknowns, and runs the rules whose paths are known. Pure. */
import { z } from "zod";
import type { Definition } from "../definition/definition";
import type { CheckFailure, RuleSettings } from "../definition/rules";
import { isEqual } from "../schema/compare";
import { secretPaths } from "../schema/fields";
import { UNKNOWN_SECRET } from "../schema/mapping";
import {
  catchallOf,
  childOf,
  discriminatorOf,
  fieldsAt,
  getOwn,
  isObjectOrArray,
  isSameBranch,
  metadataOf,
  type PropertyMap,
  schemaAt,
  splitPath,
  unwrap,
  valueAt,
  variantFor,
  variantsOf,
} from "../schema/schema";
import { closestMatch } from "../text/did-you-mean";
import { wireSpelling } from "../text/format";
import { formatIssue, printed } from "../text/issue-message";
import { neutralAdvice } from "../text/vocabulary";
import { isUnknownAt } from "./diff";
import { checkExtra } from "./extra";
import { type CheckResult, findMistakes, missingSecrets } from "./program-mistakes";
import { containsUnknown } from "./property-values";

export interface CheckOptions {
  /** The inputs in state. */
  previous: PropertyMap;
  settings: RuleSettings;
  /** Paths of the inputs that the program marks secret. */
  secretInputs?: readonly string[] | undefined;
}

/** Validates the declared inputs; anything under an unknown value is skipped. */
export function validate(definition: Definition, inputs: PropertyMap, options: CheckOptions): CheckResult {
  const { previous, settings, secretInputs = [] } = options;
  const { rules, schema } = definition;
  const secrets = [...new Set([...secretPaths(schema, inputs, secretInputs), ...secretInputs])];
  const isSecret = (path: string) => secrets.some((secret) => isSameBranch(path, secret));
  const shown: Shown = { isSecret, vocabulary: settings.vocabulary };
  const variant = variantFor(schema, inputs);
  if (!variant) return { failures: [unknownVariant(schema.inputs, inputs, shown)], warnings: [] };
  const parsed = variant.safeParse(inputs);
  const mistakes = findMistakes(inputs, shown.isSecret);
  const invalid = (parsed.error?.issues ?? []).flatMap((issue) => failuresOf(issue, variant, inputs, shown));
  const isNew = isChanged(variant, previous, inputs);
  // Earlier versions accepted them, so programs may have them as long as the object around them means what is in state.
  const misspelled = wireSpellings(variant, inputs, settings.vocabulary).filter(({ path }) =>
    isNew({ path: path.slice(0, path.lastIndexOf(".")) }),
  );
  const failures = [
    ...mistakes.failures,
    ...misspelled,
    ...invalid.filter(({ path }) => mistakes.failures.every((failure) => failure.path !== path)),
  ];
  const extra = checkExtra(definition, inputs, { previous, vocabulary: settings.vocabulary });
  failures.push(...extra.failures);
  const warnings = [
    ...extra.warnings,
    // An import of write-only inputs leaves them in a generated program.
    ...secrets
      .filter((path) => valueAt(inputs, path) === UNKNOWN_SECRET)
      .map((path) => ({ path, reason: PLACEHOLDER })),
    ...schema.fields
      .filter(({ path, deprecated }) => deprecated !== undefined && valueAt(inputs, path) !== undefined)
      .map(({ path, deprecated }) => ({ path, reason: `is deprecated. ${deprecated}` })),
    ...mistakes.warnings,
    ...missingSecrets(schema.fields, inputs, previous),
  ];
  for (const rule of rules) {
    if (rule.paths.some((path) => hasUnknownAt(inputs, path))) continue;
    // Rules rely on the types of their inputs, so they are skipped where the schema has already failed.
    if (failures.some((failure) => rule.paths.some((path) => isSameBranch(failure.path, path)))) continue;
    const ruleFailures = [rule.check(inputs, previous, settings) ?? []].flat();
    ((rule.severity ?? "error") === "error" ? failures : warnings).push(...ruleFailures);
  }
  return { failures, warnings };
}

/** Returns what servers probably reject among the values of a new object that differ from those of the previous one. */
export function rejections(
  { rules, schema }: Definition,
  inputs: PropertyMap,
  { previous, settings }: CheckOptions,
): CheckFailure[] {
  const variant = variantFor(schema, inputs);
  return rules
    .filter(({ severity, paths }) => severity === "rejection" && !paths.some((at) => hasUnknownAt(inputs, at)))
    .flatMap((rule) => [rule.check(inputs, previous, settings) ?? []].flat())
    .filter(isChanged(variant, previous, inputs));
}

/** Returns a filter for failures of values that differ from those in state. */
const isChanged =
  (variant: z.ZodType | undefined, previous: PropertyMap, inputs: PropertyMap) =>
  ({ path }: Pick<CheckFailure, "path">): boolean => {
    const keys = splitPath(path, inputs, previous);
    return !isEqual(variant && schemaAt(variant, keys), valueAt(previous, keys), valueAt(inputs, keys));
  };

/** Which values messages do not contain, and the words of the platform, which a program does not write. */
interface Shown {
  vocabulary: RuleSettings["vocabulary"];
  isSecret(path: string): boolean;
}

const PLACEHOLDER =
  "is a placeholder, because the server does not return the value. Declare the value, and `pulumi up` sends it.";

/**
 * Returns the declared fields of open objects that have their name in the API. They would be sent, but the response
 * would be read as the field, so that they would differ forever. Closed objects reject unknown keys anyway.
 */
function wireSpellings(
  schema: z.ZodType,
  value: unknown,
  vocabulary: RuleSettings["vocabulary"],
  path: readonly string[] = [],
): CheckFailure[] {
  if (!isObjectOrArray(value)) return [];
  const inner = unwrap(schema);
  const declared = inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  return Object.entries(value).flatMap(([key, part]) => {
    const keys = [...path, key];
    const field = declared.includes(key)
      ? undefined
      : declared.find((name) => wireSpelling(name, vocabulary.agentgraph) === key);
    if (field !== undefined && catchallOf(inner as z.ZodObject))
      return [{ path: keys.join("."), reason: `is the name of this field in the API; use ${field}.` }];
    const child = childOf(schema, key);
    return child ? wireSpellings(child, part, vocabulary, keys) : [];
  });
}

/** Whether the value at a path, an ancestor or a part of it is unknown. */
const hasUnknownAt = (inputs: PropertyMap, path: string): boolean =>
  containsUnknown(valueAt(inputs, path)) || isUnknownAt(inputs, path);

function unknownVariant(schema: z.ZodType, inputs: PropertyMap, { isSecret, vocabulary }: Shown): CheckFailure {
  const path = discriminatorOf(schema) ?? "";
  const words = variantsOf(schema).map((variant) => String((variant.shape[path] as z.ZodLiteral).value));
  const value = inputs[path];
  const advice = typeof value === "string" && !isSecret(path) && neutralAdvice(value, words, vocabulary);
  if (advice) return { path, reason: `is ${printed(value)}; ${advice}` };
  const problem = containsUnknown(value)
    ? "is not known yet"
    : value === undefined
      ? "is missing"
      : isSecret(path)
        ? "is not a known value"
        : `is ${printed(value)}`;
  const values = words.map((word) => `"${word}"`).join(", ");
  return { path, reason: `${problem}; write one of ${values}, as a plain text.` };
}

function failuresOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  inputs: PropertyMap,
  { isSecret, vocabulary }: Shown,
): CheckFailure[] {
  if (isUnknownAt(inputs, issue.path)) return [];
  // An empty key is reported at the map.
  const keys = issue.path.at(-1) === "" ? issue.path.slice(0, -1) : issue.path;
  const path = keys.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const fields = fieldsAt(schema, issue.path);
    const { foreignFields = {} } = metadataOf(schemaAt(schema, issue.path) ?? schema);
    return issue.keys.map((key) => ({
      path: path === "" ? key : `${path}.${key}`,
      reason: getOwn(foreignFields, key) ?? unknownField(key, fields, vocabulary),
    }));
  }
  return [{ path, reason: formatIssue(issue, valueAt(inputs, issue.path), isSecret(path)) }];
}

function unknownField(key: string, fields: string[], vocabulary: Shown["vocabulary"]): string {
  const advice = neutralAdvice(key, fields, vocabulary);
  if (advice) return `is not a known field; ${advice}`;
  const suggestion = closestMatch(key, fields);
  return (
    "is not a known " +
    `field${suggestion ? `; did you mean "${suggestion}"?` : `; expected one of ${fields.join(", ")}.`}`
  );
}
