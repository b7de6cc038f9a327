/** Missing settings as data and as text, and warnings about settings that are probably a mistake. */
import { metadataOf } from "../schema/schema";
import { environmentName, type RequestSettings, SERVERS, type ServerName } from "./servers";
import { isSecretSetting, type SettingKey, type SettingsInput, settingsSchema } from "./settings-schema";

export interface SettingWarning {
  /** The server whose resources are affected; all resources when absent. */
  server?: ServerName;
  text: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Words that users write for true. */
const MEANS_TRUE = /^(yes|on|all|\*)$/i;

const TOKEN = "is a JSON Web Token, which servers accept as a bearer token";
/** What a credential is that was copied with too much, or is another one. It is never shown. */
const CREDENTIAL_MISTAKES: readonly [pattern: RegExp, problem: string][] = [
  [/^["'].*["']$/, "is in quotes, which are not part of it"],
  [/^(bearer|x-api-key:?) /i, "begins with the name of a header or a scheme, which is not part of it"],
  [/^eyJ[\w-]+\.[\w-]+\./, TOKEN],
  [/^(sk-|gh[ops]_|github_pat_|glpat-|pul-)/, "has the form of a key for another service"],
];

/** Returns warnings about values that most servers reject, or that mean something else than they seem to. */
export function settingWarnings(
  settings: RequestSettings & Pick<SettingsInput, "streamLogs">,
  sources: Partial<Record<string, string>>,
  { explicit, isKnown }: { explicit: boolean; isKnown: boolean },
): SettingWarning[] {
  const { tenantId, tracingApiUrl, apiKey, bearerToken, streamLogs } = settings;
  const warnings: SettingWarning[] = Object.entries(sources).flatMap(([key, source]) => {
    const { deprecated: message } = metadataOf(settingsSchema.shape[key as SettingKey]);
    return message === undefined ? [] : [{ text: `${key}: is deprecated. ${message} (from ${source})` }];
  });
  if (tenantId !== undefined && !UUID.test(tenantId)) {
    const text =
      `tenantId: ${JSON.stringify(tenantId)} is not a UUID; the server will probably reject it (from ` +
      `${sources.tenantId}). To set the ID of the workspace, ${howToCorrect(sources.tenantId)}`;
    warnings.push({ text });
  }
  for (const [key, value] of Object.entries({ apiKey, bearerToken })) {
    const [, problem] = CREDENTIAL_MISTAKES.find(([pattern]) => value !== undefined && pattern.test(value)) ?? [];
    const remedy =
      key === "apiKey" && problem === TOKEN ? howToSet("bearerToken", explicit) : howToCorrect(sources[key]);
    if (problem && (key === "apiKey" || problem !== TOKEN))
      warnings.push({ text: `${key}: ${problem}; the server will probably reject it. To correct it, ${remedy}` });
  }
  if (tenantId === undefined && tracingApiUrl !== undefined && !isKnown) {
    const text =
      "tenantId: is not set. If the server lists only one workspace for the API key, it is used; otherwise, " +
      `${howToSet("tenantId", explicit)}`;
    warnings.push({ server: "tracing", text });
  }
  const [name, ...others] = Array.isArray(streamLogs) ? streamLogs : [];
  if (name !== undefined && others.length === 0 && MEANS_TRUE.test(name)) {
    const text =
      `streamLogs: ${JSON.stringify(name)} is taken as the name of a resource. Did you mean true? (from ` +
      `${sources.streamLogs})`;
    warnings.push({ server: "controlPlane", text });
  }
  if (bearerToken && !apiKey) {
    const text =
      "apiKey: bulk exports require an API key, but only a bearer token is set. To add one, " +
      `${howToSet("apiKey", explicit)}`;
    warnings.push({ server: "tracing", text });
  }
  return warnings;
}

export interface MissingSetting {
  name: keyof RequestSettings;
  remedy: string;
}

/** What stands for the value of each setting in a command. */
const PLACEHOLDERS: Record<Exclude<keyof RequestSettings, "apiKeyEnv">, string> = {
  url: "<url>",
  controlPlaneUrl: "<url>",
  tracingApiUrl: "<url>",
  tenantId: "<id>",
  apiKey: "<key>",
  bearerToken: "<token>",
};
type Settable = keyof typeof PLACEHOLDERS;

/** Returns the settings that requests to a server lack. @param explicit Whether they are a Provider's arguments. */
export function missingSettings(
  server: ServerName,
  settings: RequestSettings,
  apiKey: string | undefined,
  explicit: boolean,
): MissingSetting[] {
  const { apiKeyEnv, bearerToken } = settings;
  const setting = SERVERS[server];
  // With one server set for itself, the other one is probably elsewhere.
  const hasOther = Object.values(SERVERS).some((name) => settings[name] !== undefined);
  const name = hasOther ? setting : "url";
  const urls = settings[setting] === undefined ? [{ name, remedy: howToSet(name, explicit) } as const] : [];
  if (apiKey || bearerToken) return urls;
  const emptyVariable = VARIABLE_NAME.test(apiKeyEnv ?? "")
    ? `the environment variable ${apiKeyEnv}, named by apiKeyEnv, is empty or not set. Set it to the API key.`
    : "apiKeyEnv is the name of no environment variable. It is not shown, since it may be the API key itself: " +
      "set it to the name of a variable that contains the key.";
  return [...urls, { name: "apiKey", remedy: apiKeyEnv ? emptyVariable : howToSet("apiKey", explicit) }];
}

/** As variables are usually named. A key that was entered in place of a name is not. */
const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]*$/;

const command = (name: Settable, value: string = PLACEHOLDERS[name]) =>
  `pulumi config set ${isSecretSetting(name) ? "--secret " : ""}agentgraph:${name} ${value}`;

export const howToSet = (name: Settable, explicit: boolean) =>
  explicit
    ? "pass it to the Provider as an argument."
    : `run \`${command(name)}\`, or set the environment variable ${environmentName(name)}.`;

/** Returns how to change a value where it came from. @param value The right one, if it is known. */
export function howToCorrect(source = "its setting", value?: string): string {
  const [, name] = /^stack configuration agentgraph:(\w+)$/.exec(source) ?? [];
  // A default has no place where users could change it.
  const key = source.startsWith("the default ") ? "url" : name;
  if (key !== undefined) return `run \`${command(key as Settable, value)}\`.`;
  return `change ${source.replace(/^argument/, "the argument")}${value === undefined ? "" : ` to ${value}`}.`;
}

const PREFIX = "Settings are missing: ";
/** For the settings of another server, so that a run reports each setting once. */
const FURTHER_PREFIX = "More settings are missing: ";

/** Lists all names in the first line, since a resource's row shows only that. */
export const describeMissing = (missing: readonly MissingSetting[], isFurther = false): string =>
  [
    `${isFurther ? FURTHER_PREFIX : PREFIX}${missing.map(({ name }) => name).join(", ")}`,
    ...missing.map(({ name, remedy }) => `  ${name}: ${remedy}`),
  ].join("\n");

/** Returns the names in a text of `describeMissing`; undefined for any other text. */
export function parseMissing(text: string): string[] | undefined {
  const [first = ""] = text.split("\n");
  const prefix = [PREFIX, FURTHER_PREFIX].find((text) => first.startsWith(text));
  return prefix === undefined ? undefined : first.slice(prefix.length).trim().split(", ");
}
