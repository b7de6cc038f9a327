/**
 * What the clients of agent servers can send, as their own code says: a new method, field or word of theirs is not
 * recorded until the script of scripts/record/ sends it to a published server.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { z } from "zod";
import * as assistants from "../../../../provider/api/agent-server/assistants";
import { AgentServerClient, checkHealth } from "../../../../provider/api/agent-server/client";
import * as crons from "../../../../provider/api/agent-server/crons";
import { runBodySchema } from "../../../../provider/api/agent-server/runs";
import * as threads from "../../../../provider/api/agent-server/threads";
import { collectAll } from "../../../../provider/api/pagination";
import { HttpError } from "../../../../provider/http/errors";
import { inputs as cronInputs } from "../../../../provider/resources/cron/fields";
import { type AgentRequest, findUnrecorded, readAccepted } from "../../../support/agent-servers/accepted-requests";
import { readRecordings } from "../../../support/agent-servers/recordings";
import { UNRECORDED, UNRECORDED_STATUSES } from "../../../support/agent-servers/unrecorded-requests";
import { samplesOf } from "../../../support/arbitraries/samples";
import { type ClientMethod, clientMethods } from "../../../support/hostile/client-methods";
import { numberedId } from "../../../support/servers/agent-client";
import { openJsonClient } from "../../../support/servers/http-client";
import { TestServer } from "../../../support/servers/server";

const ROOT = join(__dirname, "../../../..");
const ID = numberedId(1);
const CLIENTS = ["AgentServerClient", "AssistantClient", "CronClient", "RunClient", "ThreadClient", "ThreadStates"];
const methods = clientMethods().filter(({ client }) => CLIENTS.includes(client));

/** The schemas of what each parameter encodes, by the most specific of `Client.method.parameter` and its endings. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  "ThreadClient.create.body": threads.threadBodySchema.partial(),
  "ThreadClient.update.body": threads.threadBodySchema.pick({ metadata: true, ttl: true }).partial(),
  metadata: threads.threadMetadata.optional(),
  "ThreadClient.query": threads.threadSearchSchema,
  "AssistantClient.create.body": assistants.assistantBodySchema,
  "AssistantClient.update.body": assistants.assistantBodySchema.omit({ assistantId: true, ifExists: true }),
  "AssistantClient.query": assistants.assistantQuerySchema,
  "CronClient.create.body": crons.cronBodySchema,
  "CronClient.update.body": crons.cronBodySchema.omit({ assistantId: true }),
  "RunClient.wait.body": runBodySchema.omit({ onCompletion: true, onDisconnect: true }),
  "CronClient.query": crons.cronQuerySchema,
};
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  id: [ID],
  threadId: [ID],
  "CronClient.create.threadId": [undefined, ID],
  checkpointId: [undefined, ID],
  limit: [1000],
  timeoutMs: [undefined],
  error: [new HttpError({ method: "GET", path: "/", status: 404, detail: "" })],
};

function samplesFor(path: readonly string[]): readonly unknown[] {
  const [client, method, parameter = ""] = path;
  const keys = [path.join("."), `${method}.${parameter}`, `${client}.${parameter}`, parameter];
  const schema = keys.flatMap((key) => SCHEMAS[key] ?? [])[0];
  // The client leaves open what the resource describes.
  if (schema) return samplesOf(schema, cronInputs.shape as Record<string, z.ZodType>);
  const values = keys.flatMap((key) => (Object.hasOwn(VALUES, key) ? [VALUES[key] ?? []] : []))[0];
  if (!values) throw new Error(`Add the schema or the values of ${path.join(".")} to this test.`);
  return values;
}

/** Returns combinations in which each value of each parameter occurs. */
function argumentsOf({ client, name, parameters }: ClientMethod): unknown[][] {
  const samples = parameters.map((parameter) => samplesFor([client, name, parameter]));
  const count = Math.max(1, ...samples.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) => samples.map((values) => values[index % values.length]));
}

const NOTHING = JSON.stringify({ detail: "Not found" });
const page = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = numberedId(index);
    return {
      ...{ thread_id: id, assistant_id: id, cron_id: id, version: index },
      ...{ checkpoint_id: id, parent_checkpoint_id: ID },
    };
  });

/**
 * How servers respond, so that clients send all that they can: full pages, rejections of what not all support, nothing.
 */
