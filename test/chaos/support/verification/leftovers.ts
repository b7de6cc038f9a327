/**
 * Objects that interrupted runs left behind: created by the program, in nobody's state. The messages must have named them,
 * as far as the documentation promises; then a person deletes them.
 */

import { ownershipMarker } from "../../../../provider/definition/ownership";
import { deriveResourceId } from "../../../../provider/resources/shared/agent-server/identity";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { Stack } from "../../../support/stack";
import type { World } from "../world";

interface Leftover {
  id: string;
  kind: string;
  /** What creating it again would have to name it by; undefined when nothing identifies its resource. */
  mustBeNamed: boolean;
  remove(): Promise<unknown>;
}

export const EXPORTS = "/api/v1/bulk-exports";

/** Lists objects of the program that its state does not contain. */
async function find(world: World): Promise<Leftover[]> {
  return [...(await deployments(world)), ...(await agentObjects(world)), ...(await exportObjects(world))];
}

async function remove(world: World): Promise<void> {
  for (const leftover of await find(world)) {
    const isNamed = world.messages.some((text) => text.includes(leftover.id));
    if (!isNamed && leftover.mustBeNamed)
      throw new Error(`${leftover.kind} ${leftover.id} is left and was never named`);
    world.addLog(`a person removes ${leftover.kind} ${leftover.id}${isNamed ? "" : ", which was never named"}`);
    await leftover.remove();
  }
  await world.server.advance(15 * 60_000);
}

async function verifyNone(world: World): Promise<void> {
  const left = (await find(world)).filter(({ id, kind }) => !isKept(world, kind, id));
  if (left.length > 0) throw new Error(`destroy leaves ${left.map(({ kind, id }) => `${kind} ${id}`).join(", ")}`);
}

/** The server keeps a destination while exports refer to it, and a destroy says so. */
const isKept = (world: World, kind: string, id: string) =>
  kind === "BulkExportDestination" &&
  world.messages.some((text) => text.includes(`destination ${id} `) && text.includes("because exports still use it"));

export const leftovers = { remove, verifyNone };

/** The state's IDs. */
export const idsOf = (world: World): Set<string> =>
  new Set([...world.engine.state.values()].map(({ resource }) => resource.id));

/** Lists the deployments that are not being deleted. */
export async function liveDeployments(world: World): Promise<{ id: string; name: string; secrets: PropertyMap[] }[]> {
  const { body } = await world.server.call<{ resources: never[] }>("GET", "/v2/deployments?limit=100");
  return body.resources.filter(({ status }) => !String(status).includes("DELETE"));
}

async function deployments(world: World): Promise<Leftover[]> {
  const own = idsOf(world);
  const found = await liveDeployments(world);
  return found
    .filter(({ id }) => !own.has(id) && !world.others.deploymentIds.has(id))
    .map(({ id, secrets }) => ({
      id,
      kind: "Deployment",
      mustBeNamed: secrets.some(({ value }) => markers(world, "Deployment").includes(String(value))),
      remove: () => world.server.call("DELETE", `/v2/deployments/${id}`),
    }));
}

/** The ownership markers of declared resources. */
function markers(world: World, kind: string): string[] {
  const declared = world.program.filter((one) => one.kind === kind);
  return declared.map(({ name }) => ownershipMarker("acme", new Stack(world.proxy as never, { kind, name }).urn));
}

/** The kinds of objects on an agent server: their route, the key of their ID, and that of their ownership marker. */
export const AGENT_KINDS = [
  { kind: "Thread", route: "/threads", key: "thread_id", marker: "pulumi_thread" },
  { kind: "Assistant", route: "/assistants", key: "assistant_id", marker: "pulumi_assistant" },
  { kind: "Cron", route: "/runs/crons", key: "cron_id", marker: "pulumi_cron" },
] as const;
type AgentKind = (typeof AGENT_KINDS)[number];

type AgentObject = PropertyMap & { metadata: PropertyMap };

/** Lists the objects of a kind on the agent server of a deployment. */
export async function listOn(world: World, base: string, { route }: AgentKind): Promise<AgentObject[]> {
  const { body } = await world.server.call<AgentObject[]>("POST", `${base}${route}/search`, { limit: 1000 });
  return Array.isArray(body) ? body : [];
}

