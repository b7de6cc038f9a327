/** The settings: the schema and the description of each. */
import { z } from "zod";
import { fieldMetadata, optionalFlag, optionalName } from "../schema/schema";
import { parseDuration } from "../text/format";
import { PLATFORM_NAMES } from "./platforms";

const duration = (description: string) =>
  z
    .string()
    .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as "90s", "15m" or "1h"')
    .optional()
    .describe(description);
export const INVALID_HEADER = "contains characters that are not allowed in an HTTP header, such as a line break";
export const header = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, INVALID_HEADER);
// Of `localhost:80`, the scheme is missing, but it counts as a URL without a host.
const baseUrl = z
  .url({ hostname: /./ })
  .refine(isBase, "must be a base URL, without a user name, password, query or fragment");

function isBase(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === "";
}

/** The vendor-specific values of the interface's two neutral terms. */
const vocabularySchema = z
  .strictObject({
    githost: optionalName(
      "The server's value for `githost`, the source of hosted git repositories. Default: `githost`.",
    ),
    agentgraph: optionalName(
      "The server's value for `agentgraph`, the prefix of some field names. Default: `agentgraph`.",
    ),
  })
  .register(fieldMetadata, {
    interface: "VocabularyArgs",
    description: "The server's values for two vendor-specific terms.",
  });
export type Vocabulary = Required<z.infer<typeof vocabularySchema>>;

export const settingsSchema = z.strictObject({
  apiKey: header
    .min(1)
    .optional()
    .describe("API key, sent as `X-Api-Key`. Secret. One of `apiKey`, `apiKeyEnv` and `bearerToken` is required.")
    .register(fieldMetadata, { secret: true }),
  apiKeyEnv: optionalName(
    "Name of an environment variable that contains the API key. The key is then not stored, so that a " +
      "rotation changes no state.",
  ),
  bearerToken: header
    .min(1)
    .optional()
    .describe("Token, sent as `Authorization: Bearer` in place of an API key. Secret. Bulk exports require an API key.")
    .register(fieldMetadata, { secret: true }),
  tenantId: header
    .min(1)
    .optional()
    .describe(
      "Workspace ID, sent as `X-Tenant-Id`. Required with an API key for several workspaces. Default: the " +
        "only workspace of the API key, for bulk exports where the server lists it.",
    ),
  url: baseUrl
    .optional()
    .describe(
      "Base URL of the platform, such as `https://agents.example.com`: that of the control plane and of the " +
        "tracing API. Must use HTTPS unless it is on this machine.",
    ),
  controlPlaneUrl: baseUrl
    .optional()
    .describe(
      "Base URL of the control plane, where it differs from `url`. Must use HTTPS unless it is on this machine.",
    ),
  tracingApiUrl: baseUrl
    .optional()
    .describe("Base URL of the tracing API, where it differs from `url`. Must use HTTPS unless it is on this machine."),
  platform: z
    .enum(PLATFORM_NAMES)
    .optional()
    .describe(
      "Platform whose behavior the server has where servers differ, such as what a changed repository does: " +
        "`langsmith`. Default: known from the host.",
    ),
  vocabulary: vocabularySchema
    .optional()
    .describe(
      'The server\'s values for two vendor-specific terms, as `{ githost: "…", agentgraph: "…" }`. A term ' +
        "without a value stays as it is.",
    ),
  agentHeaders: z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a valid HTTP header name"), header)
    .optional()
    .describe(
      "Headers to send to agent servers in addition to the credential, for custom authentication. Secret. " +
        "Default: none.",
    )
    .register(fieldMetadata, { secret: true }),
  agentOrigins: z
    .array(z.url({ hostname: /./ }))
    .optional()
    .describe(
      "Origins of agent servers that may receive the credential and `agentHeaders`, in addition to the " +
        "control plane and the addresses that it assigns to deployments. A deployment with a `customUrl` " +
        "elsewhere requires it. Default: none.",
    ),
  ownerId: optionalName("Owner in the ownership marker (see `ownerMarker`). Default: the Pulumi organization."),
  ownerMarker: optionalFlag(
    "Whether to set the environment variable `PULUMI_RESOURCE`, the ownership marker, on deployments. It lets " +
      "a run resume what an interrupted run created. Default: true.",
  ),
  resumeWithin: duration(
    "How long after its creation a deployment with this resource's ownership marker is resumed as the work of " +
      "an interrupted run. Default: 1h.",
  ),
  requestsPerSecond: z
    .number()
    .positive()
    .optional()
    .describe(
      "Maximum number of requests per second to one server, after a burst of one second's worth. The rate " +
        "adapts to the server's 429 responses below it. Default: no limit.",
    ),
  maxConcurrentRequests: z
    .int()
    .positive()
    .optional()
    .describe("Maximum number of concurrent requests to one server. Default: 100."),
  requestTimeout: duration("Timeout of a single request. Default: 30s."),
  streamLogs: z
    .union([z.boolean(), z.array(z.string().min(1))])
    .optional()
    .describe(
      "Whether `pulumi up` shows the lines of the build and deploy log while it waits for a rollout: true for " +
        "all deployments, or the names of their resources in the program. Default: false.",
    ),
  requestLog: optionalName(
    "File to which each attempt to send a request is appended as a line of JSON. Default: none.",
  ),
  requestLogBodies: optionalFlag(
    "Whether the request log contains the bodies of requests and responses, redacted and truncated. Default: false.",
  ),
  allowServerChange: optionalFlag(
    "Whether to manage resources that were created on another server or in another workspace than the " +
      "configured one. Default: false.",
  ),
  allowInsecureHttp: optionalFlag("Whether base URLs that are not on this machine may use plain HTTP. Default: false."),
});
export type SettingsInput = z.input<typeof settingsSchema>;
export type SettingKey = keyof SettingsInput;

export const settingKeys = Object.keys(settingsSchema.shape) as SettingKey[];

export const isSecretSetting = (key: SettingKey): boolean =>
  fieldMetadata.get(settingsSchema.shape[key])?.secret === true;

export const schemaOf = (key: SettingKey): z.ZodType => settingsSchema.shape[key].unwrap() as z.ZodType;
