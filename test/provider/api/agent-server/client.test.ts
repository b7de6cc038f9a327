/** The client of agent servers: valid responses, and the number of requests. */
import { AgentServerClient, checkHealth } from "../../../../provider/api/agent-server/client";
import { openJsonClient } from "../../../support/servers/http-client";
import { json, TestServer } from "../../../support/servers/server";

type Replies = Parameters<typeof TestServer.start>[0];

/** A client of a temporary server, under a base path. */
async function startClient(...replies: Replies) {
  const server = await TestServer.start(replies);
  const url = new URL("/base/", server.url);
  const { http, jsonClient, clock } = openJsonClient(url);
  const agent = new AgentServerClient({ url: url.href, json: jsonClient, clock, checkHealth: () => checkHealth(http) });
  return { agent, requests: () => server.requests.map(({ method, url }) => `${method} ${url}`), server };
}
const thread = (id: string) => ({ thread_id: id, metadata: {}, status: "idle" });

// @covers 2B.Thread.config
it.each([
  [200, { thread_id: "t", metadata: { aB: 1 }, ttl: { strategy: "delete", ttl: 5, expires_at: "soon" } }],
  [201, { thread_id: "t", metadata: { aB: 1 }, ttl: { strategy: "delete", ttl: 5 }, config: { deep: { a_b: 1 } } }],
])(
  "AgentServerClient accepts a response with an ID, whatever its success status (%i) and further fields",
  async (status, body) => {
    const { agent } = await startClient(json(status, body));
    const expected = { threadId: "t", metadata: { aB: 1 }, ttl: { strategy: "delete", ttl: 5 } };
    expect(await agent.threads.create({})).toMatchObject(expected);
  },
);

it.each([
  ["empty", json(204, undefined)],
  ["an empty object", json(200, {})],
])("AgentServerClient reads a thread again when the response to its update is %s", async (_what, reply) => {
  const { agent, requests } = await startClient(reply, json(200, thread("t")));
  expect(await agent.threads.update("t", { metadata: { team: "sales" } })).toMatchObject({ threadId: "t" });
  expect(requests()).toEqual(["PATCH /base/threads/t", "GET /base/threads/t"]);
});

// @covers 4B:unsaid
it("AgentServerClient searches without an order, from then on, on a server that rejects its word for it", async () => {
  const rejection = json(422, { detail: "sort_order: not one of ascending, descending" });
  const { agent, server } = await startClient(rejection, json(200, [thread("a")]), json(200, []));
  expect(await agent.threads.searchByMetadata({}, 1)).toMatchObject([{ threadId: "a" }]);
  expect(await agent.threads.findByMetadata({})).toEqual([]);
  const bodies = server.requests.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ sort_by }) => sort_by)).toEqual(["created_at", "created_at", "created_at"]);
  expect(bodies.map(({ sort_order }) => sort_order)).toEqual(["desc", undefined, undefined]);
});

it("AgentServerClient returns found threads oldest first from a server that does not sort them", async () => {
  const created = (id: string, second: number) => ({ ...thread(id), created_at: `2026-01-01T00:00:0${second}Z` });
  const found = [created("copy", 2), created("original", 1), thread("undated"), created("later", 3)];
  const { agent } = await startClient(json(200, found));
  const ids = (await agent.threads.findByMetadata({})).map(({ threadId }) => threadId);
  expect(ids).toEqual(["original", "copy", "later", "undated"]);
});

