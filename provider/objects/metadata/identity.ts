/** Derives IDs of what a resource creates: unique to the resource and its immutable inputs, and stable between runs. */
import type { z } from "zod";
import type { Context } from "../../definition/context";
import { canonicalMarker, parseMarker } from "../../definition/ownership";
import { fieldsOf, pathsOf } from "../../schema/fields";
import { normalizeUuid, toAssistantId, uuidV5 } from "../../schema/id";
import { normalizeUrl } from "../../schema/normal-form";
import { metadataOf, type PropertyMap, schemaAt } from "../../schema/schema";

/** Namespace of the UUIDs. Frozen: with another one, resuming an interrupted create would create a second object. */
const NAMESPACE = "6f2f8e6c-6a57-5c51-9a3e-0d2f4b7c1e88";

type Marked = Pick<Context, "marker">;

/**
 * Returns a function for the UUID v5 of the owner, the URN and the inputs that no update can change. Frozen, too: what
 * a schema says of those inputs is part of the ID.
 * @param inputs The schema of the inputs.
 */
export function idDerivation<I extends PropertyMap>(inputs: z.ZodType<I>) {
  const immutable = pathsOf({ fields: fieldsOf(inputs) }, ({ replaces }) => replaces);
  /** @param extraFields Further inputs to treat as immutable, when the server cannot update them. */
  return (desired: I, { marker }: Marked, extraFields: readonly string[] = []): string => {
    const values = [...immutable, ...extraFields].map((name) => [name, normalForm(inputs, name, desired[name])]);
    return uuidV5(NAMESPACE, `${canonicalMarker(marker)}\n${toCanonicalJson(Object.fromEntries(values))}`);
  };
}

function normalForm(inputs: z.ZodType, name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const schema = schemaAt(inputs, name);
  const compare = schema && metadataOf(schema).compare;
  if (compare === "url") return normalizeUrl(value);
  if (compare === "assistant") return toAssistantId(value);
  return compare === "uuid" || compare === "givenUuid" ? normalizeUuid(value) : value;
}

/** Returns the UUID v5 of the owner and the URN alone. */
export const deriveResourceId = ({ marker }: Marked): string => uuidV5(NAMESPACE, canonicalMarker(marker));

/** Returns the UUID v5 of the owner, the project and the stack. */
export function deriveStackId({ marker }: Marked): string {
  const { owner = "", project = "", stack = "" } = parseMarker(marker) ?? {};
  return uuidV5(NAMESPACE, `${owner}/urn:pulumi:${stack}::${project}`);
}

/** Returns the same text for all equivalent values: keys are sorted, null equals absent. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const defined = Object.entries(value).filter(([, part]) => part != null);
  const parts = defined
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${toCanonicalJson(part)}`);
  return `{${parts.join(",")}}`;
}