async function agentObjects(world: World): Promise<Leftover[]> {
  const own = idsOf(world);
  const left: Leftover[] = [];
  for (const deployment of await liveDeployments(world)) {
    const base = `/agents/${deployment.id}`;
    for (const agentKind of AGENT_KINDS) {
      for (const remote of await listOn(world, base, agentKind)) {
        const id = String(remote[agentKind.key]);
        const path = `${base}${agentKind.route}/${id}`;
        const isOfServer = remote.metadata.created_by === "system" || remote.metadata.pulumi_cron !== undefined;
        if (own.has(id) || world.others.threads.has(path) || world.others.assistants.has(path)) continue;
        if (isOfServer && agentKind.kind !== "Cron") continue;
        left.push({
          id,
          kind: agentKind.kind,
          mustBeNamed: mustBeNamed(world, base, remote, agentKind),
          remove: () => world.server.call("DELETE", path),
        });
      }
    }
  }
  return left;
}

/**
 * Whether the resource that made a left object was created on that server since: then it had to name the object. Nothing
 * in state or program mentions an object whose resource left the program or moved to another server.
 */
function mustBeNamed(world: World, base: string, remote: AgentObject, { kind, key, marker }: AgentKind): boolean {
  const { metadata } = remote;
  // A copy of a thread has the metadata of its source.
  const isOriginal = kind !== "Thread" || [metadata[marker], metadata[`${marker}_id`]].includes(remote[key]);
  const declared = world.program.filter((one) => one.kind === kind);
  return markers(world, kind).some((ownMarker, index) => {
    const { outputs } = world.engine.state.get(declared[index]?.name ?? "")?.resource ?? {};
    const isHere = String(outputs?.url).endsWith(base);
    return isHere && isOriginal && metadata[`${marker}_resource`] === deriveResourceId({ marker: ownMarker } as never);
  });
}

export interface RemoteExport extends PropertyMap {
  id: string;
  status: string;
  source_bulk_export_id?: string | null;
}

const isRunning = ({ status }: RemoteExport): boolean => !/completed|failed|cancelled|timedout/i.test(status);

/** What the program declares of an export or a destination. */
const contentOf = (remote: PropertyMap): string =>
  JSON.stringify(
    [
      "display_name",
      "config",
      "bulk_export_destination_id",
      "session_id",
      "start_time",
      "end_time",
      "interval_hours",
      "filter",
    ].map((key) => remote[key] ?? null),
  );

/** Exports that run, schedules that are active, and destinations. */
async function exportObjects(world: World): Promise<Leftover[]> {
  const own = idsOf(world);
  const { destinationId, scheduleId } = world.others.ids;
  const { body: allExports } = await world.server.call<RemoteExport[]>("GET", EXPORTS);
  const { body: destinations } = await world.server.call<(PropertyMap & { id: string })[]>(
    "GET",
    `${EXPORTS}/destinations`,
  );
  const isForeign = ({ id, source_bulk_export_id: source }: RemoteExport) => id === scheduleId || source != null;
  const left = allExports.filter((one) => isRunning(one) && !isForeign(one) && !own.has(one.id));
  const settled = [...allExports, ...destinations].filter(({ id }) => own.has(id)).map(contentOf);
  const unused = destinations.filter(({ id }) => id !== destinationId && !own.has(id));
  const twin = [...left, ...unused].find((one) => settled.includes(contentOf(one)));
  if (twin) throw new Error(`${twin.id} is there twice: ${contentOf(twin)}`);
  return [
    ...left.map(({ id, interval_hours: hours }) => ({
      id,
      kind: hours == null ? "BulkExport" : "ScheduledBulkExport",
      mustBeNamed: false,
      remove: () => world.server.call("PATCH", `${EXPORTS}/${id}`, { status: "Cancelled" }),
    })),
    ...unused.map(({ id }) => ({
      id,
      kind: "BulkExportDestination",
      mustBeNamed: false,
      remove: () => world.server.call("DELETE", `${EXPORTS}/destinations/${id}`),
    })),
  ];
}
