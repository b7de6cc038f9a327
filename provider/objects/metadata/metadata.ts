/**
 * The metadata of an object: what the program declares, and the ownership marker. The values of the marker are opaque
 * UUIDs, because servers copy metadata: those of an assistant into its runs and traces, those of a cron into its
 * threads as well.
 */
import type { z } from "zod";
import type { Context, Observation } from "../../definition/context";
import { canonicalMarker, parseMarker } from "../../definition/ownership";
import { entryRule, type Rule, type RuleSettings } from "../../definition/rules";
import { fieldsOf, pathsOf } from "../../schema/fields";
import { normalizeUuid, toAssistantId, uuidV5 } from "../../schema/id";
import { withoutNulls } from "../../schema/mapping";
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

type Metadata = PropertyMap | null | undefined;

/** The keys of the metadata. They are in users' objects, and so are never renamed. */
export interface MarkerKeys {
  /** The resource and its immutable inputs. */
  readonly object: string;
  /** The resource alone: finds what earlier runs created with other inputs. */
  readonly resource: string;
  /** The stack: an object of another resource of the same stack is not imported. */
  readonly stack: string;
}

/** @param object The first key; the others begin with it. */
export const markerKeys = (object: string): MarkerKeys => ({
  object,
  resource: `${object}_resource`,
  stack: `${object}_stack`,
});

/** Of crons. A deletion of their assistant looks for them as well. */
export const CRON_KEYS = markerKeys("pulumi_cron");

const isMarkerKey = ({ object }: MarkerKeys, key: string): boolean => key === object || key.startsWith(`${object}_`);

/** Returns the metadata of the marker; none when the setting `ownerMarker` is false, and there is no tag. */
export const markerMetadata = (
  { object, resource, stack }: MarkerKeys,
  tag: string | undefined,
  ctx: Pick<Context, "marker">,
): Record<string, string> =>
  tag === undefined ? {} : { [object]: tag, [resource]: deriveResourceId(ctx), [stack]: deriveStackId(ctx) };

export const isOfStack = ({ stack }: MarkerKeys, metadata: Metadata, ctx: Pick<Context, "marker">): boolean =>
  metadata?.[stack] === deriveStackId(ctx);

/** Whether the metadata show that another resource of this stack manages the object. */
export const isOfSibling = (keys: MarkerKeys, metadata: Metadata, ctx: Pick<Context, "marker">): boolean =>
  isOfStack(keys, metadata, ctx) && metadata?.[keys.resource] !== deriveResourceId(ctx);

/** Returns the opaque part of the marker that names another stack; undefined for this stack or none. */
function otherStackOf({ stack }: MarkerKeys, metadata: Metadata, ctx: Pick<Context, "marker">): string | undefined {
  const id = metadata?.[stack];
  return typeof id === "string" && id !== deriveStackId(ctx) ? id : undefined;
}

/** Returns what an import must know of the marker, recorded so that a delete does not take it for others'. */
export function markerFacts(
  keys: MarkerKeys,
  metadata: Metadata,
  ctx: Pick<Context, "marker">,
): Pick<Observation, "isOfSibling" | "isOfOtherStack" | "marker"> {
  const marker = otherStackOf(keys, metadata, ctx);
  return { isOfSibling: isOfSibling(keys, metadata, ctx), isOfOtherStack: marker !== undefined, marker };
}

/** Where the part of the marker is that names the stack, for messages. */
export const markerPlace = ({ stack }: MarkerKeys): string => `its metadata key ${stack}`;

/** Returns the rule: keys of the marker are reserved. @param reasonOf Returns what is wrong with other entries. */
export const metadataRule = <I extends PropertyMap>(
  keys: MarkerKeys,
  reasonOf: (key: string, value: unknown, settings: RuleSettings) => string | undefined,
): Rule<I> =>
  entryRule("metadata", (key, value, settings) =>
    isMarkerKey(keys, key) ? "is reserved for the ownership marker; use another key." : reasonOf(key, value, settings),
  );

export const omitMarker = (keys: MarkerKeys, metadata: Metadata): PropertyMap =>
  Object.fromEntries(Object.entries(metadata ?? {}).filter(([key]) => !isMarkerKey(keys, key)));

/** Returns the metadata of a create request. @param tags The metadata of the ownership marker. */
export const buildMetadata = (declared: Metadata, tags: Record<string, string>): PropertyMap => ({
  ...withoutNulls(declared ?? {}),
  ...tags,
});
