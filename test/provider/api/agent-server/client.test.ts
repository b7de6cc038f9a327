/** The client of agent servers: what counts as an answer, and what many looks cost. */
import { AgentServerClient, checkHealth, UnappliedError } from "../../../../provider/api/agent-server/client";
import { CaseMapper } from "../../../../provider/api/case-mapper";
import { failureOf } from "../../../support/errors";
import { openHttpClient } from "../../../support/http-client";
import { html, json, TestServer } from "../../../support/server";

type Replies = Parameters<typeof TestServer.start>[0];

/** Speaks to a throw-away server, below a path of its own. */
async function speakingTo(...replies: Replies) {
  const server = await TestServer.start(replies);
  const url = new URL("/base/", server.url);
  const { door } = openHttpClient(url);
  const wire = new CaseMapper({ githost: "githost", agentgraph: "agentgraph" });
  const agent = new AgentServerClient({
    url: url.href,
    http: door,
    caseMapper: wire,
    checkHealth: () => checkHealth(door),
  });
  return { agent, asked: () => server.requests.map(({ method, url }) => `${method} ${url}`), server };
}
const thread = (id: string) => ({ thread_id: id, metadata: {}, status: "idle" });

// @covers 2B.Thread.config
it.each([
  [200, { thread_id: "t", metadata: { aB: 1 }, ttl: { strategy: "delete", ttl: 5, expires_at: "soon" } }],
  [201, { thread_id: "t", metadata: { aB: 1 }, ttl: { strategy: "delete", ttl: 5 }, more: true }],
])("an answer with an id is a thread, whatever its status (%i) and what else it holds", async (status, body) => {
  const { agent } = await speakingTo(json(status, body));
  const seen = { threadId: "t", metadata: { aB: 1 }, ttl: { strategy: "delete", ttl: 5 } };
  expect(await agent.createThread({})).toEqual(seen);
});

// @covers 7:threads
it("an answer that holds a detail in place of an id failed, and carries the server's words", async () => {
  const { agent } = await speakingTo(json(201, { detail: "Graph 'x' not found" }));
  const error = await failureOf(agent.createThread({}));
  expect(error).toBeInstanceOf(UnappliedError);
  expect(error.message).toBe("POST /threads: 201: Graph 'x' not found");
});

// @covers 7:threads
it.each([
  ["nothing", json(200, {}), "unexpected response: thread_id is missing"],
  ["null", json(200, null), "unexpected response: thread_id is missing"],
  ["a page", html(200, "<h1>Welcome</h1>"), "the response is not JSON"],
])("an answer that is %s asks for the address", async (_what, reply, words) => {
  const { agent } = await speakingTo(reply);
  const { message } = await failureOf(agent.createThread({}));
  expect(message).toContain(words);
  expect(message).toMatch(/Does the URL point to /);
});

it("a search that answers no list is an error", async () => {
  const { agent } = await speakingTo(json(200, { items: [] }));
  expect((await failureOf(agent.searchThreads({}, 1))).message).toContain(
    "unexpected response: the body is not a list",
  );
});

describe("checkpoints", () => {
  /** The states of a history, most recent first, each with the one before it. */
  const states = (newest: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      checkpoint_id: `c-${newest - n}`,
      parent_checkpoint_id: newest - n === 1 ? null : `c-${newest - n - 1}`,
    }));

  it("are counted over pages shorter than what was asked for, in one request where the first one is on the page", async () => {
    const { agent, asked, server } = await speakingTo(
      json(200, states(20, 7)),
      json(200, states(13, 7)),
      json(200, states(6, 6)),
    );
    expect(await agent.countCheckpoints("t", 30)).toBe(20);
    expect(asked()).toHaveLength(3);
    expect(JSON.parse(server.requests[1]?.body ?? "")).toEqual({ limit: 30, before: { checkpoint_id: "c-14" } });
    const short = await speakingTo(json(200, states(2, 2)));
    expect(await short.agent.countCheckpoints("t", 30)).toBe(2);
    expect(short.asked()).toHaveLength(1);
  });

  it.each([
    ["repeats its first page", json(200, states(20, 7))],
    ["refuses another page", json(422, { detail: "before is not known" })],
  ])(
    "are taken for complete where the server %s, since a thread that lacks some is made anew",
    async (_what, reply) => {
      const { agent } = await speakingTo(json(200, states(20, 7)), reply);
      expect(await agent.countCheckpoints("t", 20)).toBe(20);
    },
  );
});

describe("looks at the same time", () => {
  it("are one search, and what it leaves out is asked by itself: only a 404 means gone", async () => {
    const { agent, asked } = await speakingTo(
      json(200, [thread("a")]),
      json(404, { detail: "Thread with ID b not found" }),
    );
    expect(await Promise.all([agent.findThread("a"), agent.findThread("b")])).toMatchObject([
      { threadId: "a" },
      undefined,
    ]);
    expect(asked()).toEqual(["POST /base/threads/search", "GET /base/threads/b"]);
  });

  // @covers 4B:unsaid
  it.each([
    ["refuses the search by ids", json(422, { detail: "ids: Extra inputs are not permitted" })],
    ["ignores the ids", json(200, [thread("x"), thread("y")])],
  ])("of a server that %s are asked one by one, from then on at once", async (_what, search) => {
    const one = json(200, thread("a"));
    const { agent, asked } = await speakingTo(search, one, one, one, one);
    for (let round = 0; round < 2; round++) await Promise.all([agent.findThread("a"), agent.findThread("a2")]);
    expect(asked().filter((request) => request.includes("search"))).toHaveLength(1);
    expect(asked()).toHaveLength(5);
  });

  it("fail when the server does, and take nothing for gone", async () => {
    const { agent } = await speakingTo(json(401, { detail: "who are you?" }));
    const looks = await Promise.allSettled([agent.findThread("a"), agent.findThread("b")]);
    expect(looks.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("/ok", () => {
  it.each([
    [200, { ok: true }, "healthy"],
    [401, {}, "healthy"],
  ])("that answers %i is an answer, asked once for many", async (status, body, verdict) => {
    const { agent, asked } = await speakingTo(json(status, body));
    expect(await Promise.all([agent.checkReadiness(), agent.checkReadiness()])).toEqual([verdict, verdict]);
    expect(await agent.checkReadiness()).toBe(verdict);
    expect(asked()).toEqual(["GET /base/ok"]);
  });

  it.each([
    ["threads are found", json(200, []), "unsupported"],
    ["nothing else is", json(404, {}), "unreachable"],
  ])("that is 404 is a server without it where %s", async (_what, search, verdict) => {
    const { agent, asked } = await speakingTo(json(404, {}), search);
    expect(await agent.checkReadiness()).toBe(verdict);
    expect(asked()).toEqual(["GET /base/ok", "POST /base/threads/search"]);
  });

  it("that fails is asked again", async () => {
    const { agent, asked } = await speakingTo(json(400, {}), json(200, {}));
    await expect(agent.checkReadiness()).rejects.toThrow(": 400: ");
    expect(await agent.checkReadiness()).toBe("healthy");
    expect(asked()).toHaveLength(2);
  });
});
