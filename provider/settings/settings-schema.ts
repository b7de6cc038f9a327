// biome-ignore-all lint/suspicious/noTemplateCurlyInString: users write these placeholders in a setting.
/** The settings by name: what each value may be, and what users read of it. */
import { z } from "zod";
import { parseDuration } from "../schema/duration";
import { fieldMetadata } from "../schema/schema";
import { vocabularySchema } from "./vocabulary";

const duration = (what: string) =>
  z
    .string()
    .refine((text) => parseDuration(text) !== undefined, 'write a number with a unit, such as "90s", "15m" or "1h"')
    .optional()
    .describe(what);
export const INVALID_HEADER = "contains characters that are not allowed in an HTTP header, such as a line break";
export const header = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, INVALID_HEADER);
const flag = (what: string) => z.boolean().optional().describe(what);
const baseUrl = z.url().refine(isBase, "must be a base URL, without a user name, password, query or fragment");

function isBase(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === "";
}

/** What a name may be made of. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["name", "stack", "project"]);
const hasKnownPlaceholders = (template: string) =>
  [...template.matchAll(/\$\{([^{}]*)\}/g)].every(([, word = ""]) => PLACEHOLDERS.has(word));

export const settingsSchema = z.strictObject({
  apiKey: header
    .min(1)
    .optional()
    .describe("API key, sent as `X-Api-Key`. Secret. This, `apiKeyEnv` or `bearerToken` is needed.")
    .register(fieldMetadata, { secret: true }),
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
    .register(fieldMetadata, { secret: true }),
  tenantId: header
    .min(1)
    .optional()
    .describe(
      "Workspace id, sent as `X-Tenant-Id`. Needed with a key of a whole organization, and by every bulk export resource.",
    ),
  controlPlaneUrl: baseUrl
    .optional()
    .describe(
      "Base URL of the control plane, such as `https://agents.example.com`. Required by deployments; https unless it is this machine.",
    ),
  tracingApiUrl: baseUrl
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
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a valid HTTP header name"), header)
    .optional()
    .describe(
      "Headers that agent servers get beside the key, as a handler of their own may want them; none when absent. Secret.",
    )
    .register(fieldMetadata, { secret: true }),
  agentOrigins: z
    .array(z.url())
    .optional()
    .describe(
      "Origins of agent servers that may get the key and `agentHeaders`, beside the control plane's and those of deployments that it knows; none when absent.",
    ),
  nameTemplate: z
    .string()
    .min(1)
    .refine(hasKnownPlaceholders, "may contain the placeholders ${name}, ${stack} and ${project} only")
    .optional()
    .describe(
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
export type SettingKey = keyof SettingsInput;

export const isSecretSetting = (key: SettingKey): boolean =>
  fieldMetadata.get(settingsSchema.shape[key])?.secret === true;
