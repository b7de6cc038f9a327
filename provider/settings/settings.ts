/**
 * Reads settings from the stack configuration `agentgraph:<key>`, else from the environment variable
 * `AGENTGRAPH_<KEY>`, else from what the platform's own tools read (platform-variables.ts); an explicit Provider uses
 * its own arguments only. All invalid settings are reported in one message.
 */
import { z } from "zod";
import { isLoopback } from "../http/loopback";
import { parseDuration } from "../text/format";
import { tryOr } from "../text/try-or";
import { UserError } from "../text/user-error";
import { type ReadSettings, type ServerUrls, type SettingSources, serverUrls, textsOf } from "./base-url";
import { describeIssues } from "./invalid-settings";
import { type Found, platformSettings, type Surroundings } from "./platform-variables";
import { type KnownProfile, PLATFORMS, platformAt, regionUrls } from "./platforms";
import { environmentName, SERVERS, type ServerName } from "./servers";
import {
  howToCorrect,
  type MissingSetting,
  missingSettings,
  type SettingWarning,
  settingWarnings,
} from "./setting-warnings";
import {
  header,
  INVALID_HEADER,
  type SettingKey,
  type SettingsInput,
  schemaOf,
  settingKeys,
  settingsSchema,
  type Vocabulary,
} from "./settings-schema";

/** The configured credentials, at least one. */
export type Credentials = Partial<Record<"apiKey" | "bearerToken", string>>;

const DEFAULTS = {
  agentHeaders: {},
  agentOrigins: [],
  allowInsecureHttp: false,
  allowServerChange: false,
  maxConcurrentRequests: 100,
  ownerMarker: true,
  requestLogBodies: false,
  requestTimeout: "30s",
  resumeWithin: "1h",
  streamLogs: false,
} satisfies SettingsInput;

type SettingsWithDefaults = SettingsInput & Required<Pick<SettingsInput, keyof typeof DEFAULTS>>;

/** The settings that are used in another form than they are written. */
type ConvertedKey =
  | ("apiKey" | "apiKeyEnv" | "bearerToken" | "url" | "controlPlaneUrl" | "tracingApiUrl")
  | ("vocabulary" | "resumeWithin" | "requestTimeout");

/** Validated settings with defaults applied. */
export interface Settings extends Readonly<Omit<SettingsWithDefaults, ConvertedKey>> {
  auth: Credentials | undefined;
  /** For an API key from `apiKeyEnv`, names that variable. */
  sources: SettingSources;
  /** The settings that the engine keeps in state: those from the stack configuration or from a Provider. */
  stored: readonly SettingKey[];
  controlPlaneUrl: URL | undefined;
  tracingApiUrl: URL | undefined;
  /** By server, the URL at which it is if it lacks every route at the one above. */
  otherUrls: Partial<Record<ServerName, URL>>;
  vocabulary: Vocabulary;
  /** The base URLs of the platform's regions; empty if the host is not known. */
  regions: readonly string[];
  /** What is known of the control plane without a request. */
  profile: KnownProfile;
  resumeWithinMs: number;
  requestTimeoutMs: number;
  missing: Record<ServerName, MissingSetting[]>;
  warnings: readonly SettingWarning[];
  /** Whether a pipeline runs the program, as the variable CI shows. */
  isPipeline: boolean;
  isExplicit: boolean;
  /** What the settings are that the platform's own tools read, as a sentence; undefined if there are none. */
  borrowed: string | undefined;
}

/** The configuration key that marks an explicit Provider. */
export const EXPLICIT = "agentgraph:explicitProvider";

export class SettingsError extends UserError {
  override name = "SettingsError";
  override readonly concernsStoredSettings: boolean = true;
}

/** What one run shows and writes, whatever Providers its program has: an explicit one reads their variables too. */
const OF_RUN: ReadonlySet<SettingKey> = new Set(["requestLog", "requestLogBodies", "streamLogs"]);

type Lookup = (configKey: string) => unknown;

/** @throws SettingsError that lists all invalid values. Missing settings are returned in `missing`. */
export function readSettings(
  config: Lookup,
  environment: NodeJS.ProcessEnv = process.env,
  others: Partial<Omit<Surroundings, "environment">> = {},
): Settings {
  const surroundings: Surroundings = { platforms: PLATFORMS, now: Date.now(), ...others, environment };
  const explicit = config(EXPLICIT) !== undefined;
  const sources: Partial<Record<SettingKey, string>> = {};
  const stored: SettingKey[] = [];
  const raw: Record<string, unknown> = {};
  for (const key of settingKeys) {
    const configured = config(`agentgraph:${key}`);
    const isRead = !explicit || OF_RUN.has(key);
    const values = configured ?? (isRead ? environment[environmentName(key)] : undefined);
    // Secrets in pipelines often end with a line break, which is not valid in a header.
    const value = typeof values === "string" ? values.trim() : values;
    if (value === undefined || value === "") continue;
    if (configured !== undefined) stored.push(key);
    sources[key] =
      configured === undefined
        ? `the environment variable ${environmentName(key)}`
        : explicit
          ? `argument ${key} of the Provider`
          : `stack configuration agentgraph:${key}`;
    raw[key] = fromText(key, value);
  }
  // The stack configuration of all servers takes precedence over the variable of one.
  for (const key of stored.includes("url") ? Object.values(SERVERS) : []) {
    if (stored.includes(key)) continue;
    delete raw[key];
    delete sources[key];
  }
  const own = new Set(Object.keys(raw) as SettingKey[]);
  const ownUrls = [raw.url, raw.controlPlaneUrl, raw.tracingApiUrl].filter((url) => typeof url === "string");
  const borrowed = explicit ? {} : platformSettings(own, ownUrls, surroundings);
  for (const [key, { value, source }] of Object.entries(borrowed) as [SettingKey, Found][]) {
    raw[key] = value;
    sources[key] = source;
  }
  const parsed = settingsSchema.safeParse(raw);
  if (!parsed.success) throw new SettingsError(describeIssues(parsed.error, raw, sources));
  const read = { input: parsed.data, sources, stored, explicit };
  return finish(read, Object.keys(borrowed) as SettingKey[], surroundings);
}

