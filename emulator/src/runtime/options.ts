import type { AgentsSettings } from "./agents/commands";
import { type AppVersion, parseVersion } from "./app-version";
import { UsageError } from "./errors";
import { lazyModule } from "./lazy";
import { limits } from "./limits";
import { isObject } from "./validation/validator";
import { neutralTerms, type VocabularyTerms } from "./validation/vocabulary";

export const editions = ["any", "cloud", "self-hosted"] as const;
export type Edition = (typeof editions)[number];

export const plans = ["plus", "developer"] as const;
export type Plan = (typeof plans)[number];

/**
 * Which platform to emulate: the one that the interface describes, or the one that published clients and pages report
 * today (the facts in docs/platform-api/ that are reported).
 */
export const platforms = ["described", "today"] as const;
export type PlatformName = (typeof platforms)[number];

export const compressions = ["none", "gzip", "snappy", "zstandard"] as const;
export type Compression = (typeof compressions)[number];

export const agentAuths = ["none", "key", "custom"] as const;
export type AgentAuth = (typeof agentAuths)[number];

/** The published agent servers, which differ; agent-server/server/server-traits.ts lists how. */
export const agentServers = ["python", "javascript"] as const;
export type AgentServer = (typeof agentServers)[number];

/** The built-in graphs of every emulator. See agent-server/assistants/graphs.ts. */
export const graphKinds = ["echo", "counter", "interrupt", "failing", "memory"] as const;
export type GraphKind = (typeof graphKinds)[number];

/** Options of an emulator. All are optional. */
export interface EmulatorOptions {
  /** Default: 0, a free port. */
  port?: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /**
   * Further host names that clients may use, besides localhost, `*.localhost`, IP addresses and `host`. Requests to
   * other names get 403, because a web page could send them. Default: none.
   */
  allowHost?: readonly string[];
  /**
   * Further origins, such as `https://chat.example.test`, whose web pages may use agent servers. Those on this machine
   * always may. Default: none.
   */
  allowOrigin?: readonly string[];
  /** The port of the bucket server. Default: 0, a free port. */
  bucketPort?: number;
  /** The access key ID of the bucket. Default: generated once and kept in the data folder. */
  bucketKey?: string;
  /** The secret access key of the bucket. Default: generated once and kept in the data folder. */
  bucketSecret?: string;
  /** The data folder. Default: a temporary folder, which is removed when the emulator stops. */
  data?: string;
  /** The only API key that is accepted. Default: any key is accepted. */
  apiKey?: string;
  vocabulary?: Partial<VocabularyTerms>;
  /** Reject everything that docs/platform-api/ does not contain, and what servers merely tolerate. */
  strict?: boolean;
  /** Serve only what docs/platform-api/ calls described. */
  interfaceOnly?: boolean;
  /** Default: "any", which accepts all sources and enforces the limits of the cloud. */
  edition?: Edition;
  /** Which platform to emulate. Default: "described". */
  platform?: PlatformName;
  /** "developer" includes neither bulk exports nor listeners. Default: "plus". */
  plan?: Plan;
  /** The version of a self-hosted application, which rejects newer features. Default: the newest version. */
  appVersion?: string;
  /**
   * How agent servers authenticate: not at all, by the API key of the control plane, or by user (each sees only their
   * own threads). Default: "none".
   */
  agentAuth?: AgentAuth;
  /**
   * Which published agent server to emulate where they differ; the one in JavaScript has no crons. Default: "python".
   */
  agentServer?: AgentServer;
  /** Graphs of every deployment besides the built-in ones: name to the built-in graph that implements it. */
  graphs?: Readonly<Record<string, GraphKind>>;
  /** The file that says which commands run as agents, in place of the built-in graphs. Default: none. */
  agents?: string;
  /** The folder of one agent for all deployments, which `start` starts. Default: none. */
  agent?: string;
  /** The command that starts the agent in the folder `agent`. */
  start?: string;
  /** Seconds within which the agent of `start` has to be healthy. Default: 120. */
  timeout?: number;
  /** Fill the default workspace with deployments and a week of traces. */
  demo?: boolean;
  /** Names of routes to disable. */
  without?: readonly string[];
  /** Factor by which the clock runs; "instant" runs due jobs before responding. Default: 1. */
  speed?: number | "instant";
}

/** Validated options with their defaults. */
export interface Settings {
  port: number;
  host: string;
  /** In lower case. */
  allowHost: readonly string[];
  allowOrigin: readonly string[];
  bucketPort: number;
  bucketKey: string | undefined;
  bucketSecret: string | undefined;
  data: string | undefined;
  apiKey: string | undefined;
  vocabulary: VocabularyTerms;
  strict: boolean;
  interfaceOnly: boolean;
  edition: Edition;
  platform: PlatformName;
  plan: Plan;
  appVersion: AppVersion | undefined;
  /** Compression of exports that do not set one (API `2C.Output layout`). */
  compression: Compression;
  agentAuth: AgentAuth;
  agentServer: AgentServer;
  graphs: Readonly<Record<string, GraphKind>>;
  agents: AgentsSettings | undefined;
  demo: boolean;
  without: readonly string[];
  speed: number | "instant";
}

