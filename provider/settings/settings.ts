/**
 * Settings: stack configuration `agentgraph:<key>`, else the environment variable `AGENTGRAPH_<KEY>`; an explicit Provider
 * takes its own arguments only. Checked once; everything that is missing or wrong stands in one message.
 */
import { z } from "zod";
import { isLoopback } from "../http/loopback";
import { parseDuration } from "../schema/duration";
import { valueAt } from "../schema/schema";
import { formatIssue } from "../text/issue-message";
import { UserError } from "../text/user-error";
import { type MissingSetting, missingSettings } from "./missing-settings";
import { environmentName, type ServerName } from "./servers";
import { type SettingWarning, settingWarnings } from "./setting-warnings";
import {
  header,
  INVALID_HEADER,
  isSecretSetting,
  type SettingKey,
  type SettingsInput,
  settingsSchema,
} from "./settings-schema";
import type { Vocabulary } from "./vocabulary";

/** Credentials that are set; at least one of them. */
export type Credentials = Partial<Record<"apiKey" | "bearerToken", string>>;

/** Where each setting came from, in words: `stack configuration agentgraph:apiKey`. */
export type SettingSources = Readonly<Partial<Record<SettingKey, string>>>;

/** Settings in their final form. */
export interface Settings {
  auth: Credentials | undefined;
  /** An API key that `apiKeyEnv` names comes from that variable. */
  sources: SettingSources;
  tenantId: string | undefined;
  controlPlaneUrl: URL | undefined;
  tracingApiUrl: URL | undefined;
  vocabulary: Vocabulary;
  agentHeaders: Readonly<Record<string, string>>;
  /** In the form `https://host:port`. */
  agentOrigins: readonly string[];
  allowInsecureHttp: boolean;
  ownerId: string | undefined;
  ownerMarker: boolean;
  resumeWithinMs: number;
  requestsPerSecond: number;
  maxConcurrentRequests: number;
  requestTimeoutMs: number;
  stopAfterFailures: number | undefined;
  allowServerChange: boolean;
  /** What the first request to each server will miss. */
  missing: Record<ServerName, MissingSetting[]>;
  /** What is probably a mistake. */
  warnings: readonly SettingWarning[];
}

/** The key under which an explicit Provider says that it is one. */
export const EXPLICIT = "agentgraph:explicitProvider";

export class SettingsError extends UserError {
  override name = "SettingsError";
}

type Lookup = (configKey: string) => unknown;

/** @throws SettingsError naming every wrong value at once. Missing ones are reported in `missing`, at the first request. */
export function readSettings(config: Lookup, environment: NodeJS.ProcessEnv = process.env): Settings {
  const explicit = config(EXPLICIT) !== undefined;
  const sources: Partial<Record<SettingKey, string>> = {};
  const raw: Record<string, unknown> = {};
  for (const key of Object.keys(settingsSchema.shape) as SettingKey[]) {
    const configured = config(`agentgraph:${key}`);
    const values = configured ?? (explicit ? undefined : environment[environmentName(key)]);
    // A pipeline's secret often ends with a line break, which no header may hold.
    const value = typeof values === "string" ? values.trim() : values;
    if (value === undefined || value === "") continue;
    sources[key] =
      configured === undefined
        ? `the environment variable ${environmentName(key)}`
        : explicit
          ? `argument ${key} of the Provider`
          : `stack configuration agentgraph:${key}`;
    raw[key] = fromText(key, value);
  }
  const parsed = settingsSchema.safeParse(raw);
  if (!parsed.success) throw new SettingsError(describeIssues(parsed.error, raw, sources));
  return finish(parsed.data, sources, explicit, environment);
}

