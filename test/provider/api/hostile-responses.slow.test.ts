/**
 * Every public method of every API client, with every field of every response replaced by values that no API returns.
 */
import { ContradictionError } from "../../../provider/api/absence";
import type { AgentServerClient } from "../../../provider/api/agent-server/client";
import { NoCheckpointError } from "../../../provider/api/agent-server/thread-states";
import { Clients as ApiClients, type Clients } from "../../../provider/api/clients";
import { collectAll, IncompleteListError } from "../../../provider/api/pagination";
import { HttpError } from "../../../provider/http/errors";
import type { PropertyMap } from "../../../provider/schema/schema";
import { readSettings } from "../../../provider/settings/settings";
import { TestClock } from "../../support/clock";
import { dockerDeployment } from "../../support/deployments/inputs";
import { destination } from "../../support/destinations";
import { type ClientMethod, clientMethods } from "../../support/hostile/client-methods";
import { INTERNAL_ERROR, MAX_MESSAGE } from "../../support/hostile/errors";
import { type Field, isNamedIn } from "../../support/hostile/fields";
import { fuzzFields, fuzzResponses } from "../../support/hostile/fuzz";
import { type Exchange, record } from "../../support/hostile/recording";
import { startWorld, type World } from "../../support/hostile/world";
import { tracingSettings } from "../../support/tracing";

/** Runs per field of a response; FUZZ_RUNS multiplies them. */
const RUNS = 1;
/** Runs per response with another status or other headers. */
const RESPONSE_RUNS = 10;
/** Classes whose methods the clients call, and those that create clients. */
const PARTS = [
  ...[
    "AbsenceCheck",
    "CaseMapper",
    "ClientPool",
    "Clients",
    "Connection",
    "CredentialTrust",
    "JsonClient",
    "LearnedProfile",
    "ObservedRequests",
    "RunClient",
    "SharedPages",
    "Workspaces",
  ],
];

/** Values that once led to an error without the request or the field, by method and field. */
const REGRESSIONS: Record<string, Record<string, (string | undefined)[]>> = {
  "ControlPlaneClient.listDeployments": { offset: ["[]", undefined], "resources.0.name": [undefined] },
  "ControlPlaneClient.getDeployment": { "secrets.0.name": [undefined] },
};

const methods = clientMethods().filter(({ client }) => !PARTS.includes(client));
/** Deletions come last: what they delete is read before. */
const ordered = methods.toSorted((a, b) => Number(a.name.startsWith("delete")) - Number(b.name.startsWith("delete")));
const recordings = new Map<string, Exchange[]>();
const nameOf = ({ client, name }: ClientMethod) => `${client}.${name}`;
let world: World;

beforeAll(async () => {
  world = await startWorld();
  for (const method of ordered) {
    recordings.set(nameOf(method), await recordMethod(method));
  }
}, 60_000);

it.each(ordered.map((method) => [nameOf(method), method] as const))(
  "%s returns a value or a typed error that names the request and the field",
  async (name, method) => {
    const exchanges = recordings.get(name) ?? [];
    const act = (url: string) => call(url, method);
    await fuzzFields({ name, exchanges, act, checkError, runs: RUNS, examples: REGRESSIONS[name] ?? {} });
  },
  600_000,
);

it.each(ordered.map((method) => [nameOf(method), method] as const))(
  "%s returns a value or a typed error that names the request, whatever status and headers it receives",
  async (name, method) => {
    const exchanges = recordings.get(name) ?? [];
    await fuzzResponses({
      name,
      exchanges,
      act: (url) => call(url, method),
      checkError: checkRequest,
      runs: RESPONSE_RUNS,
    });
  },
  600_000,
);

function recordMethod(method: ClientMethod): Promise<Exchange[]> {
  return record(world.url, (url) => call(url, method)).catch((error: Error) => {
    throw new Error(`${nameOf(method)}: ${error.message}`);
  });
}

function checkError(error: unknown, field: Field): void {
  checkRequest(error);
  const [, problem] = /: unexpected response: (.*)/s.exec((error as Error).message) ?? [];
  if (problem !== undefined && !isNamedIn(problem, field)) throw error;
}

function checkRequest(error: unknown): void {
  if ([IncompleteListError, ContradictionError, NoCheckpointError].some((type) => error instanceof type)) return;
  if (!(error instanceof HttpError)) throw error;
  expect(error.message).toMatch(/^[A-Z]+ \/\S+: (\d+|no response): /);
  expect(error.message).not.toMatch(INTERNAL_ERROR);
  expect(error.message.length).toBeLessThan(MAX_MESSAGE);
}

