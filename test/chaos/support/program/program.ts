/** The declarations of a program: what each resource of a schedule is declared as. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../../emulator/src/index";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { destination } from "../../../support/destinations";
import { superstep } from "../../../support/threads";
import {
  type AssistantSpec,
  type CronSpec,
  type DeploymentSpec,
  type DestinationSpec,
  type ExportSpec,
  type ResourceSpec,
  SLOTS,
  type Slot,
  type ThreadSpec,
} from "./schedule";

export interface Reference {
  slot: Slot;
  /** `id`, or an output. */
  output: string;
}

export interface Declared {
  slot: Slot;
  kind: string;
  /** By input. */
  references: Record<string, Reference>;
  inputs: PropertyMap;
}

/** What exists beside the program, and belongs to others. */
export interface Surroundings {
  emulator: Emulator;
  /** The URL that the program uses. */
  url: string;
  /** The deployment, destination and tracing project of another team. */
  shared: string;
  destinationId: string;
  sessionId: string;
  /** A folder for the sources of deployments. */
  folder: string;
}

const KINDS: Record<Slot, string> = {
  api: "Deployment",
  worker: "Deployment",
  session: "Thread",
  chat: "Thread",
  copy: "Thread",
  draft: "Thread",
  bucket: "BulkExportDestination",
  archive: "BulkExportDestination",
  once: "BulkExport",
  daily: "ScheduledBulkExport",
  support: "Assistant",
  sales: "Assistant",
  nightly: "Cron",
  hourly: "Cron",
};

const SOURCE_OF: Partial<Record<Slot, Slot>> = { copy: "session", draft: "chat" };

export const nameOf = ({ slot, renamed }: DeploymentSpec): string => (renamed ? `${slot}-two` : slot);
export const secretOf = (slot: Slot, version: number): string => `s3cret-of-${slot}-${version}`;
export const allSecrets = SLOTS.flatMap((slot) => [0, 1, 2].map((version) => secretOf(slot, version)));
/** What an assistant or a cron passes to the graph; a secret for one of each. */
export const promptOf = (slot: Slot, version: number): string =>
  isSensitive(slot) ? secretOf(slot, version) : `prompt ${version}`;
const isSensitive = (slot: Slot) => slot === "sales" || slot === "hourly";
const displayNameOf = ({ slot }: DestinationSpec): string => `chaos-${slot}`;

/** Returns the declarations in an order in which each comes after what it refers to. */
export function declare(specs: readonly ResourceSpec[], surroundings: Surroundings): Declared[] {
  const declared = new Map<Slot, Declared>();
  const bySlot = new Map(specs.map((spec) => [spec.slot, spec]));
  for (const slot of SLOTS) {
    const spec = bySlot.get(slot);
    if (spec) declared.set(slot, declareOne(spec, bySlot, surroundings));
  }
  return [...declared.values()];
}

function declareOne(spec: ResourceSpec, bySlot: ReadonlyMap<Slot, ResourceSpec>, around: Surroundings): Declared {
  const one = { slot: spec.slot, kind: KINDS[spec.slot], references: {} };
  if ("source" in spec) return { ...one, inputs: deployment(spec, around) };
  if ("team" in spec) {
    const source = copiedBy(spec, bySlot);
    return { ...one, ...thread(spec, source, bySlot.has((source ?? spec).on as Slot), around) };
  }
  if ("prompt" in spec) return { ...one, ...assistant(spec, bySlot, around) };
  if ("minute" in spec) return { ...one, ...cron(spec, bySlot, around) };
  if ("prefix" in spec) {
    const { prefix } = spec;
    return { ...one, inputs: destination(around, { displayName: displayNameOf(spec), config: { prefix } }) };
  }
  return { ...one, ...exported(spec, bySlot, around) };
}

function deployment(spec: DeploymentSpec, { folder }: Surroundings): PropertyMap {
  const { slot, source, version, secret, cpu, waitFor, rollbackOnFailure } = spec;
  const common = {
    name: nameOf(spec),
    secrets: { TOKEN: secretOf(slot, secret) },
    ...(cpu !== undefined && source === "image" && { sourceConfig: { resourceSpec: { cpu, memoryMb: 1024 } } }),
    ...(waitFor && { waitFor }),
    ...(rollbackOnFailure && { rollbackOnFailure }),
  };
  if (source === "image")
    return { ...common, source: "external_docker", sourceRevisionConfig: { imageUri: imageOf(spec) } };
  const sourcePath = join(folder, slot);
  mkdirSync(sourcePath, { recursive: true });
  writeFileSync(join(sourcePath, "agentgraph.json"), '{"graphs":{"agent":"./agent.py:graph"}}');
  writeFileSync(join(sourcePath, "version.txt"), `version ${version}`);
  const sourceRevisionConfig = { agentgraphConfigPath: "agentgraph.json" };
  return { ...common, source: "internal_source", sourcePath, sourceRevisionConfig };
}

export const imageOf = ({ slot, version }: DeploymentSpec): string => `registry.example.com/${slot}:${version}`;

/** Returns the declared source of a copy. */
function copiedBy(spec: ThreadSpec, bySlot: ReadonlyMap<Slot, ResourceSpec>): ThreadSpec | undefined {
  return bySlot.get(SOURCE_OF[spec.slot] as Slot) as ThreadSpec | undefined;
}

