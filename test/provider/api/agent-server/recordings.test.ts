/** What published agent servers responded passes through the client, and says what they said. */
import { assistantInfoSchema } from "../../../../provider/api/agent-server/assistants";
import { AgentServerClient, checkHealth } from "../../../../provider/api/agent-server/client";
import { cronSchema } from "../../../../provider/api/agent-server/crons";
import { UnappliedError } from "../../../../provider/api/agent-server/thread-client";
import * as assistants from "../../../../provider/resources/assistant/mapping";
import * as crons from "../../../../provider/resources/cron/mapping";
import type { Exchange } from "../../../../scripts/record/exchange";
import { readRecordings, withValues } from "../../../support/agent-servers/recordings";
import { openJsonClient } from "../../../support/servers/http-client";
import { TestServer } from "../../../support/servers/server";

const recordings = readRecordings();
async function first<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  for await (const page of pages) return page;
  return [];
}

/** The method of the client that sends each kind of request. */
const CALLS: Readonly<Record<string, (agent: AgentServerClient, id: string) => Promise<unknown>>> = {
  "GET /ok": (agent) => agent.checkReadiness(),
  "GET /info": (agent) => agent.crons.areSupported(),
  "POST /threads": (agent) => agent.threads.create({}),
  "GET /threads/*": (agent, id) => agent.threads.get(id),
  "PATCH /threads/*": (agent, id) => agent.threads.update(id, {}),
  "DELETE /threads/*": (agent, id) => agent.threads.delete(id),
  "POST /threads/*/copy": (agent, id) => agent.threads.copy(id),
  "POST /threads/search": (agent) => agent.threads.searchPage({ limit: 10 }),
  "GET /threads/*/state": (agent, id) => agent.states.get(id),
  "GET /threads/*/state/*": (agent, id) => agent.states.get(id, id),
  "POST /threads/*/history": (agent, id) => first(agent.states.list(id, 1000)),
  "POST /assistants": (agent) => agent.assistants.create({}),
  "GET /assistants/*": (agent, id) => agent.assistants.get(id),
  "PATCH /assistants/*": (agent, id) => agent.assistants.update(id, {}),
  "DELETE /assistants/*": (agent, id) => agent.assistants.delete(id),
  "POST /assistants/search": (agent) => first(agent.assistants.list()),
  "POST /assistants/*/versions": (agent, id) => agent.assistants.listVersions(id),
  "GET /assistants/*/schemas": (agent, id) => agent.assistants.getSchemas(id),
  "POST /runs/crons": (agent) => agent.crons.create({}),
  "POST /threads/*/runs/crons": (agent, id) => agent.crons.create({}, id),
  "GET /runs/crons/*": (agent, id) => agent.crons.get(id),
  "PATCH /runs/crons/*": (agent, id) => agent.crons.update(id, {}),
  "DELETE /runs/crons/*": (agent, id) => agent.crons.delete(id),
  "POST /runs/crons/search": (agent) => first(agent.crons.list()),
};
const FIXED = /^(threads|assistants|runs|crons|search|copy|state|history|versions|schemas|ok|info|count|prune)$/;
const routeOf = ({ request: { method, path } }: Exchange) => {
  const [pathname = ""] = path.split("?");
  return `${method} ${pathname.replaceAll(/[^/]+/g, (part) => (FIXED.test(part) ? part : "*"))}`;
};

/** Published servers use words of their own. */
const clientOf = (url: URL) => openJsonClient(url, { vocabulary: { githost: "github", agentgraph: "langgraph" } });

/** Passes a recorded response through the client. */
async function decode(exchange: Exchange): Promise<unknown> {
  const { status, headers, body } = exchange.response;
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(withValues(body));
  // An empty page or a rejection ends the list of what the client reads next.
  const server = await TestServer.start([(response) => response.writeHead(status, headers).end(text)]);
  const { http, jsonClient, clock } = clientOf(server.url);
  const { href: url } = server.url;
  const agent = new AgentServerClient({ url, json: jsonClient, clock, checkHealth: () => checkHealth(http) });
  // The client compares the ID of an object with the one that it asked for, which has a name in the response alone.
  const { path } = exchange.request;
  const shown = Object(withValues(body)) as Record<string, string | undefined>;
  const key = ["crons", "assistants", "threads"].find((noun) => path.includes(noun))?.slice(0, -1);
  const requested = String(withValues(path))
    .split(/[/?]/)
    .find((segment) => /^[0-9a-f-]{36}$/i.test(segment));
  const id = shown[`${key}_id`] ?? requested ?? "00000000-0000-4000-8000-000000000001";
  return CALLS[routeOf(exchange)]?.(agent, id);
}