/** Calls a method of new clients, and reads a list to its end. */
async function call(url: string, { client, name, parameters }: ClientMethod): Promise<unknown> {
  const config: Record<string, string> = { controlPlaneUrl: url, apiKey: "key", ...tracingSettings({ url }) };
  const settings = readSettings((key) => config[key.replace("agentgraph:", "")], {});
  const instances = instancesOf(new ApiClients(settings, new TestClock()), url);
  const instance = instances.find((one) => one.constructor.name === client) as Record<string, CallableFunction>;
  if (!instance) throw new Error(`There is no ${client} in Clients.`);
  const result = await instance[name]?.(...parameters.map((parameter) => argument(url, [client, name, parameter])));
  return Symbol.asyncIterator in Object(result) ? collectAll(result) : result;
}

/** Returns all clients: the properties of Clients, the agent server, and what it consists of. */
function instancesOf(clients: Clients, url: string): object[] {
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(ApiClients.prototype));
  const getters = descriptors.filter(([, { get }]) => get).map(([key]) => clients[key as keyof Clients] as object);
  const deployment = { id: "d", url: url + world.agentPath };
  const agentServer = clients.agentServers.serverOf(deployment) as AgentServerClient;
  return [...getters, agentServer, ...Object.values(agentServer).filter((part) => typeof part === "object")];
}

/** Returns the argument for a parameter, by the most specific of `Client.method.parameter` and its endings. */
function argument(url: string, path: string[]): unknown {
  const all = argumentsFor(url);
  const [client, method, parameter = ""] = path;
  const key = [path.join("."), `${method}.${parameter}`, `${client}.${parameter}`, parameter].find((one) =>
    Object.hasOwn(all, one),
  );
  if (key === undefined) throw new Error(`Add an argument for ${path.join(".")} to this test.`);
  return all[key];
}

function argumentsFor(url: string): PropertyMap {
  const { ids, destinationId, url: platformUrl } = world;
  const metadata = { graph_id: "echo" };
  const { credentials, ...destinationBody } = destination(world) as PropertyMap;
  return {
    "AgentServerRegistry.resolve.nouns": "threads",
    "AgentServerRegistry.resolve.options": { deploymentId: ids.deploymentId },
    "AssistantClient.getSchemas.timeoutMs": undefined,
    "listExistingIds.withDeleted": false,
    ...ids,
    ...{ tenantId: tracingSettings(world).tenantId, integrationId: "33333333-3333-4333-8333-333333333333" },
    id: ids.deploymentId,
    ids: [ids.deploymentId],
    "ThreadClient.id": ids.threadId,
    "ThreadStates.id": ids.threadId,
    "createDeployment.body": { ...dockerDeployment({ name: "created" }), sourceConfig: {}, secrets: [] },
    "updateDeployment.body": { secrets: [] },
    "createUpload.deploymentId": ids.sourceDeploymentId,
    "createUpload.options": { withHeaders: true },
    "deleteDeployment.options": {},
    "createPushToken.deploymentId": ids.dockerDeploymentId,
    "DeploymentCache.recordChange.options": { id: ids.deploymentId, name: "agent" },
    "DeploymentCache.searchByAgent.options": { agentId: "checkout", environment: "production" },
    matches: () => true,
    name: "agent",
    "ProjectCache.findByName.id": "agent",
    origin: "https://agents.example",
    deployment: { id: ids.deploymentId, url: url + world.agentPath },
    url: url + world.agentPath,
    filter: {},
    status: "DEPLOYED",
    type: "deploy",
    lines: 10,
    limit: 2,
    metadata,
    "ThreadClient.body": { metadata },
    "AssistantClient.id": ids.assistantId,
    "AssistantClient.create.body": { graphId: "echo", metadata },
    "AssistantClient.update.body": { metadata },
    "AssistantClient.query": { graphId: "echo" },
    "CronClient.id": ids.cronId,
    "CronClient.update.body": { schedule: "0 4 * * *" },
    "CronClient.create.body": { assistantId: ids.assistantId, schedule: "0 3 * * *", metadata },
    "CronClient.create.threadId": undefined,
    "CronClient.query": { enabled: false },
    "ThreadClient.query": { metadata, limit: 2 },
    "RevisionClient.query": { type: "deploy", limit: 2 },
    "RevisionClient.logs.options": {},
    "TracingClient.options": {},
    "createDestination.body": { ...destinationBody, displayName: "created", credentials },
    "createExport.body": world.oneTime(),
    "Destination.id": destinationId,
    "getDestination.id": destinationId,
    "getProject.id": world.sessionId,
    "rotateCredentials.id": destinationId,
    "deleteDestination.id": ids.unusedDestinationId,
    identity: { credentials },
    "TracingClient.id": ids.exportId,
    "getWorkspace.id": tracingSettings({ url: platformUrl }).tenantId,
    "cancelExport.id": ids.scheduleId,
    sourceId: ids.scheduleId,
  };
}
