/**
 * Settings: stack config `agentgraph:<key>`, else the environment variable `AGENTGRAPH_<KEY>`; an explicit Provider
 * takes its own arguments only. Checked once; everything that is missing or wrong stands in one message.
 */

import { z } from "zod";
import { type Vocabulary, vocabularySchema } from "./api/wire";
import { PlainError } from "./http/errors";
import { isLoopback } from "./http/loopback";
import { marks, valueAt } from "./schema";
import { environmentName, missingSettings, type ServerName } from "./servers";
import { milliseconds } from "./units";
import { wording } from "./wording";

const duration = (what: string) =>
  z
    .string()
    .refine((text) => milliseconds(text) !== undefined, 'write a number with a unit, such as "90s", "15m" or "1h"')
    .optional()
    .describe(what);
const NO_HEADER = "holds what no header may hold, such as a line break";
const header = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, NO_HEADER);
const flag = (what: string) => z.boolean().optional().describe(what);

export const settingsSchema = z.strictObject({
  apiKey: header
    .min(1)
    .optional()
    .describe("API key, sent as `X-Api-Key`. Secret. This, `apiKeyEnv` or `bearerToken` is needed.")
    .register(marks, { secret: true }),
  apiKeyEnv: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Name of the environment variable that holds the API key, instead of storing the key: a rotation then needs no state.",
    ),
  bearerToken: header
    .min(1)
    .optional()
    .describe("Token sent as `Authorization: Bearer` instead of an API key. Secret.")
    .register(marks, { secret: true }),
  tenantId: header
    .min(1)
    .optional()
    .describe(
      "Workspace id, sent as `X-Tenant-Id`. Needed with a key of a whole organization, and by every bulk export resource.",
    ),
  controlPlaneUrl: z
    .url()
    .optional()
    .describe(
      "Base URL of the control plane, such as `https://agents.example.com`. Required by deployments; https unless it is this machine.",
    ),
  tracingApiUrl: z
    .url()
    .optional()
    .describe(
      "Base URL of the tracing API, such as `https://traces.example.com`. Required by bulk export resources; https unless it is this machine.",
    ),
  vocabulary: vocabularySchema
    .optional()
    .describe(
      'How the service spells two words that differ from vendor to vendor, as `{ githost: "…", agentgraph: "…" }`; as they stand here when absent.',
    ),
  agentHeaders: z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "a name is no name of a header"), header)
    .optional()
    .describe(
      "Headers that agent servers get beside the key, as a handler of their own may want them; none when absent. Secret.",
    )
    .register(marks, { secret: true }),
  agentOrigins: z
    .array(z.url())
    .optional()
    .describe(
      "Origins of agent servers that may get the key and `agentHeaders`, beside the control plane's and those of deployments that it knows; none when absent.",
    ),
  nameTemplate: z.string().min(1).optional().describe(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: users write these placeholders in the setting.
    "The `name` that a deployment gets at its creation when the program writes none; knows `${name}`, `${stack}` and `${project}`. Default `${name}`.",
  ),
  ownerId: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Who owns what these programs create, as the mark says that `ownerMarker` speaks of. Default: the Pulumi organization.",
    ),
  ownerMarker: flag(
    "Whether a created deployment is marked with the environment variable `PULUMI_RESOURCE`, by which the next run recognises what an interrupted one made. Default true.",
  ),
  resumeWithin: duration(
    "How long after its creation a finished deployment with this resource's mark still counts as made by an interrupted run. Default 1h.",
  ),
  requestsPerSecond: z
    .number()
    .positive()
    .optional()
    .describe("Requests a second to one server, on average; ten seconds' worth may go at once. Default 20."),
  maxConcurrentRequests: z.int().positive().optional().describe("Requests to one server at the same time. Default 16."),
  requestTimeout: duration("How long one request may take. Default 30s."),
  stopAfterFailures: z
    .int()
    .positive()
    .optional()
    .describe("After so many failed creates and updates in one run the others are not started; no bound when absent."),
  allowServerChange: flag(
    "Lets resources be managed although the service's address or workspace is not the one that created them. Default false.",
  ),
  allowInsecureHttp: flag("Lets a base URL be plain http although it is not on this machine. Default false."),
});
export type SettingsInput = z.input<typeof settingsSchema>;

/** Settings in their final form. */
export interface Settings {
  auth: { apiKey: string } | { bearerToken: string } | undefined;
  /** Where the key came from, for the error of a refused one. */
  keySource: string;
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
  /** What the first request to each server will miss, in one message; undefined when nothing is. */
  missing: Record<ServerName, string | undefined>;
}

type Key = keyof SettingsInput;

const isSecret = (key: Key) => marks.get(settingsSchema.shape[key])?.secret === true;

/** The key under which an explicit Provider says that it is one. */
export const EXPLICIT = "agentgraph:explicitProvider";

export class SettingsError extends PlainError {
  override name = "SettingsError";
}

