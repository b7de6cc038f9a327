/** The client of assistants: both kinds of agent servers, and the number of requests. */
import { isDefaultAssistant } from "../../../../provider/api/agent-server/assistants";
import { collectAll } from "../../../../provider/api/pagination";
import { defaultAssistantId } from "../../../../provider/schema/id";
import { numberedId, startAgentClient } from "../../../support/servers/agent-client";
import { html, json } from "../../../support/servers/server";

const assistant = (n: number, fields: object = {}) => ({ assistant_id: numberedId(n), graph_id: "agent", ...fields });
const range = (count: number, first = 0) => Array.from({ length: count }, (_, n) => assistant(first + n));
const notFound = json(404, { detail: "Not Found: assistant" });
const [one, two, three] = [numberedId(1), numberedId(2), numberedId(3)];

// @covers 4B.POST /assistants:exists
it.each([
  ["is repeated after a loss with an ID and do_nothing", { assistantId: one, ifExists: "do_nothing" as const }, 2],
  ["is not repeated without an ID", { ifExists: "do_nothing" as const }, 1],
  ["is not repeated if an existing assistant is an error", { assistantId: one }, 1],
])("a create %s", async (_what, body, count) => {
  const { agent, requests } = await startAgentClient(html(502, "Bad Gateway"), json(200, assistant(1)));
  await agent.assistants.create({ graphId: "agent", ...body }).catch(() => undefined);
  expect(requests()).toHaveLength(count);
});

// @covers 2B.Assistant.default:unprotected
it.each(["agent", "", "../threads", one.replaceAll("-", "")])(
  "no request is sent for %j, which a server may take for the name of a graph",
  async (id) => {
    const { agent, requests } = await startAgentClient(json(200, {}));
    const { assistants, crons } = agent;
    const removals = [() => assistants.delete(id), () => crons.delete(id)];
    for (const act of [...removals, () => assistants.update(id, {}), () => assistants.get(id)])
      await expect(act()).rejects.toThrow("is not a UUID, so no request was sent.");
    expect(requests()).toEqual([]);
  },
);

// @covers 2B.Assistant.default
it("a default assistant is recognized by its ID and by its creator", () => {
  expect(defaultAssistantId("agent")).toBe("fe096781-5601-53d2-b2f6-0d3403f7e9ca");
  expect(isDefaultAssistant({ graphId: "agent", assistantId: "FE096781-5601-53D2-B2F6-0D3403F7E9CA" })).toBe(true);
  expect(isDefaultAssistant({ graphId: "other", metadata: { created_by: "system" } })).toBe(true);
  expect(isDefaultAssistant({ graphId: "agent", assistantId: one, metadata: {} })).toBe(false);
});

describe("Reads of assistants", () => {
  it("do not search further pages for fewer assistants than pages", async () => {
    const replies = [json(200, range(1000, 100)), json(200, assistant(1)), json(200, assistant(2))];
    const { agent, requests } = await startAgentClient(...replies);
    await Promise.all([one, two].map((id) => agent.assistants.find(id))).catch(() => undefined);
    expect(requests().filter((request) => request.startsWith("POST"))).toHaveLength(2);
  });

  // @covers 4B.GET /assistants/{assistant_id}
  it("return an assistant that only the list contains, as one whose graph is missing", async () => {
    const { agent } = await startAgentClient(
      notFound,
      notFound,
      json(200, [assistant(1)]),
      json(200, []),
      notFound,
      json(200, [assistant(1)]),
    );
    expect(await agent.assistants.find(one)).toMatchObject({ assistantId: one, isGraphMissing: true });
  });

  it("request each where the server rejects the search", async () => {
    const { agent, requests } = await startAgentClient(json(405, { detail: "Method Not Allowed" }), (out, request) =>
      json(200, assistant(1, { assistant_id: request.url?.split("/").at(-1) }))(out, request),
    );
    await Promise.all([agent.assistants.peek(one), agent.assistants.peek(two)]);
    expect(requests().sort()).toEqual([`GET /assistants/${one}`, `GET /assistants/${two}`, "POST /assistants/search"]);
  });
});

describe("A list of assistants", () => {
  // @covers 4B.POST /assistants/search:pages
  it("is read until an empty page, whatever the headers say, without repeated assistants", async () => {
    const headers = { "x-pagination-total": "2", "x-pagination-next": "1" };
    const { agent, bodies } = await startAgentClient(
      json(200, [assistant(1), assistant(2)], headers),
      json(200, [assistant(2), assistant(3)], headers),
      json(200, [], headers),
    );
    const found = await collectAll(agent.assistants.list({ graphId: "agent", metadata: { aB: 1 } }));
    expect(found.map(({ assistantId }) => assistantId)).toEqual([one, two, three]);
    const filter = { graph_id: "agent", metadata: { aB: 1 }, limit: 1000, sort_by: "created_at", sort_order: "asc" };
    expect(bodies()).toEqual([filter, { ...filter, offset: 2 }, { ...filter, offset: 4 }]);
  });

  // @covers 4B.POST /assistants/search:filter
  it("is empty for a graph that the server does not know, and an error where it has no such route", async () => {
    const unknown = await startAgentClient(json(404, { detail: "Graph 'x' not found" }), json(200, [assistant(1)]));
    expect(await collectAll(unknown.agent.assistants.list({ graphId: "x" }))).toEqual([]);
    const { agent } = await startAgentClient(json(404, { detail: "Not Found" }));
    await expect(collectAll(agent.assistants.list({ graphId: "x" }))).rejects.toThrow("404");
  });

  it("contains assistants with a context that is not an object, and none without an ID", async () => {
    const { agent } = await startAgentClient(json(200, [assistant(1, { context: "text" }), { a: 1 }]), json(200, []));
    expect(await collectAll(agent.assistants.list())).toMatchObject([{ assistantId: one, graphId: "agent" }]);
  });
});

// @covers 4B.POST /assistants/{assistant_id}/versions
it("the versions of an assistant end with a 404, and so do those of an assistant that is gone", async () => {
  const versions = json(200, [assistant(1, { version: 2 }), assistant(1, { version: 1 })]);
  const { agent, bodies } = await startAgentClient(versions, notFound);
  expect((await agent.assistants.listVersions(one)).map(({ version }) => version)).toEqual([2, 1]);
  expect(bodies()).toEqual([{ limit: 1000 }, { limit: 1000, offset: 2 }]);
  const gone = await startAgentClient(notFound);
  expect(await gone.agent.assistants.listVersions(one)).toEqual([]);
});

// @covers 4B.GET /assistants/{assistant_id}/schemas
it("the schemas of an assistant are unknown after a 404 or a 500, which is not repeated", async () => {
  const schemas = { graph_id: "agent", config_schema: {}, context_schema: null };
  const { agent, requests } = await startAgentClient(json(200, schemas), notFound, html(500, "Internal Server Error"));
  const read = await agent.assistants.getSchemas(one);
  expect(read).toMatchObject({ graphId: "agent", configSchema: {}, contextSchema: null });
  expect(await agent.assistants.getSchemas(one)).toBeUndefined();
  expect(await agent.assistants.getSchemas(one)).toBeUndefined();
  expect(requests()).toHaveLength(3);
});
