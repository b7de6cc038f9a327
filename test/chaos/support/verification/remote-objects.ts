/** Compares what the server has with the program. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { FILTER, imageOf, inputOf, isPaused, nameOf, promptOf, scheduleOf, secretOf } from "../program/program";
import type {
  AssistantSpec,
  CronSpec,
  DeploymentSpec,
  DestinationSpec,
  ExportSpec,
  Slot,
  ThreadSpec,
} from "../program/schedule";
import type { World } from "../world";
import { AGENT_KINDS, EXPORTS, idsOf, listOn, liveDeployments, type RemoteExport } from "./leftovers";

const expectEqual = (what: string, actual: unknown, expected: unknown) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
};

const entryOf = (world: World, slot: Slot) => {
  const { name = slot } = world.program.find((one) => one.slot === slot) ?? {};
  const entry = world.engine.state.get(name);
  if (!entry) throw new Error(`${name} is not in state`);
  return entry.resource;
};

interface RemoteDeployment {
  name: string;
  source: string;
  source_config: { resource_spec?: { cpu?: number } | null };
  source_revision_config: PropertyMap;
  secrets: { name: string; value: string }[];
  latest_revision_id: string;
  active_revision_id: string;
}

export async function verifyDeployments(world: World): Promise<void> {
  const specs = world.declarations.specs.filter((spec): spec is DeploymentSpec => "source" in spec);
  const own = (await liveDeployments(world)).filter(({ id }) => !world.others.deploymentIds.has(id));
  expectEqual("the names of deployments", own.map(({ name }) => name).sort(), specs.map(nameOf).sort());
  for (const spec of specs) await verifyDeployment(world, spec);
}

async function verifyDeployment(world: World, spec: DeploymentSpec): Promise<void> {
  const { slot, cpu } = spec;
  const { id, outputs } = entryOf(world, slot);
  const { body: remote } = await world.server.call<RemoteDeployment>("GET", `/_emulator/deployments/${id}`);
  expectEqual(`the name of ${slot}`, remote.name, nameOf(spec));
  expectEqual(`the live revision of ${slot}`, remote.active_revision_id, remote.latest_revision_id);
  expectEqual(`the revision of ${slot} in state`, outputs.activeRevisionId, remote.active_revision_id);
  if (spec.source === "image")
    expectEqual(`the image of ${slot}`, remote.source_revision_config.image_uri, imageOf(spec));
  else expectEqual(`the source of ${slot}`, sourceOf(world, remote), `version ${spec.version}`);
  const secret = remote.secrets.find(({ name }) => name === "TOKEN")?.value;
  expectEqual(`the secret of ${slot}`, secret, secretOf(slot, spec.secret));
  if (cpu !== undefined && spec.source === "image")
    expectEqual(`the CPU of ${slot}`, remote.source_config.resource_spec?.cpu, cpu);
}

/** Returns the text of the file that contains the version of a folder, as it was uploaded. */
function sourceOf(
  { server }: World,
  { source_revision_config: { source_tarball_path: path } }: RemoteDeployment,
): string {
  const archive = gunzipSync(readFileSync(server.uploadOf(basename(String(path))))).toString("latin1");
  return /version \d/.exec(archive)?.[0] ?? "without its file";
}

export async function verifyThreads(world: World): Promise<void> {
  const specs = world.declarations.specs.filter((spec): spec is ThreadSpec => "team" in spec);
  expectEqual("the number of threads", await countOwn(world, "Thread"), specs.length);
  for (const spec of specs) {
    const { id, outputs } = entryOf(world, spec.slot);
    const path = `${new URL(String(outputs.url)).pathname}/threads/${id}`;
    const { body, status } = await world.server.call<{ metadata: PropertyMap; values: PropertyMap | null }>(
      "GET",
      path,
    );
    expectEqual(`the status of ${path}`, status, 200);
    expectEqual(`the team of ${spec.slot}`, body.metadata.team, spec.team);
    if (spec.tier !== undefined) expectEqual(`the tier of ${spec.slot}`, body.metadata.tier, spec.tier);
    // An import does not compare the history.
    if (!world.declarations.imports.has(spec.slot))
      expectEqual(`the messages of ${spec.slot}`, messagesOf(body.values), textsOf(world, spec));
  }
}

/** Counts the objects of the program on all agent servers. */
async function countOwn(world: World, kind: (typeof AGENT_KINDS)[number]["kind"]): Promise<number> {
  const ids = idsOf(world);
  let count = 0;
  for (const { id } of await liveDeployments(world))
    for (const agentKind of AGENT_KINDS.filter((one) => one.kind === kind))
      count += (await listOn(world, `/agents/${id}`, agentKind)).filter((one) =>
        ids.has(String(one[agentKind.key])),
      ).length;
  return count;
}

