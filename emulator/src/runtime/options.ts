import { type AppVersion, parseVersion } from "./app-version";
import { UsageError } from "./errors";
import { isObject } from "./validation/validator";
import { neutralVocabulary, type Vocabulary } from "./validation/vocabulary";

export const editions = ["any", "cloud", "self-hosted"] as const;
export type Edition = (typeof editions)[number];

export const plans = ["plus", "developer"] as const;
export type Plan = (typeof plans)[number];

export const compressions = ["none", "gzip", "snappy", "zstandard"] as const;
export type Compression = (typeof compressions)[number];

export const agentAuths = ["none", "key", "custom"] as const;
export type AgentAuth = (typeof agentAuths)[number];

/** The small graphs that every emulator has; agent-server/assistants/graphs.ts says what they do. */
export const graphKinds = ["echo", "counter", "interrupt", "failing"] as const;
export type GraphKind = (typeof graphKinds)[number];

/** How an emulator is started; every field may be left out. */
export interface EmulatorOptions {
  /** Default 0: a free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** The port of the bucket. Default 0: a free one. */
  bucketPort?: number;
  /** The access key id of the bucket; made up once and kept in the folder when absent. */
  bucketKey?: string;
  /** The secret access key that goes with it, likewise. */
  bucketSecret?: string;
  /** The folder that keeps everything; when absent a temporary one, which goes with the emulator. */
  data?: string;
  /** The one API key that is accepted; any key when absent. */
  apiKey?: string;
  vocabulary?: Partial<Vocabulary>;
  /** Refuse what stands in neither interface.md nor the tables of interface-notes.md. */
  strict?: boolean;
  /** Serve interface.md alone. */
  interfaceOnly?: boolean;
  /** Default "any": all sources, the limits of the cloud. */
  edition?: Edition;
  /** What is paid for; "developer" has no bulk exports and no listeners. Default "plus". */
  plan?: Plan;
  /** The version of a self-hosted application, which refuses what came later; the newest when absent. */
  appVersion?: string;
  /** What agent servers ask for: nothing, the key of the control plane, or a user (each sees only their own threads). Default "none". */
  agentAuth?: AgentAuth;
  /** Graphs that every deployment has besides the built-in ones: name to the built-in graph that stands for it. */
  graphs?: Readonly<Record<string, GraphKind>>;
  /** Fill the default workspace with deployments and their traces of the last days. */
  demo?: boolean;
  /** Names of routes that are switched off. */
  without?: readonly string[];
  /** How fast the clock runs; "instant" runs due jobs before answering. Default 1. */
  speed?: number | "instant";
}

/** Options checked and filled. */
export interface Settings {
  port: number;
  host: string;
  bucketPort: number;
  bucketKey: string | undefined;
  bucketSecret: string | undefined;
  data: string | undefined;
  apiKey: string | undefined;
  vocabulary: Vocabulary;
  strict: boolean;
  interfaceOnly: boolean;
  edition: Edition;
  plan: Plan;
  appVersion: AppVersion | undefined;
  /** Of the files of exports that name none (interface.md section 2 C, "Output layout"). */
  compression: Compression;
  agentAuth: AgentAuth;
  graphs: Readonly<Record<string, GraphKind>>;
  demo: boolean;
  without: readonly string[];
  speed: number | "instant";
}

/** Checks the options; a mistake is one sentence. `routeNames` are those that `without` may name. */
export function settle(options: EmulatorOptions, routeNames: readonly string[]): Settings {
  const { strict = false, interfaceOnly = false, speed = 1, without = [], edition = "any", plan = "plus" } = options;
  if (strict && interfaceOnly)
    throw new UsageError("--strict and --interface-only exclude each other: give one of them.");
  if (speed !== "instant" && !(speed > 0 && Number.isFinite(speed))) {
    throw new UsageError("--speed takes a number above 0, or the word instant.");
  }
  const strange = without.find((name) => !routeNames.includes(name));
  if (strange !== undefined) {
    throw new UsageError(`--without does not know "${strange}"; the names are ${routeNames.join(", ")}.`);
  }
  return {
    port: options.port ?? 0,
    host: options.host ?? "127.0.0.1",
    bucketPort: options.bucketPort ?? 0,
    bucketKey: options.bucketKey,
    bucketSecret: options.bucketSecret,
    data: options.data,
    apiKey: options.apiKey,
    vocabulary: { ...neutralVocabulary, ...options.vocabulary },
    strict,
    interfaceOnly,
    edition,
    plan,
    appVersion: options.appVersion === undefined ? undefined : readAppVersion(options.appVersion),
    compression: defaultCompression(edition),
    agentAuth: options.agentAuth ?? "none",
    graphs: options.graphs ?? {},
    demo: options.demo ?? false,
    without,
    speed,
  };
}

function readAppVersion(text: string): AppVersion {
  const version = parseVersion(text);
  if (version) return version;
  throw new UsageError(`--app-version takes a version such as 0.12.42 or 0.16.1rc1: "${text}" is none.`);
}

/** Only self-hosted installations can change it (interface.md section 2 C, "Output layout"). */
function defaultCompression(edition: Edition): Compression {
  if (edition !== "self-hosted") return "zstandard";
  const variable = "FF_BULK_EXPORT_DEFAULT_COMPRESSION";
  const wanted = process.env[variable] || "gzip";
  const known = compressions.find((compression) => compression === wanted);
  if (known) return known;
  throw new UsageError(`${variable} is one of ${compressions.join(", ")}: it is "${wanted}".`);
}

/** Reads the text of `--graphs`. */
export function parseGraphs(text: string): Record<string, GraphKind> {
  const pairs = text.split(",").map((pair) => pair.split("=").map((word) => word.trim()));
  const entries = pairs.map(([name, word]) => [name, graphKinds.find((kind) => kind === word)] as const);
  if (entries.every(([name, kind]) => name && kind)) return Object.fromEntries(entries);
  throw new UsageError(
    `--graphs takes names with what stands for them, by comma, such as agent=echo (${graphKinds.join(", ")}).`,
  );
}

/** Reads the text of `--vocabulary`. */
export function parseVocabulary(text: string): Partial<Vocabulary> {
  const help = `--vocabulary takes JSON like {"githost":"githost","agentgraph":"agentgraph"}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${help}: this is not JSON.`);
  }
  const words = Object.keys(neutralVocabulary);
  if (!isObject(value) || Object.values(value).some((word) => typeof word !== "string" || !/^\w+$/.test(word))) {
    throw new UsageError(`${help}: each word is a text of letters, digits and underscores.`);
  }
  const strange = Object.keys(value).find((key) => !words.includes(key));
  if (strange !== undefined) throw new UsageError(`${help}: there is no word "${strange}".`);
  return value;
}
