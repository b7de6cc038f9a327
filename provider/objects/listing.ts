/** How the objects of a kind are listed and adopted, unless the kind says otherwise. */
import { type ZodType, z } from "zod";
import { exactlyOneServer, serverArgs } from "../api/agent-server/server-args";
import type { AdoptFacts } from "../definition/definition";
import { type Listing, MANAGED, type Remote } from "../definition/listing";
import { isEmpty } from "../schema/mapping";
import { childOf, metadataOf, type PropertyMap, shapeOf } from "../schema/schema";
import type { ObjectKind, OwnedInputs, OwnedState, RemoteObject } from "./kind";
import { type EndpointInputs, type Location, resolveEndpoint } from "./server/endpoint";

export function adoptFacts<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  special: Partial<AdoptFacts> = {},
): AdoptFacts {
  const { noun, keys, inputs } = kind;
  const isNamed = "name" in shapeOf(inputs);
  return {
    noun,
    isNamed,
    title: (remote) => (isNamed && nameIn(remote)) || titleIn(remote) || `${noun}-${remote.id.slice(0, 8)}`,
    skip: ({ metadata }, { includeOwned }) =>
      !includeOwned && (metadata as PropertyMap | undefined)?.[keys.object] != null
        ? "it has the ownership marker of a Pulumi resource (--include-owned)"
        : undefined,
    async fetch(id, container: Location, ctx) {
      const endpoint = await resolveEndpoint(`${noun}s`, container, ctx);
      const remote = endpoint && (await kind.read(id, endpoint, ctx));
      return remote && { ...(remote as PropertyMap), id };
    },
    toInputs: (remote, container) => ({
      ...locationOf(container),
      ...withoutDefaults(inputs, kind.toAllInputs(remote as unknown as R)),
    }),
    ...special,
  };
}

/** Returns the inputs as a user would write them: without those that mean the same as nothing. */
const withoutDefaults = <I extends PropertyMap>(inputs: ObjectKind["inputs"], all: I): PropertyMap =>
  Object.fromEntries(
    Object.entries(all).filter(
      ([key, value]) =>
        value != null && !isEmpty(value) && value !== metadataOf(childOf(inputs, key) as ZodType).absentMeans,
    ),
  );

const nameIn = ({ name }: Remote) => (typeof name === "string" ? name : undefined);

/** Returns the title that the metadata of an object contain, if it is short. */
export function titleIn({ metadata }: Remote): string | undefined {
  const { title, name } = (metadata ?? {}) as PropertyMap;
  return [title, name].find((text) => typeof text === "string" && text.length > 0 && text.length <= 40) as
    | string
    | undefined;
}

const locationOf = ({ deploymentId, deploymentUrl }: PropertyMap): PropertyMap =>
  deploymentUrl === undefined ? { deploymentId } : { deploymentUrl };

/** @param detailsOf Returns what shows which object it is, beside its title and whether Pulumi manages it. */
export function objectListing<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  detailsOf: (remote: R) => readonly string[],
): Listing {
  const { noun, keys } = kind;
  const metadata = z
    .record(z.string(), z.unknown())
    .optional()
    .describe(`Metadata that the ${noun}s contain, by key. Keys keep their spelling.`);
  return {
    args: z.strictObject({ ...serverArgs, metadata }),
    exactlyOne: exactlyOneServer,
    async *pages({ metadata, ...server }: EndpointInputs & { metadata?: PropertyMap }, { agentServers }) {
      for await (const page of kind.list(await agentServers.resolve(`${noun}s`, server), metadata))
        yield page.map((remote) => ({ ...(remote as PropertyMap), id: kind.idOf(remote) }));
    },
    detailsOf(remote) {
      const own = detailsOf(remote as unknown as R);
      return (remote.metadata as R["metadata"])?.[keys.object] == null ? own : [...own, MANAGED];
    },
  };
}
