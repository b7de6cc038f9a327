/** The options of `npm run acceptance`. */

const text = (form: string, meaning: string) => ({ type: "string" as const, form, meaning });
const flag = (meaning: string) => ({ type: "boolean" as const, meaning });

export const GROUPS = ["deployments", "assistants", "crons", "threads", "exports", "statements"] as const;
export type Group = (typeof GROUPS)[number];

/** What the emulator can be: as the API is described, or as it is reported to be today. */
export const PLATFORMS = ["described", "today"] as const;
export type Platform = (typeof PLATFORMS)[number];

export const usage = {
  command: "npm run acceptance",
  summary: [
    "Runs real programs with the real Pulumi engine against a server, and reports what works and what differs.",
    "The server is that of AGENTGRAPH_URL, or of AGENTGRAPH_CONTROL_PLANE_URL and AGENTGRAPH_TRACING_API_URL, with " +
      "the other AGENTGRAPH_* settings;",
    "without them, the suite starts the emulator. ACCEPTANCE_BUCKET_KEY_ID and ACCEPTANCE_BUCKET_SECRET open " +
      "the bucket.",
  ].join("\n"),
  options: {
    image: text("URI", "container image of an agent server"),
    "next-image": text("URI", "another image of it, to roll out a change"),
    "broken-image": text("URI", "an image whose rollout fails"),
    repository: text("URL", "git repository of an agent, which the platform can build"),
    listener: text("ID", "listener of the cluster that runs the images, where the platform requires one"),
    namespace: text("NAME", "namespace of the cluster, of those that the listener serves"),
    "agent-url": text(
      "URL",
      "agent server for threads, assistants and crons (default: that of a deployment of --image)",
    ),
    graph: text("ID", "graph of the agent server, for assistants, crons and threads with a history"),
    bucket: text("NAME", "bucket that the platform can export to"),
    "bucket-endpoint": text("URL", "its endpoint, unless it is in the cloud's own store"),
    "bucket-region": text("NAME", "its region (default: us-east-1)"),
    project: text("ID", "tracing project whose last day is exported"),
    only: text("GROUPS", `only these, separated by commas: ${GROUPS.join(", ")}`),
    native: flag("with the native provider instead of dynamic resources"),
    "both-hosts": flag("with both"),
    prefix: text("TEXT", "beginning of all names that the run creates (default: acceptance)"),
    timeout: text("MINUTES", "limit of one rollout or export (default: 30)"),
    platform: text("NAME", `platform that the emulator is like: ${PLATFORMS.join(" or ")} (default: ${PLATFORMS[0]})`),
    "interface-only": flag("start the emulator with only the routes that the platform's API describes"),
    json: text("FILE", "also write the report to a file, as JSON"),
    sweep: flag("remove what earlier runs left, instead of running"),
    yes: flag("do not ask before it begins"),
  },
};

export type Values = { [Name in keyof typeof usage.options]?: string | boolean };

/** What the owner of a platform chose. */
export interface Options {
  image?: string | undefined;
  nextImage?: string | undefined;
  brokenImage?: string | undefined;
  repository?: string | undefined;
  listener?: string | undefined;
  namespace?: string | undefined;
  agentUrl?: string | undefined;
  graph?: string | undefined;
  bucket?: string | undefined;
  bucketEndpoint?: string | undefined;
  bucketRegion: string;
  project?: string | undefined;
  only: readonly Group[];
  hosts: readonly Host[];
  prefix: string;
  timeoutMinutes: number;
  platform: Platform;
  interfaceOnly: boolean;
  json?: string | undefined;
  sweep: boolean;
  yes: boolean;
}
export type Host = "dynamic" | "native";

/** An argument that cannot be used. */
export class UsageError extends Error {}

export function readOptions(values: Values): Options {
  const string = (name: keyof Values) => (typeof values[name] === "string" ? (values[name] as string) : undefined);
  const prefix = string("prefix") ?? "acceptance";
  // Names of deployments are in lower case, and a sweep looks for the prefix.
  if (!/^[a-z][a-z0-9-]{2,19}$/.test(prefix))
    throw new UsageError("--prefix must have 3 to 20 lower-case letters, digits and hyphens, and begin with a letter.");
  const timeoutMinutes = Number(string("timeout") ?? "30");
  if (!(timeoutMinutes > 0)) throw new UsageError("--timeout must be a number of minutes.");
  return {
    image: string("image"),
    nextImage: string("next-image"),
    brokenImage: string("broken-image"),
    repository: string("repository"),
    listener: string("listener"),
    namespace: string("namespace"),
    agentUrl: string("agent-url")?.replace(/\/+$/, ""),
    graph: string("graph"),
    bucket: string("bucket"),
    bucketEndpoint: string("bucket-endpoint"),
    bucketRegion: string("bucket-region") ?? "us-east-1",
    project: string("project"),
    only: readGroups(string("only")),
    hosts: values["both-hosts"] ? ["dynamic", "native"] : values.native ? ["native"] : ["dynamic"],
    prefix,
    timeoutMinutes,
    platform: readPlatform(string("platform"), values["interface-only"] === true),
    interfaceOnly: values["interface-only"] === true,
    json: string("json"),
    sweep: values.sweep === true,
    yes: values.yes === true,
  };
}

function readPlatform(name: string = PLATFORMS[0], isInterfaceOnly: boolean): Platform {
  const platform = PLATFORMS.find((known) => known === name);
  if (!platform) throw new UsageError(`--platform: "${name}" is not one of ${PLATFORMS.join(", ")}.`);
  if (platform === "today" && isInterfaceOnly)
    throw new UsageError("--platform today and --interface-only cannot be combined.");
  return platform;
}

function readGroups(only: string | undefined): readonly Group[] {
  if (only === undefined) return GROUPS;
  const names = only.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(GROUPS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new UsageError(`--only: "${unknown}" is not one of ${GROUPS.join(", ")}.`);
  return GROUPS.filter((group) => names.includes(group));
}
