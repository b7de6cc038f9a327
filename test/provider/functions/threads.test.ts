/** Threads and their states looked up, and which server gets the key for it. */
import { TestClock } from "../../support/clock";
import { failureOf } from "../../support/errors";
import { program } from "../../support/functions";
import { json, TestServer } from "../../support/server";
import { type AgentPlatform, startAgents } from "../../support/threads";

const history = [
  { updates: [{ values: { messages: [{ role: "user", content: "hello" }] }, as_node: "__input__" }] },
  { updates: [{ values: { messages: [{ role: "assistant", content: "hi" }] }, as_node: "echo" }] },
];
async function make(agents: AgentPlatform, count = 1, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = { metadata: { graph_id: "echo", team_name: "support", n }, ...more };
    ids.push((await agents.callAgentServer("POST", "/threads", body)).body.thread_id);
  }
  await agents.emulator.journal.clear();
  return ids;
}
const url = (agents: AgentPlatform) => agents.url + agents.basePath;
const none = "99999999-9999-4999-8999-999999999999";

describe("getThread", () => {
  // @covers 2B.Thread.created_at, 2B.Thread.updated_at, 4B.GET /threads/{thread_id}
  it("tells one by the deployment's id or the server's address; the user's keys stay as they are", async () => {
    const agents = await startAgents();
    const [threadId] = await make(agents, 1, { supersteps: history });
    const look = program(agents);
    const found = await look("getThread", { deploymentId: agents.deploymentId, threadId });
    expect(found).toMatchObject({
      ...{ threadId, status: "idle", createdAt: expect.any(String), updatedAt: expect.any(String) },
      metadata: { graph_id: "echo", team_name: "support", n: 0 },
      values: { messages: [{ content: "hello" }, { content: "hi" }] },
    });
    expect(await look("getThread", { deploymentUrl: `${url(agents)}/`, threadId })).toEqual(found);
  });

  it("asks for many of one server with one look at the deployment and one search", async () => {
    const agents = await startAgents();
    const ids = await make(agents, 60);
    const look = program(agents);
    const found = await Promise.all(
      ids.map((threadId) => look("getThread", { deploymentId: agents.deploymentId, threadId })),
    );
    expect(found.map(({ threadId }) => threadId)).toEqual(ids);
    expect(agents.agentRequests()).toEqual(["GET /v2/deployments/{id}", "POST /threads/search"]);
  });

  it("finds the others where one is not there, and says so of that one alone", async () => {
    const agents = await startAgents();
    const ids = await make(agents, 2);
    const look = program(agents);
    const asked = [...ids, none, "no-uuid"].map((threadId) =>
      look("getThread", { deploymentId: agents.deploymentId, threadId }),
    );
    const found = await Promise.allSettled(asked);
    expect(found.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect((found[2] as PromiseRejectedResult).reason.message).toMatch(/404.*\nEither no object with this ID/);
  });

  it("says that the deployment is not there, or has no address", async () => {
    const agents = await startAgents();
    const look = program(agents);
    const from = async (deploymentId: unknown) =>
      (await failureOf(look("getThread", { deploymentId, threadId: none }))).message;
    expect(await from(none)).toBe(
      `No deployment with ID ${none} exists in this workspace. Check the ID and the setting tenantId.`,
    );
    const { deployments: [young] = [] } = await agents.emulator.seed({
      deployments: [{ name: "young", revision_status: null }],
    });
    expect(await from(young)).toMatch(/has no URL \(status READY\)/);
  });

  it("is told where to look in one way", async () => {
    const look = program(await startAgents());
    expect((await failureOf(look("getThread", { threadId: none }))).message).toBe(
      "specify deploymentId or deploymentUrl.",
    );
    expect((await failureOf(look("getThread", { deploymentUrl: "nowhere", threadId: none }))).message).toMatch(
      /^deploymentUrl must be a URL/,
    );
  });
});

describe("getThreads", () => {
  const names = (threads: { metadata: { n: number } }[]) => threads.map(({ metadata }) => metadata.n);

  // @covers 2B.Thread.metadata:filter, 3.Thread status, 4B.POST /threads/search, 4B.POST /threads/search:status
  // @covers 4B.POST /threads/search:metadata, 4B.POST /threads/search:limit, 4B.POST /threads/search:sort
  it("finds by metadata, status, values and ids, sorted, so many or all", async () => {
    const agents = await startAgents();
    const ids = await make(agents, 25);
    const look = program(agents);
    const search = (more: object) => look("getThreads", { deploymentId: agents.deploymentId, ...more });
    expect(await search({})).toHaveLength(25);
    expect(names(await search({ metadata: { n: 7 } }))).toEqual([7]);
    expect(names(await search({ sortBy: "created_at", sortOrder: "asc", limit: 3 }))).toEqual([0, 1, 2]);
    expect(await search({ status: "busy" })).toEqual([]);
    expect(await search({ values: { nothing: 1 } })).toEqual([]);
    expect(names(await search({ ids: ids.slice(0, 2), sortOrder: "asc" }))).toEqual([0, 1]);
    expect(await search({ metadata: { team_name: "support", n: 7 } })).toMatchObject([
      { metadata: { team_name: "support" } },
    ]);
  });

  // @covers 8:threads
  it("pages to the end, each once", async () => {
    const first = Array.from({ length: 1000 }, (_, n) => ({ thread_id: `t-${n}` }));
    const server = await TestServer.start([
      json(200, first),
      json(200, [{ thread_id: "t-999" }, { thread_id: "t-1000" }]),
      json(200, []),
    ]);
    const look = program({ url: server.url.origin, clock: new TestClock() });
    expect(await look("getThreads", { deploymentUrl: server.url.href })).toHaveLength(1001);
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { limit: 1000 },
      { limit: 1000, offset: 1000 },
      { limit: 1000, offset: 1002 },
    ]);
  });

  // @covers 4B:unsaid, 8:threads
  it.each([
    ["ignores the offset", (page: object[]) => json(200, page), "returned the first page again"],
    ["refuses it", () => json(422, { detail: "offset is not known" }), "rejected the next page"],
  ])("says that there may be more than a server shows that %s", async (_what, reply, why) => {
    const first = Array.from({ length: 1000 }, (_, n) => ({ thread_id: `t-${n}` }));
    const server = await TestServer.start([json(200, first), reply(first)]);
    const look = program({ url: server.url.origin, clock: new TestClock() });
    expect((await failureOf(look("getThreads", { deploymentUrl: server.url.href }))).message).toBe(
      `Could not list all threads that match: after 1000 of them the server ${why}. Set \`limit: 1000\` to read only those.`,
    );
  });

  // @covers 4B.POST /threads/search
  it("finds with the bare interface", async () => {
    const agents = await startAgents({ interfaceOnly: true });
    await make(agents, 3);
    const found = await program(agents)("getThreads", { deploymentId: agents.deploymentId, metadata: { n: 1 } });
    expect(names(found)).toEqual([1]);
  });
});

