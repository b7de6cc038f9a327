/** The functions for threads and their states, and the servers that receive the API key. */
import { type AgentPlatform, startAgents } from "../../support/agents/threads";
import { failureOf } from "../../support/errors";
import { json, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";
import { program } from "./program";

const history = [
  { updates: [{ values: { messages: [{ role: "user", content: "hello" }] }, as_node: "__start__" }] },
  { updates: [{ values: { messages: [{ role: "assistant", content: "hi" }] }, as_node: "echo" }] },
];
async function createThreads(agents: AgentPlatform, count = 1, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = { metadata: { graph_id: "echo", team_name: "support", n }, ...more };
    ids.push((await agents.callAgentServer("POST", "/threads", body)).body.thread_id);
  }
  await agents.emulator.requestLog.clear();
  return ids;
}
const url = (agents: AgentPlatform) => agents.url + agents.basePath;
const none = "99999999-9999-4999-8999-999999999999";

describe("getThread", () => {
  // @covers 2B.Thread.created_at, 2B.Thread.updated_at, 4B.GET /threads/{thread_id}
  it("returns a thread by the deployment's ID or the server's URL, with the user's keys unchanged", async () => {
    const agents = await startAgents();
    const [threadId] = await createThreads(agents, 1, { supersteps: history });
    const call = program(agents);
    const result = await call("getThread", { deploymentId: agents.deploymentId, threadId });
    expect(result).toMatchObject({
      ...{ threadId, status: "idle", createdAt: expect.any(String), updatedAt: expect.any(String) },
      metadata: { graph_id: "echo", team_name: "support", n: 0 },
      values: { messages: [{ content: "hello" }, { content: "hi" }] },
    });
    expect(await call("getThread", { deploymentUrl: `${url(agents)}/`, threadId })).toEqual(result);
  });

  it("reads many threads of one server with one request for the deployment and one search", async () => {
    const agents = await startAgents();
    const { deploymentId } = agents;
    const ids = await createThreads(agents, 20);
    const call = program(agents);
    const result = await Promise.all(ids.map((threadId) => call("getThread", { deploymentId, threadId })));
    expect(result.map(({ threadId }) => threadId)).toEqual(ids);
    expect(agents.agentRequests()).toEqual(["GET /v2/deployments/{id}", "POST /threads/search"]);
  });

  it("fails only for an unknown thread among others", async () => {
    const agents = await startAgents();
    const ids = await createThreads(agents, 2);
    const call = program(agents);
    const calls = [...ids, none, "no-uuid"].map((threadId) =>
      call("getThread", { deploymentId: agents.deploymentId, threadId }),
    );
    const result = await Promise.allSettled(calls);
    expect(result.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect((result[2] as PromiseRejectedResult).reason.message).toMatch(/404.*\nEither no object with this ID/);
  });

  it("fails when the deployment does not exist, or has no URL", async () => {
    const agents = await startAgents();
    const call = program(agents);
    const messageFor = async (deploymentId: unknown) =>
      (await failureOf(call("getThread", { deploymentId, threadId: none }))).message;
    expect(await messageFor(none)).toBe(
      `No deployment with ID ${none} exists in this workspace. Check the ID and the setting tenantId.`,
    );
    const { deployments: [newDeployment] = [] } = await agents.emulator.seed({
      deployments: [{ name: "young", revision_status: null }],
    });
    expect(await messageFor(newDeployment)).toMatch(/has no URL \(status READY\)/);
  });

  it("requires exactly one valid reference to a server", async () => {
    const call = program(await startAgents());
    expect((await failureOf(call("getThread", { threadId: none }))).message).toBe(
      "specify deploymentId or deploymentUrl.",
    );
    expect((await failureOf(call("getThread", { deploymentUrl: "nowhere", threadId: none }))).message).toMatch(
      /^deploymentUrl must be a URL/,
    );
  });
});

describe("getThreads", () => {
  const names = (threads: { metadata: { n: number } }[]) => threads.map(({ metadata }) => metadata.n);

  // @covers 2B.Thread.metadata:filter, 4B.POST /threads/search, 4B.POST /threads/search:status
  // @covers 4B.POST /threads/search:metadata, 4B.POST /threads/search:limit, 4B.POST /threads/search:sort
  it("filters by metadata, status, values and IDs, sorts, and limits the result", async () => {
    const agents = await startAgents();
    const ids = await createThreads(agents, 25);
    const call = program(agents);
    const search = (more: object) => call("getThreads", { deploymentId: agents.deploymentId, ...more });
    expect(await search({})).toHaveLength(25);
    expect(names(await search({ metadata: { n: 7 } }))).toEqual([7]);
    expect(names(await search({ sortBy: "created_at", sortOrder: "asc", limit: 3 }))).toEqual([0, 1, 2]);
    expect(await search({ status: "busy" })).toEqual([]);
    expect(await search({ values: { nothing: 1 } })).toEqual([]);
    const others = await agents.callAgentServer("POST", "/threads", {
      metadata: { graph_id: "echo", n: 99 },
      supersteps: [{ updates: [{ values: { messages: [{ role: "user", content: "found" }] }, as_node: "echo" }] }],
    });
    const values = { messages: [{ content: "found" }] };
    expect(await search({ values, limit: 1 })).toMatchObject([{ threadId: others.body.thread_id }]);
    expect(await search({ values, metadata: { n: 7 } })).toEqual([]);
    expect(names(await search({ ids: ids.slice(0, 2), sortBy: "created_at", sortOrder: "asc" }))).toEqual([0, 1]);
    expect(await search({ metadata: { team_name: "support", n: 7 } })).toMatchObject([
      { metadata: { team_name: "support" } },
    ]);
  });

  // @covers 4B:unsaid, 8:threads, 10B.search-offset
  it("fails when there may be more threads than a server returns that rejects the offset", async () => {
    const first = Array.from({ length: 1000 }, (_, n) => ({ thread_id: `t-${n}` }));
    const server = await TestServer.start([json(200, first), json(422, { detail: "offset is not known" })]);
    const call = program({ url: server.url.origin, clock: new TestClock() });
    expect((await failureOf(call("getThreads", { deploymentUrl: server.url.href }))).message).toBe(
      "Could not list all threads that match: after 1000 of them the server rejected the next page. Set " +
        "`limit: 1000` to read only those.",
    );
  });

  // @covers 4B.POST /threads/search
  it("works with a server that implements only the interface", async () => {
    const agents = await startAgents({ interfaceOnly: true });
    await createThreads(agents, 3);
    const result = await program(agents)("getThreads", { deploymentId: agents.deploymentId, metadata: { n: 1 } });
    expect(names(result)).toEqual([1]);
  });
});

describe("Thread states", () => {
  // @covers 2B.Thread state.values, 2B.Thread state.next, 2B.Thread state.metadata, 2B.Thread state.created_at
  // @covers 2B.Thread state.checkpoint, 2B.Thread state.parent_checkpoint, 2B.Thread state.checkpoint_id
  // @covers 2B.Thread state.parent_checkpoint_id, 4B.GET /threads/{thread_id}/state
  // @covers 4B.GET /threads/{thread_id}/state/{checkpoint_id}, 4B.POST /threads/{thread_id}/history
  it("are returned: the latest, the one at a checkpoint, and the history, newest first", async () => {
    const agents = await startAgents();
    const [threadId = ""] = await createThreads(agents, 1, { supersteps: history });
    const call = program(agents);
    const args = { deploymentId: agents.deploymentId, threadId };
    const states = await call("getThreadHistory", args);
    expect(states).toHaveLength(2);
    const [latest, earlier] = states;
    expect(latest).toMatchObject({
      ...{ values: { messages: [{ content: "hello" }, { content: "hi" }] }, next: [], createdAt: expect.any(String) },
      metadata: { threadId, checkpointId: latest.checkpointId, graphId: "echo", step: expect.any(Number) },
      checkpoint: { threadId, checkpointId: latest.checkpointId, checkpointNs: "" },
      ...{ parentCheckpointId: earlier.checkpointId, parentCheckpoint: { checkpointId: earlier.checkpointId } },
    });
    expect(earlier).not.toHaveProperty("parentCheckpointId");
    expect(await call("getThreadState", args)).toEqual(latest);
    expect(await call("getThreadState", { ...args, checkpointId: earlier.checkpointId })).toEqual(earlier);
    expect(await call("getThreadHistory", { ...args, limit: 1 })).toEqual([latest]);
    expect((await failureOf(call("getThreadState", { ...args, checkpointId: none }))).message).toContain(
      "has no checkpoint",
    );
  });

  // @covers 2B.Thread state.values, 2B.Thread state.tasks
  it("of a thread without a checkpoint are empty, not null", async () => {
    const agents = await startAgents();
    const [threadId] = await createThreads(agents);
    const args = { deploymentId: agents.deploymentId, threadId };
    const call = program(agents);
    expect(await call("getThreadState", args)).toEqual({ values: {}, next: [], tasks: [] });
    expect(await call("getThreadHistory", args)).toEqual([]);
  });
});
