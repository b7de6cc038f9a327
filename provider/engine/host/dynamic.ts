/** Adapts handlers to the engine's host of dynamic resources, which keeps facts among the properties. */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Definition } from "../../definition/definition";
import { joinFacts, splitFacts } from "../../plan/facts";
import { InitError } from "../../plan/property-values";
import type { PropertyMap } from "../../schema/schema";
import type { Difference, Handlers } from "../handlers";
import { createHandlers } from "../lifecycle";
import type { Environment } from "./environment";

export type Lifecycle = Required<dynamic.ResourceProvider>;

export function lifecycle<I extends PropertyMap, S extends PropertyMap>(
  definition: Definition<I, S>,
  environment: Environment,
): Lifecycle {
  return dynamicHost(createHandlers(definition as unknown as Definition, environment));
}

export function dynamicHost(handlers: Handlers): Lifecycle {
  return {
    configure: ({ config }) => handlers.configure((key) => config.get(key)),
    check: async (olds, news) => {
      const { inputs, failures } = await handlers.check(splitFacts(olds), splitFacts(news));
      return { inputs: joinFacts(inputs), failures };
    },
    diff: async (id, olds, news) => toDiffResult(await handlers.diff(id, splitFacts(olds), splitFacts(news))),
    create: async (inputs) => {
      const { id, outputs } = await handlers.create(splitFacts(inputs)).catch(throwWithProperties);
      return { id, outs: joinFacts(outputs) };
    },
    read: async (id, properties) => {
      const found = await handlers.read(id, splitFacts(properties));
      return found ? { id: found.id, props: joinFacts(found.outputs), inputs: joinFacts(found.inputs) } : {};
    },
    update: async (id, olds, news) => {
      const updated = handlers.update(id, splitFacts(olds), splitFacts(news));
      return { outs: joinFacts(await updated.catch(throwWithProperties)) };
    },
    delete: (id, properties) => handlers.delete(id, splitFacts(properties)),
  };
}

/** The host stores the `properties` of an error with an ID. @throws The error. */
function throwWithProperties(error: unknown): never {
  throw error instanceof InitError ? Object.assign(error, { properties: joinFacts(error.outputs) }) : error;
}

function toDiffResult({ paths, replace, changes, isUnseen }: Difference): dynamic.DiffResult {
  if (changes.length === 0) return { changes: false };
  const keys = [...new Set((replace?.paths ?? []).map((path) => path.split(".")[0] as string))];
  // The engine must be told of a change, or a replacement, without a difference in the inputs that it compares.
  // Names are unique, so the old object is deleted first, unless the new one receives what it contains.
  const deleteBeforeReplace = !replace?.kept?.createsFirst;
  if (replace && keys.length === 0) return { changes: true, replaces: ["id"], deleteBeforeReplace };
  if (paths.length === 0) return { changes: true };
  // `changes` stays undefined, so that the engine compares the inputs itself and replaceOnChanges works: where they are
  // the same, it would find no change. For imported state it would find internal inputs, which the display omits else.
  return { ...(isUnseen && { changes: true }), replaces: keys, deleteBeforeReplace };
}
