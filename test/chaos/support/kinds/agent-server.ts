/** What kinds on agent servers share: the server that they are declared on, and the list of their objects. */
import fc, { type Arbitrary } from "fast-check";
import type { ObjectNames } from "../../../../provider/objects/kind";
import { deriveResourceId } from "../../../../provider/objects/metadata/metadata";
import { type PropertyMap, valueAt } from "../../../../provider/schema/schema";
import { snakeCase } from "../../../../provider/text/format";
import { type AgentKind, type AgentSpec, isOfServer, type VersionSpec } from "../../../support/agents/kinds/kind";
import { liveDeployments } from "./deployment";
import {
  type ChaosKind,
  type Declaration,
  expectEqual,
  type Leftover,
  markersOf,
  type Observed,
  type Program,
  stateIn,
} from "./kind";
import { declaredIdOf, pick, sometimes } from "./values";

/** Returns the inputs and references that place a resource on a server. */
export function serverOf({ on, by }: Place, { bySlot, around: { shared, url } }: Program): Required<Declaration> {
  const sharedServer = by === "deploymentId" ? shared : `${url}/agents/${shared}`;
  return bySlot.has(on)
    ? { references: { [by]: { slot: on, output: by === "deploymentId" ? "id" : "url" } }, inputs: {} }
    : { references: {}, inputs: { [by]: sharedServer } };
}

export type Place = Pick<AgentSpec, "on" | "by">;

type AgentObject = PropertyMap & { metadata: PropertyMap };

const keyOf = ({ noun }: ObjectNames) => `${noun}_id`;

/** Lists the objects of a kind with the path of their server. */
async function listAll({ server }: Observed, { path }: ObjectNames): Promise<(AgentObject & { base: string })[]> {
  const all = (await liveDeployments(server)).map(async ({ id }) => {
    const base = `/agents/${id}`;
    const { body } = await server.call<AgentObject[]>("POST", `${base}/${path}/search`, { limit: 1000 });
    return Array.isArray(body) ? body.map((one) => ({ ...one, base })) : [];
  });
  return (await Promise.all(all)).flat();
}

/** Where the objects of state are. An ID alone names none: two servers can hold one that the program declares. */
const placesOf = (world: Observed): Set<string> =>
  new Set(
    [...world.engine.state.values()]
      .filter(({ resource }) => resource.outputs.url !== undefined)
      .map(({ resource: { id, outputs } }) => `${new URL(String(outputs.url)).pathname}/${id}`),
  );

/** Counts the objects of the program on all agent servers. */
export async function countOwn(world: Observed, names: ObjectNames): Promise<number> {
  const own = placesOf(world);
  return (await listAll(world, names)).filter((one) => own.has(`${one.base}/${one[keyOf(names)]}`)).length;
}

/** @param isOfServer Whether the server itself made an object. */
export async function findOnAgentServers(
  world: Observed,
  names: ObjectNames,
  isOfServer: (metadata: PropertyMap) => boolean,
): Promise<Leftover[]> {
  const own = placesOf(world);
  const found = (await listAll(world, names)).map((remote) => {
    const id = String(remote[keyOf(names)]);
    return { remote, id, path: `${remote.base}/${names.path}/${id}` };
  });
  return found
    .filter(
      ({ remote, id, path }) =>
        !own.has(`${remote.base}/${id}`) && !world.others.has(path) && !isOfServer(remote.metadata),
    )
    .map(({ remote, id, path }) => ({
      id,
      kind: names.kind,
      mustBeNamed: mustBeNamed(world, remote, names),
      remove: () => world.server.call("DELETE", path),
    }));
}

/**
 * Whether the resource that made a left object was created on that server since: then it had to name the object.
 * Nothing in state or program mentions an object whose resource left the program or moved to another server.
 */
function mustBeNamed(
  world: Observed,
  remote: AgentObject & { base: string },
  { kind, noun, keys: { object: marker, resource } }: ObjectNames,
): boolean {
  const { metadata, base } = remote;
  // A copy of a thread has the metadata of its source.
  const isOriginal = kind !== "Thread" || [metadata[marker], metadata[`${marker}_id`]].includes(remote[`${noun}_id`]);
  const declared = world.program.filter((one) => one.kind === kind);
  return markersOf(world, kind).some((ownMarker, index) => {
    const { outputs } = world.engine.state.get(declared[index]?.name ?? "")?.resource ?? {};
    const isHere = String(outputs?.url).endsWith(base);
    return isHere && isOriginal && metadata[resource] === deriveResourceId({ marker: ownMarker } as never);
  });
}

/** What schedules declare of a kind that says nothing of it. */
const versionsOf = ({ declared, changed }: AgentKind): NonNullable<AgentKind<VersionSpec>["schedules"]> => {
  const inputsOf = ({ version }: VersionSpec) => (version === 0 ? declared : { ...declared, ...changed });
  // The server has the ownership marker in the metadata, too.
  const toWire = ([key, value]: [string, unknown]) => (key === "metadata" ? [] : [[snakeCase(key), value]]);
  return {
    fields: { version: pick(0, 1) },
    inputsOf,
    contentOf: (spec) => Object.fromEntries(Object.entries(inputsOf(spec)).flatMap(toWire)),
  };
};

/** What random schedules know of a kind on agent servers. */
export function chaosKindOf<S extends AgentSpec>(kind: AgentKind<S>): ChaosKind<S> {
  const { names, slots } = kind;
  const { fields, inputsOf, contentOf } = kind.schedules ?? (versionsOf(kind as AgentKind<never>) as never);
  return {
    slots: Object.fromEntries(slots.map((slot) => [slot, names.kind])) as ChaosKind<S>["slots"],
    weight: 3,
    specs: fc.record({
      ...{ slot: pick(...slots), on: pick("shared", "api", "worker") },
      by: pick("deploymentId", "deploymentId", "deploymentUrl"),
      declaresId: sometimes(fc.constant(true as const)),
      ...(fields as object),
    }) as unknown as Arbitrary<S>,
    declare(spec, program) {
      const { references, inputs } = serverOf(spec, program);
      const id = spec.declaresId && { [`${names.noun}Id`]: declaredIdOf(spec.slot) };
      return { references, inputs: { ...inputs, ...inputsOf(spec), ...id } };
    },
    async verify(world, specs) {
      expectEqual(`the number of ${names.path}`, await countOwn(world, names), specs.length);
      for (const spec of specs) {
        const { id, outputs } = stateIn(world, spec.slot);
        const path = `${new URL(String(outputs.url)).pathname}/${names.path}/${id}`;
        const { body } = await world.server.call<PropertyMap>("GET", path);
        // A text that was emptied is like none. An import keeps what the program does not declare.
        const isKept = (value: unknown) => value === undefined && world.declarations.imports.has(spec.slot);
        for (const [field, value] of Object.entries(contentOf(spec, outputs)).filter(([, one]) => !isKept(one)))
          expectEqual(`the ${field} of ${spec.slot}`, valueAt(body, field) || undefined, value);
      }
    },
    findLeftovers: (world) => findOnAgentServers(world, names, isOfServer),
  };
}