describe("Checkpoints", () => {
  /** The states of a history, newest first, each with its parent. */
  const states = (newest: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      checkpoint_id: `c-${newest - n}`,
      parent_checkpoint_id: newest - n === 1 ? null : `c-${newest - n - 1}`,
    }));

  it("are counted on pages shorter than the limit, and in one request where a page has the first one", async () => {
    const pages = [json(200, states(20, 7)), json(200, states(13, 7)), json(200, states(6, 6))];
    const { agent, requests, server } = await startClient(...pages);
    expect(await agent.states.count("t", 30)).toBe(20);
    expect(requests()).toHaveLength(3);
    expect(JSON.parse(server.requests[1]?.body ?? "")).toEqual({
      limit: 30,
      before: { checkpoint_id: "c-14", configurable: { checkpoint_id: "c-14" } },
    });
    const short = await startClient(json(200, states(2, 2)));
    expect(await short.agent.states.count("t", 30)).toBe(2);
    expect(short.requests()).toHaveLength(1);
  });

  it.each([
    ["repeats its first page", json(200, states(20, 7))],
    ["rejects another page", json(422, { detail: "before is not known" })],
  ])("count as complete where the server %s, or an incomplete thread would be created again", async (_what, reply) => {
    const { agent } = await startClient(json(200, states(20, 7)), reply);
    expect(await agent.states.count("t", 20)).toBe(20);
  });
});

describe("Concurrent reads of threads", () => {
  it("share one search; a thread that it omits is gone after two times 404 and another search", async () => {
    const { agent, requests } = await startClient(
      json(200, [thread("a")]),
      json(404, { detail: "Thread with ID b not found" }),
      json(404, { detail: "Thread with ID b not found" }),
      json(200, []),
    );
    const found = await Promise.all([agent.threads.find("a"), agent.threads.find("b")]);
    expect(found).toMatchObject([{ threadId: "a" }, undefined]);
    const [search, read] = ["POST /base/threads/search", "GET /base/threads/b"];
    expect(requests()).toEqual([search, read, read, search]);
  });

  // @covers 4B:unsaid, 10B.search-ids
  it.each([
    ["rejects the search by IDs", json(422, { detail: "ids: Extra inputs are not permitted" })],
    ["ignores the IDs", json(200, [thread("x"), thread("y")])],
  ])("send one request each, without another search, to a server that %s", async (_what, search) => {
    const [a, other] = [json(200, thread("a")), json(200, thread("a2"))];
    const { agent, requests } = await startClient(search, a, other, a, other);
    for (let round = 0; round < 2; round++) await Promise.all([agent.threads.find("a"), agent.threads.find("a2")]);
    expect(requests().filter((request) => request.includes("search"))).toHaveLength(1);
    expect(requests()).toHaveLength(5);
  });

  it("all fail when the server rejects the search", async () => {
    const { agent } = await startClient(json(401, { detail: "not authenticated" }));
    const reads = await Promise.allSettled([agent.threads.find("a"), agent.threads.find("b")]);
    expect(reads.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("A request to /ok", () => {
  it("is sent once for concurrent and later calls, as long as the server is healthy", async () => {
    const { agent, requests } = await startClient(json(200, { ok: true }));
    expect(await Promise.all([agent.checkReadiness(), agent.checkReadiness()])).toEqual(["healthy", "healthy"]);
    expect(await agent.checkReadiness()).toBe("healthy");
    expect(requests()).toEqual(["GET /base/ok"]);
  });

  // @covers 10B.ready
  it.each([
    [404, "the search succeeds", json(200, []), "unsupported"],
    [405, "the search succeeds", json(200, []), "unsupported"],
    [501, "the search succeeds", json(200, []), "unsupported"],
    [404, "the search returns 404 as well", json(404, {}), "unreachable"],
  ])(
    "with the response %i, of a server without the route, is followed by a search: where %s",
    async (status, _what, search, readiness) => {
      const { agent, requests } = await startClient(json(status, {}), search);
      expect(await agent.checkReadiness()).toBe(readiness);
      expect(requests()).toEqual(["GET /base/ok", "POST /base/threads/search"]);
    },
  );

  it("that fails is sent again by the next call", async () => {
    const { agent, requests } = await startClient(json(400, {}), json(200, {}));
    await expect(agent.checkReadiness()).rejects.toThrow(": 400: ");
    expect(await agent.checkReadiness()).toBe("healthy");
    expect(requests()).toHaveLength(2);
  });
});