/** The server of what is on a deployment. */
function serverOf(
  { on, by }: Pick<ThreadSpec, "on" | "by">,
  isOnDeclared: boolean,
  { shared, url }: Surroundings,
): Pick<Declared, "references" | "inputs"> {
  const sharedServer = by === "deploymentId" ? shared : `${url}/agents/${shared}`;
  return isOnDeclared
    ? { references: { [by]: { slot: on as Slot, output: by === "deploymentId" ? "id" : "url" } }, inputs: {} }
    : { references: {}, inputs: { [by]: sharedServer } };
}

/** A copy is on the server of its source. */
function thread(
  spec: ThreadSpec,
  source: ThreadSpec | undefined,
  isOnDeclared: boolean,
  around: Surroundings,
): Pick<Declared, "references" | "inputs"> {
  const { team, tier, text } = spec;
  const server = serverOf(source ?? spec, isOnDeclared, around);
  return {
    references: { ...server.references, ...(source && { copyFrom: { slot: source.slot, output: "id" } }) },
    inputs: {
      ...server.inputs,
      metadata: { graph_id: "echo", team, ...(tier !== undefined && { tier }) },
      ...(!source && text && { supersteps: [superstep({ messages: [{ role: "user", content: text }] })] }),
    },
  };
}

function assistant(spec: AssistantSpec, bySlot: ReadonlyMap<Slot, ResourceSpec>, around: Surroundings) {
  const { slot, graph, prompt, tags, note } = spec;
  const { references, inputs } = serverOf(spec, bySlot.has(spec.on as Slot), around);
  const context = { prefix: promptOf(slot, prompt) };
  const own = { name: slot, graphId: graph, context, ...(isSensitive(slot) && { sensitive: true }) };
  return {
    references,
    inputs: { ...inputs, ...own, ...(tags && { config: { tags: [slot] } }), ...(note && { description: note }) },
  };
}

/** A cron is on the server of its assistant. */
function cron(spec: CronSpec, bySlot: ReadonlyMap<Slot, ResourceSpec>, around: Surroundings) {
  const { slot, runs, input, zone } = spec;
  const assistantSpec = bySlot.get(runs as Slot) as AssistantSpec | undefined;
  const place = assistantSpec ?? { on: "shared" as const, by: "deploymentId" as const };
  const { references, inputs } = serverOf(place, bySlot.has(place.on as Slot), around);
  const thread = threadOf(spec, bySlot);
  return {
    references: {
      ...references,
      ...(assistantSpec && { assistantId: { slot: assistantSpec.slot, output: "id" } }),
      ...(thread && { threadId: { slot: thread, output: "id" } }),
    },
    inputs: {
      ...inputs,
      ...(!assistantSpec && { assistantId: "echo" }),
      schedule: scheduleOf(spec),
      ...(zone && { timezone: zone }),
      ...(isPaused(spec, bySlot) && { enabled: false }),
      ...(input !== undefined && { input: inputOf(slot, input), ...(isSensitive(slot) && { sensitive: true }) }),
    },
  };
}

export const inputOf = (slot: Slot, version: number): PropertyMap => ({
  messages: [{ role: "user", content: promptOf(slot, version) }],
});
export const scheduleOf = ({ minute }: CronSpec): string => `${minute} 3 * * *`;

/** Returns the thread of a cron, if it is declared on the same server. */
function threadOf({ runs, thread }: CronSpec, bySlot: ReadonlyMap<Slot, ResourceSpec>): Slot | undefined {
  const threadSpec = thread && (bySlot.get(thread) as ThreadSpec | undefined);
  const deploymentOf = (spec: { on: string } | undefined) => spec && (bySlot.has(spec.on as Slot) ? spec.on : "shared");
  const own = deploymentOf(bySlot.get(runs as Slot) as AssistantSpec | undefined) ?? "shared";
  return threadSpec && deploymentOf(threadSpec) === own ? threadSpec.slot : undefined;
}

export const isPaused = (spec: CronSpec, bySlot: ReadonlyMap<Slot, ResourceSpec>): boolean =>
  spec.paused === true || threadOf(spec, bySlot) !== undefined;

function exported(
  { slot, to, of, variant, waitFor }: ExportSpec,
  bySlot: ReadonlyMap<Slot, ResourceSpec>,
  { destinationId, sessionId }: Surroundings,
): Pick<Declared, "references" | "inputs"> {
  const window =
    slot === "daily"
      ? { startTime: SCHEDULE_START, intervalHours: variant === 0 ? 24 : 48 }
      : { ...WINDOW, ...(variant === 1 && { filter: FILTER }), ...(waitFor && { waitFor }) };
  return {
    references: {
      ...(bySlot.has(to as Slot) && { bulkExportDestinationId: { slot: to as Slot, output: "id" } }),
      ...(bySlot.has(of as Slot) && { sessionId: { slot: of as Slot, output: "tracingProjectId" } }),
    },
    inputs: {
      ...(!bySlot.has(to as Slot) && { bulkExportDestinationId: destinationId }),
      ...(!bySlot.has(of as Slot) && { sessionId }),
      ...window,
    },
  };
}

export const FILTER = "eq(is_root, true)";
const WINDOW = { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-04T00:00:00Z" };
/** Shortly before the emulator's time begins: few windows have passed. */
const SCHEDULE_START = new Date(Date.now() - 60 * 3_600_000).toISOString();
