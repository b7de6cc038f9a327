/** Settings that a request will miss: as data, as the text of a warning or an error, and read back from that text. */
import { environmentName, type Given, SERVERS, type ServerName } from "./servers";

export interface MissingSetting {
  name: keyof Given;
  /** What to do, as a sentence. */
  remedy: string;
}

/** How the value of a setting is written in the command that sets it. */
const VALUES: Record<Exclude<keyof Given, "apiKeyEnv" | "bearerToken">, string> = {
  controlPlaneUrl: "agentgraph:controlPlaneUrl <url>",
  tracingApiUrl: "agentgraph:tracingApiUrl <url>",
  tenantId: "agentgraph:tenantId <id>",
  apiKey: "--secret agentgraph:apiKey <key>",
};

/** What the first request to a server will miss. @param explicit Whether a Provider has the settings as its arguments. */
export function missingSettings(
  server: ServerName,
  given: Given,
  apiKey: string | undefined,
  explicit: boolean,
): MissingSetting[] {
  const { apiKeyEnv, bearerToken } = given;
  const missing = SERVERS[server].filter((name) => given[name] === undefined);
  const urls = missing.map((name) => ({ name, remedy: howToSet(name, explicit) }));
  if (apiKey || bearerToken) return urls;
  const empty = `the environment variable ${apiKeyEnv}, which apiKeyEnv names, is empty or not set.`;
  return [...urls, { name: "apiKey", remedy: apiKeyEnv ? empty : howToSet("apiKey", explicit) }];
}

export const howToSet = (name: keyof typeof VALUES, explicit: boolean) =>
  explicit
    ? "give it to the Provider as an argument."
    : `run \`pulumi config set ${VALUES[name]}\`, or set the environment variable ${environmentName(name)}.`;

const BEGIN = "Settings are missing: ";

/** A resource's row shows the first line only, so that one names them all. */
export const describeMissing = (missing: readonly MissingSetting[]): string =>
  [
    `${BEGIN}${missing.map(({ name }) => name).join(", ")}`,
    ...missing.map(({ name, remedy }) => `  ${name}: ${remedy}`),
  ].join("\n");

/** The names in a text of `describeMissing`; undefined for any other text. */
export function namesOfMissing(text: string): string[] | undefined {
  const [first = ""] = text.split("\n");
  return first.startsWith(BEGIN) ? first.slice(BEGIN.length).trim().split(", ") : undefined;
}