const messagesOf = (values: PropertyMap | null): unknown[] =>
  ((values?.messages ?? []) as { content: string }[]).map(({ content }) => content);

/** The messages that a thread begins with: its own, or those of the thread that it copies. */
function textsOf(world: World, spec: ThreadSpec): string[] {
  const { copyFrom } = world.program.find(({ slot }) => slot === spec.slot)?.references ?? {};
  const source = world.program.find(({ name }) => name === copyFrom?.name)?.slot;
  const declared = world.declarations.specs.find(({ slot }) => slot === source) as ThreadSpec | undefined;
  const { text } = declared ?? spec;
  return text === undefined ? [] : [text];
}

export async function verifyAssistants(world: World): Promise<void> {
  const specs = world.declarations.specs.filter((spec): spec is AssistantSpec => "prompt" in spec);
  expectEqual("the number of assistants", await countOwn(world, "Assistant"), specs.length);
  for (const { slot, graph, prompt, tags, note } of specs) {
    const { id, outputs } = entryOf(world, slot);
    const path = `${new URL(String(outputs.url)).pathname}/assistants/${id}`;
    const { body } = await world.server.call<PropertyMap & { config: PropertyMap }>("GET", path);
    expectEqual(`the graph of ${slot}`, body.graph_id, graph);
    expectEqual(`the context of ${slot}`, body.context, { prefix: promptOf(slot, prompt) });
    expectEqual(`the tags of ${slot}`, body.config?.tags, tags && [slot]);
    expectEqual(`the description of ${slot}`, body.description || undefined, note);
    expectEqual(`the version of ${slot} in state`, outputs.version, body.version);
  }
}

export async function verifyCrons(world: World): Promise<void> {
  const specs = world.declarations.specs.filter((spec): spec is CronSpec => "minute" in spec);
  expectEqual("the number of crons", await countOwn(world, "Cron"), specs.length);
  const bySlot = new Map(world.declarations.specs.map((spec) => [spec.slot, spec]));
  for (const spec of specs) {
    const { slot, zone, input } = spec;
    const { id, outputs, inputs } = entryOf(world, slot);
    const path = `${new URL(String(outputs.url)).pathname}/runs/crons/${id}`;
    const { body } = await world.server.call<PropertyMap & { payload: PropertyMap }>("GET", path);
    expectEqual(`the schedule of ${slot}`, body.schedule, scheduleOf(spec));
    expectEqual(`the time zone of ${slot}`, body.timezone ?? "UTC", zone ?? "UTC");
    expectEqual(`whether ${slot} fires`, body.enabled, !isPaused(spec, bySlot));
    expectEqual(`the input of ${slot}`, body.payload?.input, input === undefined ? undefined : inputOf(slot, input));
    expectEqual(`the thread of ${slot}`, body.thread_id, inputs.threadId ?? null);
    expectEqual(`the assistant of ${slot}`, body.assistant_id, outputs.resolvedAssistantId);
  }
}

export async function verifyExports(world: World): Promise<void> {
  const { body: allExports } = await world.server.call<RemoteExport[]>("GET", EXPORTS);
  for (const spec of world.declarations.specs) {
    if ("prefix" in spec) await verifyDestination(world, spec);
    if ("variant" in spec) verifyExport(world, spec, allExports);
  }
}

async function verifyDestination(world: World, { slot, prefix }: DestinationSpec): Promise<void> {
  const { body } = await world.server.call<{ config: PropertyMap }>(
    "GET",
    `${EXPORTS}/destinations/${entryOf(world, slot).id}`,
  );
  expectEqual(`the prefix of ${slot}`, body.config?.prefix, prefix);
}

function verifyExport(world: World, { slot, variant }: ExportSpec, allExports: RemoteExport[]): void {
  const { id, inputs } = entryOf(world, slot);
  const remote = allExports.find((one) => one.id === id);
  if (!remote) throw new Error(`export ${id} of ${slot} does not exist`);
  if (/cancel|fail|timedout/i.test(remote.status)) throw new Error(`export ${id} of ${slot} is ${remote.status}`);
  expectEqual(`the destination of ${slot}`, remote.bulk_export_destination_id, inputs.bulkExportDestinationId);
  expectEqual(`the project of ${slot}`, remote.session_id, inputs.sessionId);
  if (slot === "daily") expectEqual(`the interval of ${slot}`, remote.interval_hours, variant === 0 ? 24 : 48);
  else expectEqual(`the filter of ${slot}`, remote.filter ?? null, variant === 1 ? FILTER : null);
}
