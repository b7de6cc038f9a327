import type { Handlers } from "../../../../provider/engine/handlers";
import type { Lifecycle } from "../../../../provider/engine/host/dynamic";
import { joinFacts, type ResourceData, recordedFacts, splitFacts } from "../../../../provider/plan/facts";
import { InitError } from "../../../../provider/plan/property-values";
import type { PropertyMap } from "../../../../provider/schema/schema";

/**
 * Offers handlers as the native plugin does, in the form of the host of dynamic resources: the engine passes the URN
 * beside the properties, and state contains only what the provider recorded.
 */
export function nativeHost(handlers: Handlers, urn: string): Lifecycle {
  const read = (properties: PropertyMap = {}): ResourceData => {
    const { properties: values, facts } = splitFacts(properties);
    return { properties: values, facts: { ...recordedFacts(facts), urn } };
  };
  const write = ({ properties, facts }: ResourceData) => joinFacts({ properties, facts: recordedFacts(facts) });
  const keepState = (error: unknown): never => {
    throw error instanceof InitError ? Object.assign(error, { properties: write(error.outputs) }) : error;
  };
  return {
    configure: ({ config }) => handlers.configure((key) => config.get(key)),
    check: async (olds, news) => {
      const { inputs, failures } = await handlers.check(read(olds), read(news));
      return { inputs: write(inputs), failures };
    },
    diff: async (id, olds, news) => {
      const { changes, replace } = await handlers.diff(id, read(olds), read(news));
      const replaces = replace && (replace.paths.length > 0 ? [...replace.paths] : ["id"]);
      const deleteBeforeReplace = !replace?.kept?.createsFirst;
      return { changes: changes.length > 0, deleteBeforeReplace, ...(replaces && { replaces }) };
    },
    create: async (inputs) => {
      const { id, outputs } = await handlers.create(read(inputs)).catch(keepState);
      return { id, outs: write(outputs) };
    },
    read: async (id, properties) => {
      const found = await handlers.read(id, read(properties));
      return found ? { id: found.id, props: write(found.outputs), inputs: write(found.inputs) } : {};
    },
    update: async (id, olds, news) => ({
      outs: write(await handlers.update(id, read(olds), read(news)).catch(keepState)),
    }),
    delete: (id, properties) => handlers.delete(id, read(properties)),
  };
}
