/** What kinds on agent servers share: the server that they are declared on, and the list of their objects. */
import { deriveResourceId } from "../../../../provider/objects/metadata/identity";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { liveDeployments } from "./deployment";
import { type Declaration, type Leftover, markersOf, type Observed, type Program } from "./kind";

/** The deployment of a resource; another team's, where it is not declared. */
export interface Place {
  on: "api" | "worker" | "shared";
  by: "deploymentId" | "deploymentUrl";
}

/** Returns the inputs and references that place a resource on a server. */
export function serverOf({ on, by }: Place, { bySlot, around: { shared, url } }: Program): Required<Declaration> {
  const sharedServer = by === "deploymentId" ? shared : `${url}/agents/${shared}`;
  return bySlot.has(on)
    ? { references: { [by]: { slot: on, output: by === "deploymentId" ? "id" : "url" } }, inputs: {} }
    : { references: {}, inputs: { [by]: sharedServer } };
}

/** A kind of objects: its route, the key of their ID, and that of their ownership marker. */
export interface AgentKind {
  kind: string;
  route: string;
  key: string;
  marker: string;
}

type AgentObject = PropertyMap & { metadata: PropertyMap };

/** Lists the objects of a kind with the path of their server. */
async function listAll({ server }: Observed, { route }: AgentKind): Promise<(AgentObject & { base: string })[]> {
  const all = (await liveDeployments(server)).map(async ({ id }) => {
    const base = `/agents/${id}`;
    const { body } = await server.call<AgentObject[]>("POST", `${base}${route}/search`, { limit: 1000 });
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
export async function countOwn(world: Observed, kind: AgentKind): Promise<number> {
  const own = placesOf(world);
  return (await listAll(world, kind)).filter((one) => own.has(`${one.base}/${one[kind.key]}`)).length;
}

/** @param isOfServer Whether the server itself made an object. */
export async function findOnAgentServers(
  world: Observed,
  kind: AgentKind,
  isOfServer: (metadata: PropertyMap) => boolean,
): Promise<Leftover[]> {
  const own = placesOf(world);
  const found = (await listAll(world, kind)).map((remote) => {
    const id = String(remote[kind.key]);
    return { remote, id, path: `${remote.base}${kind.route}/${id}` };
  });
  return found
    .filter(
      ({ remote, id, path }) =>
        !own.has(`${remote.base}/${id}`) && !world.others.has(path) && !isOfServer(remote.metadata),
    )
    .map(({ remote, id, path }) => ({
      id,
      kind: kind.kind,
      mustBeNamed: mustBeNamed(world, remote, kind),
      remove: () => world.server.call("DELETE", path),
    }));
}

/** A run or thread that a cron or the server made has the metadata of its cron. */
export const isOfServer = ({ created_by: by, pulumi_cron: cron }: PropertyMap) => by === "system" || cron !== undefined;

/**
 * Whether the resource that made a left object was created on that server since: then it had to name the object. Nothing
 * in state or program mentions an object whose resource left the program or moved to another server.
 */
function mustBeNamed(
  world: Observed,
  remote: AgentObject & { base: string },
  { kind, key, marker }: AgentKind,
): boolean {
  const { metadata, base } = remote;
  // A copy of a thread has the metadata of its source.
  const isOriginal = kind !== "Thread" || [metadata[marker], metadata[`${marker}_id`]].includes(remote[key]);
  const declared = world.program.filter((one) => one.kind === kind);
  return markersOf(world, kind).some((ownMarker, index) => {
    const { outputs } = world.engine.state.get(declared[index]?.name ?? "")?.resource ?? {};
    const isHere = String(outputs?.url).endsWith(base);
    return isHere && isOriginal && metadata[`${marker}_resource`] === deriveResourceId({ marker: ownMarker } as never);
  });
}
