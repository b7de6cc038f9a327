/** What users see when they connect in a wrong way, and small servers that reject them. */
import { Clients } from "../../../../provider/api/clients";
import { noRetry } from "../../../../provider/http/retry";
import { PLATFORMS } from "../../../../provider/settings/platforms";
import { readSettings } from "../../../../provider/settings/settings";
import { json, type Reply, TestServer } from "../../../support/servers/server";
import { within } from "../../../support/servers/tunnel";
import { TestClock } from "../../../support/time/clock";

export const TEAM_A = "aaaaaaaa-0000-4000-8000-000000000001";
const TEAM_B = "bbbbbbbb-0000-4000-8000-000000000002";
export const EXAMPLE = "https://agents.example.com";
export const key = { apiKey: "k" };
export const notFound = json(404, { detail: "Not Found" });

interface Connection {
  config: Record<string, string>;
  environment?: Record<string, string>;
  platforms?: typeof PLATFORMS;
  /** What is requested. Default: the deployments. */
  ask?: (clients: Clients) => Promise<unknown>;
}

export const listExports = (clients: Clients) => clients.tracing.listExports();
const deployments = (clients: Clients) => clients.deploymentCache.findFirst(() => false);
export const create = (source: "githost") => (clients: Clients) =>
  clients.controlPlane.createDeployment({ name: "a", source } as never);

/** Returns everything that a user is shown: warnings of the settings, and the error. */
export async function shown({ config, environment = {}, platforms = PLATFORMS, ask = deployments }: Connection) {
  const run = async () => {
    const settings = readSettings((name) => config[name.replace("agentgraph:", "")], environment, { platforms });
    const warnings = settings.warnings.map(({ text }) => text);
    const clients = new Clients(settings, new TestClock(), noRetry);
    try {
      await ask(clients);
      return [...warnings, "connected"].join("\n");
    } catch (error) {
      return [...warnings, (error as Error).message].join("\n");
    } finally {
      await clients.close();
    }
  };
  return within(environment, run).catch(({ message }) => message);
}

/** Starts a server with this API below a path, and a page or an error at every other one. */
export const startApi = (prefix = "", other = notFound) =>
  TestServer.start([
    (response, request) => {
      const isApi = request.url?.startsWith(`${prefix}/v2/deployments?`);
      return (isApi ? json(200, { resources: [], offset: 0 }) : other)(response, request);
    },
  ]);

/** Starts a server that rejects every request but one for the workspaces of the key. */
export const startRejecting = (rejection: Reply, workspaces: object[] = []) =>
  TestServer.start([
    (response, request) =>
      (request.url === "/api/v1/workspaces" ? json(200, workspaces) : rejection)(response, request),
  ]);

export const workspaces = [
  { id: TEAM_A, display_name: "Team A" },
  { id: TEAM_B, display_name: "Team B" },
];
export const listed = `    ${TEAM_A}  Team A\n    ${TEAM_B}  Team B`;
export const setUrl = "run `pulumi config set agentgraph:url <url>`.";
export const setKey = "run `pulumi config set --secret agentgraph:apiKey <key>`.";
export const setId = "run `pulumi config set agentgraph:tenantId <";
export const denied = json(403, { detail: "Forbidden" });
export const invalid = json(401, { detail: "Invalid token" });

/** A table in which the host of the small servers is one of a platform. */
export const known = {
  langsmith: {
    ...PLATFORMS.langsmith,
    hosts: [{ pattern: /^127\.0\.0\.1$/, controlPlane: "127.0.0.1", tracing: "127.0.0.1" }],
  },
};

export type Row = [mistake: string, connect: () => Promise<Connection>, ...says: string[]];

export const at = (url: string, more: object = {}) => ({ config: { url, ...key, ...more } });
export const atServer = async (server: Promise<TestServer>, more: object = {}, path = "") =>
  at((await server).url.origin + path, more);
