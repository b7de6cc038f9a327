/**
 * The ownership marker in the metadata of an object. Its values are opaque UUIDs, because servers copy metadata: those of
 * an assistant into its runs and traces, those of a cron into its threads as well.
 */
import type { Context } from "../../../definition/context";
import type { PropertyMap } from "../../../schema/schema";
import { deriveResourceId, deriveStackId } from "./identity";

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

export const ASSISTANT_KEYS = markerKeys("pulumi_assistant");
export const CRON_KEYS = markerKeys("pulumi_cron");

/** Whether a metadata key is reserved for the marker. */
export const isMarkerKey = ({ object }: MarkerKeys, key: string): boolean =>
  key === object || key.startsWith(`${object}_`);

/** Returns the metadata of the marker; none when the setting `ownerMarker` is false, and there is no tag. */
export const markerMetadata = (
  { object, resource, stack }: MarkerKeys,
  tag: string | undefined,
  ctx: Pick<Context, "marker">,
): Record<string, string> =>
  tag === undefined ? {} : { [object]: tag, [resource]: deriveResourceId(ctx), [stack]: deriveStackId(ctx) };

type Metadata = PropertyMap | null | undefined;

/** Whether the metadata show that this stack manages the object. */
export const isOfStack = ({ stack }: MarkerKeys, metadata: Metadata, ctx: Pick<Context, "marker">): boolean =>
  metadata?.[stack] === deriveStackId(ctx);

/** Whether the metadata show that another resource of this stack manages the object. */
export const isOfSibling = (keys: MarkerKeys, metadata: Metadata, ctx: Pick<Context, "marker">): boolean =>
  isOfStack(keys, metadata, ctx) && metadata?.[keys.resource] !== deriveResourceId(ctx);

/** Where the part of the marker is that names the stack, for messages. */
export const markerPlace = ({ stack }: MarkerKeys): string => `its metadata key ${stack}`;
