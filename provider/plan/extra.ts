/** Checks the input `extra`: it contains no field that another input has, and none that proves ownership. Pure. */
import { z } from "zod";
import type { Definition } from "../definition/definition";
import type { RuleSettings } from "../definition/rules";
import { diffPaths } from "../schema/compare";
import { catchallOf, getOwn, isPropertyMap, type PropertyMap, unwrap, variantFor } from "../schema/schema";
import { wireSpelling } from "../text/format";
import { isDropped } from "./diff";
import type { CheckResult } from "./program-mistakes";
import { containsUnknown } from "./property-values";

interface Surroundings {
  /** The inputs in state. */
  previous: PropertyMap;
  vocabulary: RuleSettings["vocabulary"];
}

/** What identifies an object, shows whose it is, or must be encrypted wherever it stands. */
const RESERVED: ReadonlySet<string> = new Set([
  ...["id", "tenant_id", "deployment_id", "assistant_id", "thread_id", "cron_id"],
  ...["secrets", "credentials", "if_exists"],
]);
const RESERVED_METADATA = /^pulumi_/i;

export function checkExtra(definition: Definition, inputs: PropertyMap, around: Surroundings): CheckResult {
  const variant = variantFor(definition.schema, inputs);
  if (!variant) return { failures: [], warnings: [] };
  const { extra } = inputs;
  const { failures, warnings } = checkFields(variant, { extra, typed: inputs, path: "" }, around);
  const differing = diffPaths(variant, { extra: around.previous.extra }, { extra });
  const dropped = differing.filter((path) => isDropped(definition, path, inputs));
  const reason = "is no longer declared, so it is no longer sent, and the server keeps its value.";
  return { failures, warnings: [...warnings, ...dropped.map((path) => ({ path, reason }))] };
}

/** Fields that we do not type, and the inputs at the same place. */
interface Place {
  extra: unknown;
  typed: unknown;
  path: string;
  /** The same in the server's spelling. Default: that of the whole. */
  wirePath?: string;
}

function checkFields(schema: z.ZodObject, place: Place, around: Surroundings): CheckResult {
  const { extra, typed, path, wirePath = "extra" } = place;
  const all = Object.entries(isPropertyMap(extra) ? extra : {}).map(([key, part]): CheckResult => {
    const at = `${wirePath}.${key}`;
    const fail = (reason: string) => ({ failures: [{ path: at, reason }], warnings: [] });
    if (path === "" && RESERVED.has(key))
      return fail(
        "cannot be sent in extra: what identifies an object, and secrets, are inputs or belong to the server.",
      );
    if (path === "" && key === "metadata" && Object.keys(part ?? {}).some((name) => RESERVED_METADATA.test(name)))
      return fail("contains a key that begins with pulumi_, which is reserved for the ownership marker.");
    const { agentgraph } = around.vocabulary;
    const name = Object.keys(schema.shape).find((field) => field === key || wireSpelling(field, agentgraph) === key);
    if (name === undefined || name === "extra" || containsUnknown(part)) return { failures: [], warnings: [] };
    const input = path === "" ? name : `${path}.${name}`;
    const field = unwrap(schema.shape[name] as z.ZodType);
    const value = isPropertyMap(typed) ? getOwn(typed, name) : undefined;
    if (field instanceof z.ZodObject && !catchallOf(field) && wireSpelling(name, agentgraph) === key) {
      if (isPropertyMap(part))
        return checkFields(field, { extra: part, typed: value, path: input, wirePath: at }, around);
      return fail(`must be an object, because the input ${input} sends other fields of it.`);
    }
    if (value !== undefined)
      return fail(`is also declared, as ${input}: two values for one field. Remove it from extra.`);
    return { failures: [], warnings: [{ path: at, reason: `is what the input ${input} sends: use that instead.` }] };
  });
  return { failures: all.flatMap(({ failures }) => failures), warnings: all.flatMap(({ warnings }) => warnings) };
}