type Lookup = (configKey: string) => unknown;

/** @throws SettingsError naming every wrong value at once. Missing ones are reported in `missing`, at the first request. */
export function readSettings(config: Lookup, environment: NodeJS.ProcessEnv = process.env): Settings {
  const explicit = config(EXPLICIT) !== undefined;
  const sources: Partial<Record<Key, string>> = {};
  const raw: Record<string, unknown> = {};
  for (const key of Object.keys(settingsSchema.shape) as Key[]) {
    const configured = config(`agentgraph:${key}`);
    const given = configured ?? (explicit ? undefined : environment[environmentName(key)]);
    // A pipeline's secret often ends with a line break, which no header may hold.
    const value = typeof given === "string" ? given.trim() : given;
    if (value === undefined || value === "") continue;
    sources[key] =
      configured === undefined
        ? `the environment variable ${environmentName(key)}`
        : explicit
          ? `argument ${key} of the Provider`
          : `stack config agentgraph:${key}`;
    raw[key] = fromText(settingsSchema.shape[key], value);
  }
  const parsed = settingsSchema.safeParse(raw);
  if (!parsed.success) throw new SettingsError(describeIssues(parsed.error, raw, sources));
  return finish(parsed.data, sources, explicit, environment);
}

function finish(
  given: SettingsInput,
  sources: Partial<Record<Key, string>>,
  explicit: boolean,
  environment: NodeJS.ProcessEnv,
): Settings {
  const apiKey = given.apiKey ?? (given.apiKeyEnv && environment[given.apiKeyEnv]?.trim());
  const keySource = given.apiKey
    ? sources.apiKey
    : given.apiKeyEnv
      ? `the environment variable ${given.apiKeyEnv}`
      : sources.bearerToken;
  const urlOf = (text: string | undefined) => (text === undefined ? undefined : new URL(text));
  const urls = { controlPlaneUrl: urlOf(given.controlPlaneUrl), tracingApiUrl: urlOf(given.tracingApiUrl) };
  const complaints = [
    header.safeParse(apiKey ?? "").success ? "" : `The environment variable ${given.apiKeyEnv} ${NO_HEADER}.`,
    apiKey && given.bearerToken ? "Both apiKey and bearerToken are set: set one." : "",
    ...Object.entries(urls).map(([key, url]) => (url && !given.allowInsecureHttp ? insecure(key, url) : "")),
  ].filter(Boolean);
  if (complaints.length > 0) throw new SettingsError(complaints.join("\n"));
  const lacks = (server: ServerName) => missingSettings(server, given, apiKey, explicit);
  return {
    ...urls,
    auth: apiKey ? { apiKey } : given.bearerToken ? { bearerToken: given.bearerToken } : undefined,
    keySource: keySource ? `The key came from ${keySource}.` : "No key is set.",
    tenantId: given.tenantId,
    vocabulary: { githost: "githost", agentgraph: "agentgraph", ...given.vocabulary },
    agentHeaders: given.agentHeaders ?? {},
    agentOrigins: (given.agentOrigins ?? []).map((url) => new URL(url).origin),
    allowInsecureHttp: given.allowInsecureHttp ?? false,
    ownerId: given.ownerId,
    ownerMarker: given.ownerMarker ?? true,
    resumeWithinMs: milliseconds(given.resumeWithin ?? "1h") ?? 0,
    requestsPerSecond: given.requestsPerSecond ?? 20,
    maxConcurrentRequests: given.maxConcurrentRequests ?? 16,
    requestTimeoutMs: milliseconds(given.requestTimeout ?? "30s") ?? 0,
    stopAfterFailures: given.stopAfterFailures,
    allowServerChange: given.allowServerChange ?? false,
    missing: { controlPlane: lacks("controlPlane"), tracing: lacks("tracing") },
  };
}

const WRITTEN_AS_JSON = [z.ZodNumber, z.ZodBoolean, z.ZodObject, z.ZodArray, z.ZodRecord];

/** Config and environment hold texts: numbers, flags, lists and objects are read from them. */
function fromText(schema: z.ZodType, value: unknown): unknown {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (typeof value !== "string" || !WRITTEN_AS_JSON.some((type) => inner instanceof type)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function describeIssues(
  error: z.ZodError,
  raw: Record<string, unknown>,
  sources: Partial<Record<Key, string>>,
): string {
  const lines = error.issues.map((issue) => {
    const key = issue.path[0] as Key;
    const said = wording(issue, valueAt(raw, issue.path), isSecret(key));
    return `  ${issue.path.join(".")}: ${said} (from ${sources[key] ?? "the settings"})`;
  });
  return `Settings are not valid:\n${[...new Set(lines)].join("\n")}`;
}

function insecure(key: string, url: URL): string {
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return "";
  return `${key} is ${url.origin}: use https, since the key would cross the network readable (allowInsecureHttp: true overrides this).`;
}