/** Validates the options and applies defaults. `routeNames` are the valid values of `without`. @throws UsageError */
export function resolveSettings(options: EmulatorOptions, routeNames: readonly string[]): Settings {
  const { strict = false, interfaceOnly = false, speed = 1, without = [], edition = "any", plan = "plus" } = options;
  if (strict && interfaceOnly) throw new UsageError("--strict and --interface-only cannot be combined.");
  if (options.platform === "today" && interfaceOnly)
    throw new UsageError("--platform today and --interface-only cannot be combined.");
  const { maxSpeed } = limits.clock;
  if (speed !== "instant" && !(speed > 0 && speed <= maxSpeed)) {
    throw new UsageError(`--speed must be a number greater than 0, at most ${maxSpeed}, or the word instant.`);
  }
  const unknownName = without.find((name) => !routeNames.includes(name));
  if (unknownName !== undefined) {
    throw new UsageError(`Unknown route "${unknownName}" in --without; expected one of ${routeNames.join(", ")}.`);
  }
  return {
    port: options.port ?? 0,
    host: options.host ?? "127.0.0.1",
    allowHost: (options.allowHost ?? []).map(parseHostName),
    allowOrigin: (options.allowOrigin ?? []).map(parseOrigin),
    bucketPort: options.bucketPort ?? 0,
    bucketKey: options.bucketKey,
    bucketSecret: options.bucketSecret,
    data: options.data,
    apiKey: options.apiKey,
    vocabulary: { ...neutralTerms, ...options.vocabulary },
    strict,
    interfaceOnly,
    edition,
    platform: options.platform ?? "described",
    plan,
    appVersion: options.appVersion === undefined ? undefined : parseAppVersion(options.appVersion),
    compression: defaultCompression(edition),
    agentAuth: options.agentAuth ?? "none",
    agentServer: options.agentServer ?? "python",
    graphs: options.graphs ?? {},
    agents: resolveAgents(options),
    demo: options.demo ?? false,
    without,
    speed,
  };
}

const agentsFile = lazyModule(() => require("./agents/file") as typeof import("./agents/file"));

function resolveAgents({ agents, agent, start, timeout }: EmulatorOptions): AgentsSettings | undefined {
  if (agents !== undefined && (agent ?? start ?? timeout) !== undefined) {
    throw new UsageError("--agents cannot be combined with --agent, --start and --timeout: use the file.");
  }
  if (agents !== undefined) return agentsFile().readAgentsFile(agents);
  if (agent === undefined && start === undefined && timeout === undefined) return undefined;
  if (agent === undefined) throw new UsageError("--start requires --agent, the folder that the command runs in.");
  if (start === undefined) throw new UsageError("--agent requires --start, the command that starts the agent.");
  return agentsFile().singleAgent(agent, start, timeout);
}

function parseHostName(name: string): string {
  if (/^[a-z\d_-]+(\.[a-z\d_-]+)*$/i.test(name)) return name.toLowerCase();
  const expected = "expected a host name without a port, such as emulator or agents.example.test";
  throw new UsageError(`Invalid --allow-host "${name}"; ${expected}.`);
}

function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !/[?#@]/.test(text)) return url.origin;
  throw new UsageError(`Invalid --allow-origin "${text}"; expected an origin such as https://chat.example.test.`);
}

function parseAppVersion(text: string): AppVersion {
  const version = parseVersion(text);
  if (version) return version;
  throw new UsageError(`Invalid --app-version "${text}"; expected a version such as 0.12.42 or 0.16.1rc1.`);
}

/** Only self-hosted installations can change the default (API `2C.Output layout`). */
function defaultCompression(edition: Edition): Compression {
  if (edition !== "self-hosted") return "zstandard";
  const variable = "FF_BULK_EXPORT_DEFAULT_COMPRESSION";
  const requested = process.env[variable] || "gzip";
  const match = compressions.find((compression) => compression === requested);
  if (match) return match;
  throw new UsageError(`Invalid ${variable} "${requested}"; expected one of ${compressions.join(", ")}.`);
}

/** Parses the value of `--graphs`. @throws UsageError */
export function parseGraphs(text: string): Record<string, GraphKind> {
  const pairs = text.split(",").map((pair) => pair.split("=").map((word) => word.trim()));
  const entries = pairs.map(([name, word]) => [name, graphKinds.find((kind) => kind === word)] as const);
  if (entries.every(([name, kind]) => name && kind)) return Object.fromEntries(entries);
  throw new UsageError(
    "Invalid --graphs; expected a comma-separated list of NAME=GRAPH, such as agent=echo. GRAPH is one of " +
      `${graphKinds.join(", ")}.`,
  );
}

/** Parses the value of `--vocabulary`. @throws UsageError */
export function parseVocabulary(text: string): Partial<VocabularyTerms> {
  const help = `Invalid --vocabulary; expected JSON such as {"githost":"githost","agentgraph":"agentgraph"}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${help}.`);
  }
  const terms = Object.keys(neutralTerms);
  if (!isObject(value) || Object.values(value).some((word) => typeof word !== "string" || !/^\w+$/.test(word))) {
    throw new UsageError(`${help}. Values may contain only letters, digits and underscores.`);
  }
  const unknownName = Object.keys(value).find((key) => !terms.includes(key));
  if (unknownName !== undefined) throw new UsageError(`${help}. Unknown key "${unknownName}".`);
  return value;
}
