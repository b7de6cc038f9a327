/** Random programs with resources of all kinds, as JavaScript for either provider. */
import type { Random } from "../../chaos/support/random";
import { agentKinds } from "../../support/agents/kinds";
import type { AgentInputs } from "../../support/agents/kinds/kind";

export type Host = "dynamic" | "native";

/** What programs use on the server. */
export interface Surroundings {
  /** The ID of a live deployment of another team, which threads may use. */
  shared: string;
  /** A tracing project with runs. */
  sessionId: string;
  bucket: { url: string; accessKeyId: string; secretAccessKey: string };
}

export interface Declared {
  name: string;
  kind: string;
  inputs: Record<string, unknown>;
  /** Names of resources whose IDs are inputs, by input. */
  references: Record<string, string>;
}

/** The values that no state, log or message may show. */
export const SECRETS = ["canary-of-the-token", "canary-of-the-api-key", "canary-of-the-bucket"] as const;
const [TOKEN] = SECRETS;
export const [, API_KEY, BUCKET_SECRET] = SECRETS;

/** Returns resources in an order in which each follows those that it refers to. */
export function randomProgram(random: Random, surroundings: Surroundings): Declared[] {
  const agents = [
    ...["one", "two"].filter(() => random.chance(0.6)).map((name) => image(random, name)),
    ...(random.chance(0.3) ? [folder()] : []),
  ];
  const threads = random.chance(0.8) ? threadsOn(random, random.pick([...agents, undefined]), surroundings.shared) : [];
  const objects = agentKinds
    .filter(() => random.chance(0.6))
    .flatMap((kind) => objectsOn(random, random.pick([...agents, undefined]), surroundings.shared, kind));
  return [...agents, ...threads, ...objects, ...(random.chance(0.5) ? exported(random, surroundings) : [])];
}

const image = (random: Random, name: string): Declared => ({
  ...{ name, kind: "Deployment", references: {} },
  inputs: {
    ...{ name, source: "external_docker", secrets: { TOKEN } },
    sourceRevisionConfig: { imageUri: `registry.example.com/${name}:${random.below(4)}` },
    ...(random.chance(0.5) && { verify: [{ http: { path: "/info" } }, { conversations: {} }] }),
  },
});

/** The folder is in the program's folder, and its content differs from round to round. */
export const FOLDER = "agent";

const folder = (): Declared => ({
  ...{ name: "folder", kind: "Deployment", references: {} },
  inputs: {
    ...{ name: "folder", source: "internal_source", sourcePath: FOLDER, secrets: { TOKEN } },
    sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
  },
});

function threadsOn(random: Random, agent: Declared | undefined, shared: string): Declared[] {
  const metadata = () => ({ graph_id: "echo", team: random.pick(["support", "sales"]) });
  const where = agent ? {} : { deploymentId: shared };
  const references: Record<string, string> = agent ? { deploymentId: agent.name } : {};
  const message = { role: "user", content: random.pick(["Hello", "Hi"]) };
  const supersteps = [{ updates: [{ asNode: "echo", values: { messages: [message] } }] }];
  return [
    { ...{ name: "session", kind: "Thread", references }, inputs: { ...where, metadata: metadata(), supersteps } },
    ...["copy", "draft"]
      .filter(() => random.chance(0.4))
      .map((name) => ({
        ...{ name, kind: "Thread", references: { ...references, copyFrom: "session" } },
        inputs: { ...where, metadata: metadata() },
      })),
  ];
}

/** An object of a kind, and the crons of an assistant. These fire once a year, so that they start no runs. */
function objectsOn(random: Random, agent: Declared | undefined, shared: string, kind: AgentInputs): Declared[] {
  const where = agent ? {} : { deploymentId: shared };
  const references: Record<string, string> = agent ? { deploymentId: agent.name } : {};
  const { names, name, declared, changed } = kind;
  const inputs = { ...where, ...declared, ...random.pick([{}, changed]) };
  const object = { name, kind: names.kind, references, inputs };
  if (names.kind !== "Assistant") return [object];
  const cron = () => ({ ...where, schedule: random.pick(["0 3 1 1 *", "30 4 1 1 *"]), input: {} });
  const ofAssistant = { ...references, assistantId: name };
  const crons = [
    { ...{ name: "yearly", kind: "Cron", references: ofAssistant }, inputs: cron(), chance: 0.7 },
    { ...{ name: "ofGraph", kind: "Cron", references }, inputs: { ...cron(), assistantId: "agent" }, chance: 0.4 },
  ];
  return [object, ...crons.flatMap(({ chance, ...one }) => (random.chance(chance) ? [one] : []))];
}

/** Three weeks ago: a schedule exports all windows since then at once, and the server accepts 250 exports per hour. */
const RECENTLY = `${new Date(Date.now() - 21 * 24 * 3_600_000).toISOString().slice(0, 10)}T00:00:00Z`;

function exported(random: Random, { bucket, sessionId }: Surroundings): Declared[] {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = bucket;
  const references = { bulkExportDestinationId: "lake" };
  const lake = {
    ...{ destinationType: "s3", displayName: "lake", credentials: { accessKeyId, secretAccessKey } },
    config: { bucketName: "exports", prefix: random.pick(["a", "b"]), endpointUrl },
  };
  const window = {
    startTime: "2026-01-14T00:00:00Z",
    endTime: `${random.pick(["2026-01-15", "2026-01-16"])}T00:00:00Z`,
  };
  const once = { sessionId, ...window, waitFor: random.pick(["completed", "none"]) };
  const hourly = { sessionId, startTime: RECENTLY, intervalHours: random.pick([24, 24 * 7]) };
  return [
    { name: "lake", kind: "BulkExportDestination", references: {}, inputs: lake },
    ...(random.chance(0.6) ? [{ name: "once", kind: "BulkExport", references, inputs: once }] : []),
    ...(random.chance(0.6) ? [{ name: "hourly", kind: "ScheduledBulkExport", references, inputs: hourly }] : []),
  ];
}

/** @param imports IDs for the resource option `import`, by resource. */
export function sourceOf(program: readonly Declared[], host: Host, imports: ReadonlyMap<string, string>): string {
  const lines = program.map(({ name, kind, inputs, references }) => {
    const ids = Object.entries(references).map(([input, other]) => `${input}: r.${other}.id`);
    const id = imports.get(name);
    const options = JSON.stringify(id === undefined ? {} : { import: id });
    return (
      `r.${name} = new agentgraph.${kind}("${name}", { ...${JSON.stringify(inputs)}, ${ids.join(", ")} }, ` +
      `${options});`
    );
  });
  const module = host === "native" ? "pulumi-agentgraph/native" : "pulumi-agentgraph";
  return [`const agentgraph = require("${module}");`, "const r = {};", ...lines].join("\n");
}
