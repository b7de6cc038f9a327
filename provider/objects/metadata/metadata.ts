/**
 * The metadata of an object: what the program declares, and the ownership marker. The values of the marker are opaque
 * UUIDs, because servers copy metadata: those of an assistant into its runs and traces, those of a cron into its
 * threads as well.
 */
import type { Context } from "../../definition/context";
import type { Observation } from "../../definition/results";
import { entryRule, type Rule, type RuleSettings } from "../../definition/rules";
import { withoutNulls } from "../../schema/mapping";
import type { PropertyMap } from "../../schema/schema";
import { deriveResourceId, deriveStackId } from "./identity";

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

/** Whether the metadata show that this stack manages the object. */
export const isOfStack = ({ stack }: MarkerKeys, metadata: Metadata, ctx: Pick<Context, "marker">): boolean =>
  metadata?.[stack] === deriveStackId(ctx);

/** Whether the metadata show that another resource of this stack manages the object. */
export const isOfSibling = (keys: MarkerKeys, metadata: Metadata, ctx: Pick<Context, "marker">): boolean =>
  isOfStack(keys, metadata, ctx) && metadata?.[keys.resource] !== deriveResourceId(ctx);

/**
 * Returns the part of the marker that names a stack if it is another one, which is opaque; undefined for this stack or
 * none.
 */
function otherStackOf({ stack }: MarkerKeys, metadata: Metadata, ctx: Pick<Context, "marker">): string | undefined {
  const id = metadata?.[stack];
  return typeof id === "string" && id !== deriveStackId(ctx) ? id : undefined;
}

/**
 * Returns what an import must know of the marker. It is recorded, so that a delete does not mistake it for that of
 * someone who took the object since.
 */
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

/**
 * Returns the rule for metadata: the keys of the marker are reserved.
 * @param reasonOf Returns what is wrong with another entry.
 */
export const metadataRule = <I extends PropertyMap>(
  keys: MarkerKeys,
  reasonOf: (key: string, value: unknown, settings: RuleSettings) => string | undefined,
): Rule<I> =>
  entryRule("metadata", (key, value, settings) =>
    isMarkerKey(keys, key) ? "is reserved for the ownership marker; use another key." : reasonOf(key, value, settings),
  );

/** Returns metadata without the keys of the marker. */
export const omitMarker = (keys: MarkerKeys, metadata: Metadata): PropertyMap =>
  Object.fromEntries(Object.entries(metadata ?? {}).filter(([key]) => !isMarkerKey(keys, key)));

/** Returns the metadata of a create request. @param tags The metadata of the ownership marker. */
export const buildMetadata = (declared: Metadata, tags: Record<string, string>): PropertyMap => ({
  ...withoutNulls(declared ?? {}),
  ...tags,
});