describe("states", () => {
  // @covers 2B.Thread state.values, 2B.Thread state.next, 2B.Thread state.metadata, 2B.Thread state.created_at
  // @covers 2B.Thread state.checkpoint, 2B.Thread state.parent_checkpoint, 2B.Thread state.checkpoint_id
  // @covers 2B.Thread state.parent_checkpoint_id, 4B.GET /threads/{thread_id}/state
  // @covers 4B.GET /threads/{thread_id}/state/{checkpoint_id}, 4B.POST /threads/{thread_id}/history
  it("are told: the latest, one at a checkpoint, and all of the history, most recent first", async () => {
    const agents = await startAgents();
    const [threadId = ""] = await make(agents, 1, { supersteps: history });
    const look = program(agents);
    const where = { deploymentId: agents.deploymentId, threadId };
    const states = await look("getThreadHistory", where);
    expect(states).toHaveLength(2);
    const [latest, earlier] = states;
    expect(latest).toMatchObject({
      ...{ values: { messages: [{ content: "hello" }, { content: "hi" }] }, next: [], createdAt: expect.any(String) },
      metadata: {
        threadId,
        checkpointId: latest.checkpointId,
        graphId: "echo",
        step: expect.any(Number),
      },
      checkpoint: { threadId, checkpointId: latest.checkpointId, checkpointNs: "" },
      ...{ parentCheckpointId: earlier.checkpointId, parentCheckpoint: { checkpointId: earlier.checkpointId } },
    });
    expect(earlier).not.toHaveProperty("parentCheckpointId");
    expect(await look("getThreadState", where)).toEqual(latest);
    expect(await look("getThreadState", { ...where, checkpointId: earlier.checkpointId })).toEqual(earlier);
    expect(await look("getThreadHistory", { ...where, limit: 1 })).toEqual([latest]);
    expect((await failureOf(look("getThreadState", { ...where, checkpointId: none }))).message).toContain("404");
  });

  // @covers 2B.Thread state.values, 2B.Thread state.tasks
  it("of a thread that has none are empty, not null", async () => {
    const agents = await startAgents();
    const [threadId] = await make(agents);
    const where = { deploymentId: agents.deploymentId, threadId };
    const look = program(agents);
    expect(await look("getThreadState", where)).toEqual({ values: {}, next: [], tasks: [] });
    expect(await look("getThreadHistory", where)).toEqual([]);
  });

  it("of more than a page are told to the end", async () => {
    const page = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => ({ values: {}, checkpoint_id: `c-${from + n}` }));
    const server = await TestServer.start([json(200, page(0, 1000)), json(200, page(1000, 1200)), json(200, [])]);
    const look = program({ url: server.url.origin, clock: new TestClock() });
    expect(await look("getThreadHistory", { deploymentUrl: server.url.href, threadId: "t" })).toHaveLength(1200);
    expect(JSON.parse(server.requests[1]?.body ?? "")).toEqual({ limit: 1000, before: { checkpoint_id: "c-999" } });
  });
});

describe("the key", () => {
  const keyOf = (server: TestServer) => server.requests.map(({ headers }) => headers["x-api-key"]);

  it("goes to no server that the control plane does not know, unless its origin is listed", async () => {
    const agents = await startAgents();
    const server = await TestServer.start([json(200, { thread_id: "t" })]);
    const ask = { deploymentUrl: server.url.href, threadId: "t" };
    await program(agents)("getThread", ask);
    await program(agents, { agentOrigins: JSON.stringify([server.url.origin]), apiKey: "listed" })("getThread", ask);
    expect(keyOf(server)).toEqual([undefined, "listed"]);
  });
});
