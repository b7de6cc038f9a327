/** Settings are missing: as data, as the text of a warning or an error, and parsed from that text. */
import { environmentName, type RequestSettings, SERVERS, type ServerName } from "./servers";

export interface MissingSetting {
  name: keyof RequestSettings;
  /** What to do, as a sentence. */
  remedy: string;
}

/** Arguments of `pulumi config set` for each setting. */
const CONFIG_ARGUMENTS: Record<Exclude<keyof RequestSettings, "apiKeyEnv" | "bearerToken">, string> = {
  controlPlaneUrl: "agentgraph:controlPlaneUrl <url>",
  tracingApiUrl: "agentgraph:tracingApiUrl <url>",
  tenantId: "agentgraph:tenantId <id>",
  apiKey: "--secret agentgraph:apiKey <key>",
};

/** Returns the settings that requests to a server lack. @param explicit Whether the settings are arguments of a Provider. */
export function missingSettings(
  server: ServerName,
  settings: RequestSettings,
  apiKey: string | undefined,
  explicit: boolean,
): MissingSetting[] {
  const { apiKeyEnv, bearerToken } = settings;
  const missing = SERVERS[server].filter((name) => settings[name] === undefined);
  const urls = missing.map((name) => ({ name, remedy: howToSet(name, explicit) }));
  if (apiKey || bearerToken) return urls;
  const emptyVariable = `the environment variable ${apiKeyEnv}, named by apiKeyEnv, is empty or not set.`;
  return [...urls, { name: "apiKey", remedy: apiKeyEnv ? emptyVariable : howToSet("apiKey", explicit) }];
}

export const howToSet = (name: keyof typeof CONFIG_ARGUMENTS, explicit: boolean) =>
  explicit
    ? "pass it to the Provider as an argument."
    : `run \`pulumi config set ${CONFIG_ARGUMENTS[name]}\`, or set the environment variable ${environmentName(name)}.`;

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