function finish(
  read: ReadSettings,
  borrowed: readonly SettingKey[],
  { environment, platforms }: Surroundings,
): Settings {
  const { input, explicit } = read;
  const { apiKey: ownKey, apiKeyEnv, bearerToken, resumeWithin, requestTimeout, ...values } = { ...DEFAULTS, ...input };
  const apiKey = ownKey ?? ((apiKeyEnv && environment[apiKeyEnv]?.trim()) || undefined);
  const { urls, otherUrls, stored, ...found } = serverUrls(read, platforms);
  const named = ownKey || !apiKey ? {} : { apiKey: `the environment variable ${apiKeyEnv}` };
  const sources = { ...found.sources, ...named };
  const platform = platformAt(urls.controlPlaneUrl ?? urls.tracingApiUrl, platforms);
  const known = values.platform ? platforms[values.platform] : platform;
  const problems = [
    header.safeParse(apiKey ?? "").success ? "" : `The environment variable ${apiKeyEnv} ${INVALID_HEADER}.`,
    ...Object.entries(urls).map(([key, url]) =>
      url && !values.allowInsecureHttp ? insecure(url, key in input ? key : "url", sources[key as SettingKey]) : "",
    ),
  ].filter(Boolean);
  if (problems.length > 0) throw new SettingsError([...new Set(problems)].join("\n"));
  const given = { ...input, ...textsOf(urls) };
  const missingFor = (server: ServerName) => missingSettings(server, given, apiKey, explicit);
  return {
    ...values,
    ...urls,
    otherUrls,
    stored,
    auth: apiKey || bearerToken ? { ...(apiKey && { apiKey }), ...(bearerToken && { bearerToken }) } : undefined,
    sources,
    regions: platform ? regionUrls(platform) : [],
    profile: known?.profile ?? {},
    vocabulary: { githost: "githost", agentgraph: "agentgraph", ...platform?.vocabulary, ...values.vocabulary },
    agentOrigins: values.agentOrigins.map((url) => new URL(url).origin),
    resumeWithinMs: parseDuration(resumeWithin) ?? 0,
    requestTimeoutMs: parseDuration(requestTimeout) ?? 0,
    missing: { controlPlane: missingFor("controlPlane"), tracing: missingFor("tracing") },
    warnings: settingWarnings({ ...given, apiKey }, sources, { explicit, isKnown: known !== undefined }),
    isPipeline: !["", "0", "false"].includes(environment.CI?.toLowerCase() ?? ""),
    isExplicit: explicit,
    borrowed: describeBorrowed(borrowed, urls, sources),
  };
}

/** Says where the values come from that the user did not set for this package, once before they are used. */
function describeBorrowed(keys: readonly SettingKey[], urls: ServerUrls, sources: SettingSources): string | undefined {
  if (keys.length === 0) return undefined;
  const origins = [...new Set([urls.controlPlaneUrl, urls.tracingApiUrl].map((url) => url?.origin).filter(Boolean))];
  const listed = keys.map((key) => `${key} from ${sources[key]}`).join(", ");
  return `For ${origins.join(" and ") || "the servers"}: ${listed}.`;
}

export function credentialsIn({ auth, agentHeaders }: Settings): string[] {
  const values = [...Object.values(auth ?? {}), ...Object.values(agentHeaders)];
  // Of `Bearer abc`, a server may repeat only the second word.
  return values.flatMap((value) => [value, ...value.split(/\s+/)]);
}

const WRITTEN_AS_JSON = [z.ZodNumber, z.ZodBoolean, z.ZodObject, z.ZodArray, z.ZodRecord, z.ZodUnion];

/** Parses what stack configuration and environment contain as JSON; `streamLogs` may be names with commas. */
function fromText(key: SettingKey, value: unknown): unknown {
  if (typeof value !== "string" || !WRITTEN_AS_JSON.some((type) => schemaOf(key) instanceof type)) return value;
  return tryOr(() => JSON.parse(value), schemaOf(key) instanceof z.ZodUnion ? namesIn(value) : value);
}

const namesIn = (text: string) => text.split(",").flatMap((name) => name.trim() || []);

function insecure(url: URL, key: string, source: string | undefined): string {
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return "";
  const remedy = howToCorrect(
    source,
    url.href.replace(/^\w+:|\/$/g, (part) => (part === "/" ? "" : "https:")),
  );
  return (
    `${key} is ${url.origin}. Use https; otherwise the API key would be sent unencrypted (allowInsecureHttp: ` +
    `true overrides this): ${remedy}`
  );
}
