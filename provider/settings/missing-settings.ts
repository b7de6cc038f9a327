/** Settings that a request will miss: as data, as the text of a warning or an error, and read back from that text. */
import { environmentName, type RequestSettings, SERVERS, type ServerName } from "./servers";

export interface MissingSetting {
  name: keyof RequestSettings;
  /** What to do, as a sentence. */
  remedy: string;
}

/** How the value of a setting is written in the command that sets it. */
const CONFIG_ARGUMENTS: Record<Exclude<keyof RequestSettings, "apiKeyEnv" | "bearerToken">, string> = {
  controlPlaneUrl: "agentgraph:controlPlaneUrl <url>",
  tracingApiUrl: "agentgraph:tracingApiUrl <url>",
  tenantId: "agentgraph:tenantId <id>",
  apiKey: "--secret agentgraph:apiKey <key>",
};

/** What the first request to a server will miss. @param explicit Whether a Provider has the settings as its arguments. */
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
  const emptyVariable = `the environment variable ${apiKeyEnv}, which apiKeyEnv names, is empty or not set.`;
  return [...urls, { name: "apiKey", remedy: apiKeyEnv ? emptyVariable : howToSet("apiKey", explicit) }];
}

export const howToSet = (name: keyof typeof CONFIG_ARGUMENTS, explicit: boolean) =>
  explicit
    ? "give it to the Provider as an argument."
    : `run \`pulumi config set ${CONFIG_ARGUMENTS[name]}\`, or set the environment variable ${environmentName(name)}.`;

const PREFIX = "Settings are missing: ";

/** A resource's row shows the first line only, so that one names them all. */
export const describeMissing = (missing: readonly MissingSetting[]): string =>
  [
    `${PREFIX}${missing.map(({ name }) => name).join(", ")}`,
    ...missing.map(({ name, remedy }) => `  ${name}: ${remedy}`),
  ].join("\n");

/** The names in a text of `describeMissing`; undefined for any other text. */
export function parseMissing(text: string): string[] | undefined {
  const [first = ""] = text.split("\n");
  return first.startsWith(PREFIX) ? first.slice(PREFIX.length).trim().split(", ") : undefined;
}
