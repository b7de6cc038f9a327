/** Adapts the handlers of a kind of resource to the engine's host of dynamic resources. */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Definition } from "../definition/definition";
import type { PropertyMap } from "../schema/schema";
import { type Environment, realEnvironment } from "./environment";
import { createHandlers, type Difference } from "./lifecycle";

/** The handlers that the host calls. */
export type Lifecycle = Required<dynamic.ResourceProvider>;

export function lifecycle<I extends PropertyMap, S extends PropertyMap>(
  definition: Definition<I, S>,
  environment: Environment = realEnvironment(),
): Lifecycle {
  const handlers = createHandlers(definition as unknown as Definition, environment);
  return { ...handlers, diff: async (id, olds, news) => toDiffResult(await handlers.diff(id, olds, news)) };
}

function toDiffResult({ paths, replace, changes, isImportedWithoutInputs }: Difference): dynamic.DiffResult {
  if (changes.length === 0) return { changes: false };
  const keys = [...new Set((replace?.paths ?? []).map((path) => path.split(".")[0] as string))];
  // The engine must be told of a change, or a replacement, without a difference in the inputs that it compares.
  if (replace && keys.length === 0) return { changes: true, replaces: ["id"], deleteBeforeReplace: true };
  if (paths.length === 0) return { changes: true };
  // `changes` stays undefined, so that the engine computes the details itself and replaceOnChanges works. For imported
  // state these would contain internal inputs, which the display omits when it is only told of a change.
  return { ...(isImportedWithoutInputs && { changes: true }), replaces: keys, deleteBeforeReplace: true };
}
