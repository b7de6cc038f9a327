/** Random programs: deployments, threads and copies of them, a destination, exports and schedules. */
import type { PropertyMap } from "../../../provider/schema/schema";
import { destination } from "../../support/destinations";
import type { Workspace } from "../../support/exports";
import type { Random } from "./random";

export interface Declared {
  name: string;
  kind: string;
  /** Names of resources whose IDs its inputs hold, by input. */
  references: Record<string, string>;
  inputs: PropertyMap;
}

/** Resources in an order in which each comes after what it refers to. */
export type Program = readonly Declared[];

const superstep = (text: string) => ({
  updates: [{ asNode: "echo", values: { messages: [{ role: "user", content: text }] } }],
});

const specOf = (random: Random) => ({ cpu: random.pick([1, 2]), memoryMb: 1024 });

let secrets = 0;
/** Every secret that a program ever held. */
export const allSecrets: string[] = [];

function secret(): string {
  const text = `s3cret-value-${secrets++}`;
  allSecrets.push(text);
  return text;
}

const deployment = (random: Random, name: string): Declared => ({
  ...{ name, kind: "Deployment", references: {} },
  inputs: {
    name,
    source: "external_docker",
    sourceRevisionConfig: { imageUri: `registry.example.com/${name}:${random.below(4)}` },
    secrets: { TOKEN: secret(), ...(random.chance(0.4) && { OTHER: secret() }) },
    ...(random.chance(0.4) && { sourceConfig: { resourceSpec: specOf(random) } }),
  },
});

function thread(random: Random, name: string, agent: string | undefined, shared: string, source?: string): Declared {
  const isCopy = source !== undefined;
  return {
    ...{ name, kind: "Thread" },
    references: { ...(agent !== undefined && { deploymentId: agent }), ...(isCopy && { copyFrom: source }) },
    inputs: {
      ...(agent === undefined && { deploymentId: shared }),
      metadata: { graph_id: "echo", team: random.pick(["support", "sales"]), ...(random.chance(0.3) && { tier: 1 }) },
      ...(!isCopy && random.chance(0.5) && { supersteps: [superstep(random.pick(["Hello", "Hi"]))] }),
    },
  };
}

/** Returns a random program. @param shared A deployment of another team, which threads may use. */
export function randomProgram(random: Random, workspace: Workspace, shared: string): Program {
  const agents = ["one", "two"].filter(() => random.chance(0.6)).map((name) => deployment(random, name));
  const agent = agents.length > 0 && random.chance(0.5) ? random.pick(agents).name : undefined;
  const threads = [thread(random, "session", agent, shared)];
  if (random.chance(0.6)) threads.push(thread(random, "copy", agent, shared, "session"));
  const exported: Declared[] = [];
  if (random.chance(0.6)) {
    const { credentials } = destination(workspace) as { credentials: PropertyMap };
    const inputs = destination(workspace, { displayName: "chaos", credentials });
    exported.push({ name: "bucket", kind: "BulkExportDestination", references: {}, inputs });
    const references = { bulkExportDestinationId: "bucket" };
    const { bulkExportDestinationId: _, ...once } = workspace.oneTime(
      random.chance(0.5) ? {} : { filter: "eq(is_root, true)" },
    );
    if (random.chance(0.5)) exported.push({ name: "once", kind: "BulkExport", references: references, inputs: once });
    const daily = { sessionId: workspace.sessionId, startTime: SCHEDULE_START, intervalHours: random.pick([24, 48]) };
    if (random.chance(0.5))
      exported.push({ name: "daily", kind: "ScheduledBulkExport", references: references, inputs: daily });
  }
  return [...agents, ...threads, ...exported];
}

/** Shortly before the emulator's time begins: few windows have passed. */
const SCHEDULE_START = new Date(Date.now() - 60 * 3_600_000).toISOString();

/** The same program with something changed, added or removed. */
export function changedProgram(random: Random, program: Program, other: Program): Program {
  const byName = new Map(other.map((resource) => [resource.name, resource]));
  const remaining = program
    .map((resource) => (random.chance(0.4) ? (byName.get(resource.name) ?? resource) : resource))
    .concat(other.filter(({ name }) => random.chance(0.3) && !program.some((resource) => resource.name === name)));
  return withoutDanglingReferences(remaining).sort((a, b) => RANK.indexOf(a.name) - RANK.indexOf(b.name));
}

/** Without what refers to something that is not declared, and without a copy that lives elsewhere than its source. */
function withoutDanglingReferences(program: Program): Declared[] {
  const byName = new Map(program.map((resource) => [resource.name, resource]));
  const deploymentOf = ({ inputs, references }: Declared) => references.deploymentId ?? inputs.deploymentId;
  const remaining = program.filter(({ references, ...rest }) => {
    const source = byName.get(references.copyFrom ?? "");
    const isMoved = source !== undefined && deploymentOf(source) !== deploymentOf({ references, ...rest });
    return !isMoved && Object.values(references).every((name) => byName.has(name));
  });
  return remaining.length === program.length ? remaining : withoutDanglingReferences(remaining);
}

const RANK = ["one", "two", "session", "copy", "bucket", "once", "daily"];