const SERVERS: readonly ((request: AgentRequest) => { status: number; body: string })[] = [
  ({ body, method }) => {
    const { limit, offset, before } = (body ?? {}) as { limit?: number; offset?: number; before?: unknown };
    const isPage = method === "POST" && limit !== undefined;
    const items = page(offset === undefined && before === undefined ? (limit ?? 0) : 0);
    return { status: 200, body: JSON.stringify(isPage ? items : page(2)[1]) };
  },
  ({ body, path }) => {
    const { limit, sort_order, before } = (body ?? {}) as Record<string, unknown>;
    const isRejected = sort_order !== undefined || typeof before === "object" || path.includes("?");
    const items = limit === undefined ? page(2)[1] : before === undefined ? page(Number(limit)) : [];
    return { status: isRejected ? 422 : 200, body: JSON.stringify(items) };
  },
  () => ({ status: 200, body: "{}" }),
  () => ({ status: 404, body: NOTHING }),
];

/** Calls a method of new clients on a server, and reads a list to its end. */
async function capture(method: ClientMethod, args: unknown[], respond: (typeof SERVERS)[0]): Promise<AgentRequest[]> {
  const requests: AgentRequest[] = [];
  const server = await TestServer.start([
    (response) => {
      const { method = "", url, body } = server.requests.at(-1) ?? {};
      const request = { method, path: url ?? "", ...(body && { body: JSON.parse(body) }) };
      requests.push(request);
      const { status, body: text } = respond(request);
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    },
  ]);
  const { http, jsonClient, clock } = openJsonClient(server.url);
  const agent = new AgentServerClient({
    ...{ url: server.url.href, json: jsonClient, clock },
    checkHealth: () => checkHealth(http),
  });
  const clients = [agent, ...Object.values(agent).filter((part) => typeof part === "object")];
  const client = clients.find((one) => one.constructor.name === method.client) as Record<string, CallableFunction>;
  try {
    const result = await client[method.name]?.(...args);
    if (Symbol.asyncIterator in Object(result)) await collectAll(result);
  } catch (error) {
    if (!(error instanceof HttpError) && !(error instanceof Error && error.constructor !== TypeError)) throw error;
  }
  await server.stop();
  return requests;
}

const captured = new Map<string, AgentRequest[]>();

beforeAll(async () => {
  for (const method of methods) {
    const requests: AgentRequest[] = [];
    for (const args of argumentsOf(method))
      for (const respond of SERVERS) requests.push(...(await capture(method, args, respond)));
    captured.set(`${method.client}.${method.name}`, requests);
  }
});

const all = () => [...captured.values()].flat();

test("every method of the clients of agent servers sends requests, except for the server's time", () => {
  expect([...captured].flatMap(([name, requests]) => (requests.length === 0 ? [name] : []))).toEqual([
    "AgentServerClient.now",
  ]);
});

test("a published server has accepted every request, field and word that the clients can send", () => {
  expect(findUnrecorded(all(), readAccepted())).toEqual(Object.keys(UNRECORDED));
});

/** Everything that a response of an agent server passes through. */
const INTERPRETERS = [
  ...["provider/api/*.ts", "provider/api/agent-server/*.ts", "provider/http/*.ts", "provider/functions/**/*.ts"],
  ...["provider/objects/**/*.ts", "provider/conversations/{server,catalog}/**/*.ts", "cli/**/*.ts"],
  ...["provider/resources/{assistant,cron,thread}.ts", "provider/resources/{assistant,cron,thread}/**/*.ts"],
];

/** Returns the statuses of errors that a source names, in comparisons and in lists. */
function statusesIn(file: string): number[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.ES2023);
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node) && /^[45]\d\d$/.test(node.text)) found.push(Number(node.text));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("a published server has returned each error status that the code interprets, or a reason is known", () => {
  const files = INTERPRETERS.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const interpreted = [...new Set(files.flatMap(statusesIn))].sort();
  const recorded = new Set(
    readRecordings().flatMap(({ exchanges }) => exchanges.map(({ response: { status } }) => status)),
  );
  expect(interpreted).toEqual(expect.arrayContaining([401, 403, 404, 409, 422, 429, 500]));
  expect(interpreted.filter((status) => !recorded.has(status))).toEqual(Object.keys(UNRECORDED_STATUSES).map(Number));
});
