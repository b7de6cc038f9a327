/**
 * The settings that the tools of a platform read from variables and from their profile file, for users who have set
 * those already. They count only where the settings of this package are silent, and never for an explicit Provider.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { tryOr } from "../text/try-or";
import { isSameServer, type Platforms, platformAt } from "./platforms";
import type { SettingKey } from "./settings-schema";

/** The variables of each setting, in the order of the platform's newest clients (API `5:variables`). */
const VARIABLES = {
  apiKey: ["LANGGRAPH_HOST_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"],
  bearerToken: ["LANGSMITH_BEARER_TOKEN"],
  controlPlaneUrl: ["LANGGRAPH_HOST_URL"],
  url: ["LANGSMITH_ENDPOINT", "LANGCHAIN_ENDPOINT"],
  tenantId: ["LANGSMITH_TENANT_ID", "LANGSMITH_WORKSPACE_ID", "LANGCHAIN_WORKSPACE_ID"],
} as const satisfies Partial<Record<SettingKey, readonly string[]>>;

export interface Found {
  value: string;
  source: string;
}

export type FoundSettings = Partial<Record<keyof typeof VARIABLES, Found>>;

export interface Surroundings {
  environment: Readonly<NodeJS.ProcessEnv>;
  platforms: Platforms;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Returns what they add. @param own The settings of this package that have a value. @param ownUrls Their URLs. */
export function platformSettings(
  own: ReadonlySet<SettingKey>,
  ownUrls: readonly string[],
  surroundings: Surroundings,
): FoundSettings {
  const { environment, platforms } = surroundings;
  const hasKey = (["apiKey", "apiKeyEnv", "bearerToken"] as const).some((key) => own.has(key));
  const hasUrl = (["url", "controlPlaneUrl", "tracingApiUrl"] as const).some((key) => own.has(key));
  const read = (key: keyof typeof VARIABLES) => readVariable(VARIABLES[key], environment);
  const apiKey = hasKey ? undefined : read("apiKey");
  const bearerToken = hasKey || apiKey ? undefined : read("bearerToken");
  const controlPlaneUrl = hasUrl ? undefined : read("controlPlaneUrl");
  const url = hasUrl ? undefined : read("url");
  const urls = [...ownUrls, url?.value, controlPlaneUrl?.value].filter((text) => text !== undefined);
  const [given] = urls;
  const profile = hasKey || apiKey || bearerToken ? {} : profileSettings(urls, surroundings);
  const credential = apiKey ?? bearerToken ?? profile.apiKey ?? profile.bearerToken;
  const isOfPlatform =
    credential !== undefined ||
    url !== undefined ||
    platformAt(URL.parse(given ?? "") ?? undefined, platforms) !== undefined;
  const tenantId = own.has("tenantId") || !isOfPlatform ? undefined : (read("tenantId") ?? profile.tenantId);
  // A key of the platform is for its own servers where nothing names another.
  const byDefault = credential && given === undefined ? defaultUrl(platforms, credential) : undefined;
  const all = { ...profile, apiKey: apiKey ?? profile.apiKey, bearerToken: bearerToken ?? profile.bearerToken };
  const found = { ...all, controlPlaneUrl, url: url ?? profile.url ?? byDefault, tenantId };
  return Object.fromEntries(Object.entries(found).filter(([, one]) => one !== undefined));
}

function readVariable(names: readonly string[], environment: Surroundings["environment"]): Found | undefined {
  for (const name of names) {
    // As the clients of the platform do: some files quote the values.
    const value = environment[name]?.trim().replace(/^(["'])(.*)\1$/, "$2");
    if (value) return { value, source: `the environment variable ${name}` };
  }
  return undefined;
}

function defaultUrl({ langsmith }: Platforms, credential: Found): Found {
  return {
    value: langsmith.defaultUrl,
    source: `the default of ${langsmith.title}, whose credential is in ${credential.source}`,
  };
}

const profileSchema = z.object({
  api_key: z.string().optional(),
  api_key_env: z.string().optional(),
  api_url: z.string().optional(),
  workspace_id: z.string().optional(),
  oauth: z.object({ access_token: z.string().optional(), expires_at: z.string().optional() }).optional(),
});
const fileSchema = z.object({ current_profile: z.string().optional(), profiles: z.record(z.string(), z.unknown()) });

/** Returns the profile's settings, its key only if all URLs are of its server. Runs no command, renews no token. */
function profileSettings(urls: readonly string[], { environment, platforms, now }: Surroundings): FoundSettings {
  const { HOME, USERPROFILE, LANGSMITH_CONFIG_FILE, LANGSMITH_PROFILE } = environment;
  const home = HOME ?? USERPROFILE;
  const path = LANGSMITH_CONFIG_FILE ?? (home && join(home, ".langsmith", "config.json"));
  const file = fileSchema.safeParse(path && readJson(path)).data;
  const name = LANGSMITH_PROFILE ?? file?.current_profile ?? "default";
  const profile = profileSchema.safeParse(file?.profiles[name]).data;
  if (!profile) return {};
  const source = `the profile "${name}" in ${path}`;
  const url = profile.api_url ?? platforms.langsmith.defaultUrl;
  const originOf = (text: string) => URL.parse(text)?.origin ?? "";
  if (!urls.every((text) => isSameServer(originOf(text), originOf(url), platforms))) return {};
  const found = (value: string | undefined, where = source): Found | undefined => {
    const text = value?.trim();
    return text ? { value: text, source: where } : undefined;
  };
  const named = profile.api_key_env;
  const ofVariable = named
    ? found(environment[named], `the environment variable ${named}, which ${source} names`)
    : undefined;
  const { access_token: token, expires_at: end } = profile.oauth ?? {};
  const isExpired = end !== undefined && Date.parse(end) <= now;
  const apiKey = found(profile.api_key) ?? ofVariable;
  const bearerToken = apiKey || isExpired ? undefined : found(token);
  if (!apiKey && !bearerToken) return {};
  return {
    ...(apiKey ? { apiKey } : { bearerToken: bearerToken as Found }),
    ...(urls.length === 0 && { url: { value: url, source } }),
    ...(profile.workspace_id && { tenantId: { value: profile.workspace_id, source } }),
  };
}

/** Without the file, or with one that others wrote, the settings are as if it did not exist. */
const readJson = (path: string): unknown => tryOr(() => JSON.parse(readFileSync(path, "utf8")), undefined);