/** The fields of an object by which a decoded one is recognized. */
const FIELDS: Readonly<Record<string, string>> = {
  thread_id: "threadId",
  assistant_id: "assistantId",
  cron_id: "cronId",
  graph_id: "graphId",
  metadata: "metadata",
  values: "values",
  next: "next",
  status: "status",
  name: "name",
  version: "version",
  schedule: "schedule",
  payload: "payload",
  checkpoint_id: "checkpointId",
  input_schema: "inputSchema",
  output_schema: "outputSchema",
  state_schema: "stateSchema",
  config_schema: "configSchema",
  context_schema: "contextSchema",
};

function expectedOf(body: unknown, shown: readonly string[]): unknown {
  if (Array.isArray(body)) return body.map((item) => expectedOf(item, shown));
  const entries = Object.entries(body as object).filter(([key, value]) => shown.includes(key) && value !== null);
  return Object.fromEntries(entries.map(([key, value]) => [FIELDS[key], value]));
}

/** What a route returns of these fields with the spelling of the server. */
const SHOWN: readonly [RegExp, readonly string[]][] = [
  [/schemas$/, ["input_schema", "output_schema", "state_schema", "config_schema", "context_schema"]],
  [/history|state/, ["values", "next", "checkpoint_id"]],
  [/crons/, ["cron_id", "assistant_id", "schedule", "metadata"]],
  [/assistants/, ["assistant_id", "graph_id", "name", "version", "metadata"]],
  [/threads/, ["thread_id", "status", "metadata"]],
];

/** The beginning of what an error says. */
function wordsOf(body: unknown): string {
  const { detail, error } = (typeof body === "object" ? body : {}) as {
    detail?: string;
    error?: { issues?: [{ message: string }] };
  };
  const words = detail ?? error?.issues?.[0].message ?? (typeof body === "string" ? body : "an empty response");
  return String(withValues(words)).split("\n")[0]?.slice(0, 40) ?? "";
}

describe.each(recordings.map(({ name, exchanges }) => [name, exchanges] as const))(
  "the client reads %s",
  (_, exchanges) => {
    const known = exchanges.filter((exchange) => routeOf(exchange) in CALLS);

    // @covers 5B.custom:health, 5B.custom:missing, 5B.custom:forbidden, 7:threads
    test.each(known.map((exchange) => [exchange.name, exchange] as const))("%s", async (_, exchange) => {
      const { status, body } = exchange.response;
      const result = await decode(exchange).catch((error: unknown) => error);
      if (exchange.name === "state-at-unknown") expect((result as Error).message).toContain("has no checkpoint");
      else if (status === 201) expect(result).toBeInstanceOf(UnappliedError);
      else if (status >= 400 && result instanceof Error)
        expect(result).toMatchObject({ status, detail: expect.stringContaining(wordsOf(body)) });
      else if (exchange.request.path === "/ok") expect(result).toBe("healthy");
      else if (exchange.request.path === "/info")
        expect(result).toBe((body as { flags: { crons: boolean } }).flags.crons);
      else if (status < 400) {
        const shown = SHOWN.find(([route]) => route.test(exchange.request.path))?.[1] ?? [];
        const { select } = Object(exchange.request.body) as { select?: readonly string[] };
        // The client drops items without an ID.
        const isSelected = select?.every((field) => !/^(thread|cron)_id$/.test(field)) ?? false;
        const isRead = !isSelected && body !== undefined && status !== 204;
        if (isRead && exchange.request.method !== "DELETE")
          expect(result).toMatchObject(expectedOf(withValues(body), shown) as object);
        else expect(result).not.toBeInstanceOf(Error);
      }
    });
  },
);

// @covers 2B.Assistant.mirrors
test("an assistant and a cron with every field give the inputs that were sent", () => {
  for (const { server, exchanges } of recordings) {
    const find = (name: string) => exchanges.find((exchange) => exchange.name === name);
    const json = clientOf(new URL("http://127.0.0.1/")).jsonClient;
    const line = { method: "POST", path: "/" } as const;
    const bodyOf = (name: string) => ({ status: 200, json: withValues(find(name)?.response.body) }) as never;
    const assistant = json.decode(assistantInfoSchema, line, bodyOf("assistant-full")) as never;
    expect(assistants.toAllInputs(assistant)).toMatchObject({
      assistantId: "20000000-0000-4000-8000-000000000001",
      ...{ graphId: "echo", name: "Full", description: "All fields", metadata: { team: "x", nested: { a: 1 } } },
      config: { tags: ["one"], recursionLimit: 50 },
    });
    if (server === "javascript") continue;
    const cron = json.decode(cronSchema, line, bodyOf("cron-full")) as never;
    expect(crons.toAllInputs(cron)).toMatchObject({
      ...{ schedule: "0 0 1 1 *", timezone: "Europe/Berlin", endTime: "2031-01-01T00:00:00Z", enabled: false },
      ...{ onRunCompleted: "keep", metadata: { team: "x", nested: { a: 1 } }, interruptAfter: ["*"] },
      durability: "async",
      config: { tags: ["one"], recursionLimit: 50, configurable: { prefix: "Cron: " } },
    });
  }
});