function finish(
  values: SettingsInput,
  sources: SettingSources,
  explicit: boolean,
  environment: NodeJS.ProcessEnv,
): Settings {
  const { bearerToken, apiKeyEnv } = values;
  const apiKey = values.apiKey ?? ((apiKeyEnv && environment[apiKeyEnv]?.trim()) || undefined);
  const urlOf = (text: string | undefined) => (text === undefined ? undefined : new URL(text));
  const urls = { controlPlaneUrl: urlOf(values.controlPlaneUrl), tracingApiUrl: urlOf(values.tracingApiUrl) };
  const problems = [
    header.safeParse(apiKey ?? "").success ? "" : `The environment variable ${apiKeyEnv} ${INVALID_HEADER}.`,
    ...Object.entries(urls).map(([key, url]) => (url && !values.allowInsecureHttp ? insecure(key, url) : "")),
  ].filter(Boolean);
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
  const missingFor = (server: ServerName) => missingSettings(server, values, apiKey, explicit);
  return {
    ...urls,
    auth: apiKey || bearerToken ? { ...(apiKey && { apiKey }), ...(bearerToken && { bearerToken }) } : undefined,
    sources: values.apiKey || !apiKey ? sources : { ...sources, apiKey: `the environment variable ${apiKeyEnv}` },
    tenantId: values.tenantId,
    vocabulary: { githost: "githost", agentgraph: "agentgraph", ...values.vocabulary },
    agentHeaders: values.agentHeaders ?? {},
    agentOrigins: (values.agentOrigins ?? []).map((url) => new URL(url).origin),
    allowInsecureHttp: values.allowInsecureHttp ?? false,
    ownerId: values.ownerId,
    ownerMarker: values.ownerMarker ?? true,
    resumeWithinMs: parseDuration(values.resumeWithin ?? "1h") ?? 0,
    requestsPerSecond: values.requestsPerSecond ?? 20,
    maxConcurrentRequests: values.maxConcurrentRequests ?? 16,
    requestTimeoutMs: parseDuration(values.requestTimeout ?? "30s") ?? 0,
    stopAfterFailures: values.stopAfterFailures,
    allowServerChange: values.allowServerChange ?? false,
    missing: { controlPlane: missingFor("controlPlane"), tracing: missingFor("tracing") },
    warnings: settingWarnings({ ...values, apiKey }, sources, explicit),
  };
}

/** Every value that no text may show. */
export function credentialsIn({ auth, agentHeaders }: Settings): string[] {
  const values = [...Object.values(auth ?? {}), ...Object.values(agentHeaders)];
  // Of `Bearer abc` a server may repeat the second word alone.
  return values.flatMap((value) => [value, ...value.split(/\s+/)]);
}

const WRITTEN_AS_JSON = [z.ZodNumber, z.ZodBoolean, z.ZodObject, z.ZodArray, z.ZodRecord];

/** The schema of a setting that is given. */
const schemaOf = (key: SettingKey): z.ZodType => settingsSchema.shape[key].unwrap() as z.ZodType;

/** Config and environment hold texts: numbers, flags, lists and objects are read from them. */
function fromText(key: SettingKey, value: unknown): unknown {
  if (typeof value !== "string" || !WRITTEN_AS_JSON.some((type) => schemaOf(key) instanceof type)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** What to write for a setting that is JSON. */
const EXAMPLES: Partial<Record<SettingKey, string>> = {
  vocabulary: '{"githost": "github"}',
  agentHeaders: '{"X-Team": "payments"}',
  agentOrigins: '["https://agents.example.com"]',
};

function describeIssues(error: z.ZodError, raw: Record<string, unknown>, sources: SettingSources): string {
  const lines = error.issues.map((issue) => {
    const key = issue.path[0] as SettingKey;
    return `  ${issue.path.join(".")}: ${describeIssue(issue, key, raw)} (from ${sources[key] ?? "the settings"})`;
  });
  return `Settings are not valid:\n${[...new Set(lines)].join("\n")}`;
}

function describeIssue(issue: z.core.$ZodIssue, key: SettingKey, raw: Record<string, unknown>): string {
  const schema = schemaOf(key);
  const example = EXAMPLES[key];
  const isWhole = issue.code === "invalid_type" && issue.path.length === 1;
  const actual = isSecretSetting(key) ? "" : `, not ${JSON.stringify(raw[key])}`;
  if (isWhole && example) return `must be JSON such as ${example}${actual}.`;
  if (isWhole && schema instanceof z.ZodBoolean) return `must be true or false${actual}.`;
  if (isWhole && schema instanceof z.ZodNumber) return `must be a number${actual}.`;
  return formatIssue(issue, valueAt(raw, issue.path), isSecretSetting(key));
}

function insecure(key: string, url: URL): string {
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return "";
  return `${key} is ${url.origin}: use https; otherwise the API key would be sent unencrypted (allowInsecureHttp: true overrides this).`;
}
