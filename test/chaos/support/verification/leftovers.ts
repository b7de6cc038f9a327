/**
 * Objects that interrupted runs left behind: created by the program, in nobody's state. The messages must have named them,
 * as far as the documentation promises; then a person deletes them.
 */

import { ownershipMarker } from "../../../../provider/definition/ownership";
import { deriveResourceId } from "../../../../provider/resources/shared/agent-server/identity";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { Stack } from "../../../support/stack";
import type { RemoteThread } from "../server/others";
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
  return [...(await deployments(world)), ...(await threads(world)), ...(await exportObjects(world))];
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

/** Lists the threads of a deployment. */
export async function threadsOn(world: World, base: string): Promise<RemoteThread[]> {
  const { body } = await world.server.call<RemoteThread[]>("POST", `${base}/threads/search`, { limit: 1000 });
  return Array.isArray(body) ? body : [];
}

async function threads(world: World): Promise<Leftover[]> {
  const own = idsOf(world);
  const tags = markers(world, "Thread").map((marker) => deriveResourceId({ marker } as never));
  const left: Leftover[] = [];
  for (const deployment of await liveDeployments(world)) {
    const base = `/agents/${deployment.id}`;
    for (const { thread_id: id, metadata } of await threadsOn(world, base)) {
      const path = `${base}/threads/${id}`;
      if (own.has(id) || world.others.threads.has(path)) continue;
      left.push({
        id,
        kind: "Thread",
        mustBeNamed: mustBeNamed(world, base, id, metadata, tags),
        remove: () => world.server.call("DELETE", path),
      });
    }
  }
  return left;
}

/**
 * Whether the resource that made a left thread was created on that server since: then it had to name the thread. Nothing
 * in state or program mentions a thread whose resource left the program or moved to another server.
 */
function mustBeNamed(world: World, base: string, id: string, metadata: PropertyMap, tags: string[]): boolean {
  const isTagged = [metadata.pulumi_thread, metadata.pulumi_thread_id].includes(id);
  return world.program.some(({ name, kind }, index) => {
    const { outputs } = world.engine.state.get(name)?.resource ?? {};
    if (kind !== "Thread" || !String(outputs?.url).endsWith(base)) return false;
    const tag = tags[world.program.filter((one, other) => one.kind === "Thread" && other < index).length];
    return isTagged && metadata.pulumi_thread_resource === tag;
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
