/** What updates, refreshes and imports of threads send, compare and keep. */
import { defaultAssistantId } from "../../../../provider/schema/id";
import { type AgentPlatform, createThread, startAgents, startThread } from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import { dynamicHostOnly, expectClean, stateOf } from "../../../support/stack";

const bodies = (agents: AgentPlatform, method: string) =>
  agents.emulator.requestLog.entries({ method, path: `${agents.basePath}/**` }).map(({ body }) => body);
const thread = (agents: AgentPlatform) => `${agents.basePath}/threads/*`;

describe("an update of a Thread", () => {
  it("that removes a TTL which the server removes causes no warning", async () => {
    const { agents, stack, id } = await createThread({ ttl: { ttl: 5 } });
    const body = await agents.getThread(id);
    await agents.addFault({ method: "PATCH", path: thread(agents), status: 200, body });
    await stack.up(agents.threadInputs());
    expect(stack.messages.join()).not.toContain("this server cannot remove a TTL");
  });

  it("of a TTL that failed is sent again, although the server shows none", async () => {
    const { agents, stack } = await createThread({ ttl: { ttl: 5 } }, { agentServer: "javascript" });
    await agents.addFault({ method: "PATCH", path: thread(agents), status: 500 });
    const declared = agents.threadInputs({ ttl: { ttl: 9 } });
    await failureOf(stack.up(declared));
    await stack.up(declared);
    expect(bodies(agents, "PATCH")).toEqual([expect.anything(), { metadata: {}, ttl: { strategy: "delete", ttl: 9 } }]);
  });

  it("keeps the outputs that the response omits, and takes those that it contains", async () => {
    const { agents, stack, id, outputs } = await createThread();
    const sparse = { thread_id: id, metadata: {} };
    await agents.addFault({ method: "PATCH", path: thread(agents), status: 200, body: sparse, act: true });
    await stack.up(agents.threadInputs({ metadata: { team: "sales" } }));
    const { status, createdAt, updatedAt } = outputs;
    expect(stateOf(stack).outputs).toMatchObject({ status, createdAt, updatedAt });
    const full = { ...sparse, status: "busy", created_at: createdAt, updated_at: "2030-01-01T00:00:00Z" };
    await agents.addFault({ method: "PATCH", path: thread(agents), status: 200, body: full, act: true });
    await stack.up(agents.threadInputs({ metadata: { team: "other" } }));
    expect(stateOf(stack).outputs).toMatchObject({ status: "busy", updatedAt: full.updated_at });
  });
});

describe("a create of a Thread", () => {
  it("of a copy that another client deletes meanwhile says so", async () => {
    const { agents, id } = await createThread();
    await agents.addFault({
      ...{ method: "PATCH", path: thread(agents), status: 404, body: { detail: "Thread not found" }, times: 9 },
    });
    await agents.addFault({
      ...{ method: "GET", path: thread(agents), status: 404, body: { detail: "Thread not found" }, times: 9 },
    });
    const search = { method: "POST", path: `${agents.basePath}/threads/search` };
    await agents.addFault({ ...search, status: 200, body: [], times: 9 });
    const copy = agents.stack({ name: "copy" });
    const { message } = await failureOf(copy.up({ deploymentId: agents.deploymentId, copyFrom: id, ttl: { ttl: 5 } }));
    expect(message).toContain(
      `Thread ${stateOf(copy).id} no longer exists on its server, so it cannot be changed. Run`,
    );
    expect(message).toContain("Run `pulumi up --refresh`");
  });
});

describe("a refresh of a Thread", () => {
  it("finds no drift in a key that is null, and drift in one that others changed or removed", async () => {
    const { agents, stack, id } = await createThread({ metadata: { graph_id: "echo", nothing: null, team: "a" } });
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).inputs.metadata).toEqual({ graph_id: "echo", team: "a" });
    await agents.callAgentServer("PATCH", `/threads/${id}`, { metadata: { team: null } });
    expect(await stack.refresh()).toBe("changed");
    expect(stateOf(stack).inputs.metadata).toEqual({ graph_id: "echo" });
  });

  it.each([
    ["another TTL", { strategy: "delete", ttl: 9 }, { ttl: 9 }],
    ["the same TTL", { strategy: "delete", ttl: 5 }, { ttl: 5 }],
    ["no TTL any more", null, undefined],
    ["no statement on its TTL", undefined, { ttl: 5 }],
  ])("reads %s", async (_what, ttl, expected) => {
    const { agents, stack, id } = await createThread({ ttl: { ttl: 5 } });
    const body = { ...(await agents.getThread(id)), ...(ttl !== undefined && { ttl }) };
    await agents.addFault({ method: "GET", path: thread(agents), status: 200, body, times: 2 });
    await stack.refresh();
    const { ttl: read } = stateOf(stack).inputs;
    if (expected === undefined) expect(read).toBeUndefined();
    else expect(read).toMatchObject(expected);
  });
});

dynamicHostOnly(describe)("an import of a Thread", () => {
  it("accepts the declared ID in another spelling, and compares no history that is not declared", async () => {
    const { agents, id } = await createThread();
    const stack = agents.stack({ stack: "other" });
    const declared = agents.threadInputs({ threadId: id.toUpperCase() });
    expect(await stack.up(declared, stack.host(), { __import: id })).toBe("create");
    expect(stack.messages.join()).not.toContain("were not compared");
    expect(await stack.up(declared)).toBe("same");
  });
});

describe("a Thread whose metadata have keys that some servers remove", () => {
  const [assistant_id, other] = ["20000000-0000-4000-8000-000000000004", "20000000-0000-4000-8000-000000000005"];
  const removed = {
    ...{ assistant_id, thread_id: "t", run_id: "r", cron_id: "x" },
    counters_since_delta_snapshot: { messages: [1, 1] },
  };
  const declare = (agents: AgentPlatform, change: object = {}) =>
    agents.threadInputs({ metadata: { graph_id: "echo", team: "a", ...removed, ...change } });

  // @covers 2B.Thread.metadata:reserved
  it.each([
    ["python", {}],
    ["javascript", removed],
  ] as const)("converges on the server in %s, without a request for them alone", async (agentServer, kept) => {
    const { agents, stack } = await startThread({ server: { agentServer } });
    await stack.up(declare(agents));
    expect(bodies(agents, "PATCH")).toEqual([]);
    const { id } = stateOf(stack);
    expect((await agents.getThread(id)).metadata).toMatchObject({ team: "a", ...kept });
    await expectClean(stack, declare(agents));
    const changed = declare(agents, { team: "b", assistant_id: other });
    expect(await stack.up(changed)).toBe("update");
    expect(bodies(agents, "PATCH")).toEqual([{ metadata: { team: "b", assistant_id: other } }]);
    await expectClean(stack, changed);
    await stack.destroy();
    expect(await agents.threads()).toEqual([]);
  });

  it.each(["python", "javascript"] as const)("gets them when it is a copy on the server in %s", async (agentServer) => {
    const agents = await startAgents({ agentServer });
    const source = (await agents.callAgentServer("POST", "/threads", { metadata: { team: "a" } })).body.thread_id;
    const stack = agents.stack();
    const inputs = { ...declare(agents), copyFrom: source };
    await stack.up(inputs);
    expect(bodies(agents, "PATCH")).toEqual([{ metadata: expect.objectContaining({ cron_id: "x", assistant_id }) }]);
    await expectClean(stack, inputs);
  });

  it("shows it as a difference when a server has another value", async () => {
    const { agents, stack } = await startThread({ server: { agentServer: "javascript" } });
    const { id } = await stack.stateAfter(declare(agents));
    await agents.callAgentServer("PATCH", `/threads/${id}`, { metadata: { run_id: "other", cron_id: null } });
    await stack.refresh();
    expect(await stack.up(declare(agents))).toBe("update");
    expect((await agents.getThread(id)).metadata).toMatchObject({ run_id: "r", cron_id: "x" });
  });

  // @covers 2B.graph_id, 2B.assistant_id, 2B.Thread.status, 3.item 3, 4B:runs, 10B.supersteps-kept
  it.each(["python", "javascript"] as const)(
    "does not differ after a run of another graph on the server in %s",
    async (agentServer) => {
      const { agents, stack } = await startThread({ server: { agentServer } });
      const { id } = await stack.stateAfter(declare(agents));
      await agents.callAgentServer("POST", `/threads/${id}/runs`, { assistant_id: "counter", input: {} });
      const { metadata } = await agents.getThread(id);
      expect(metadata).toMatchObject({ graph_id: "counter", assistant_id: defaultAssistantId("counter") });
      await expectClean(stack, declare(agents));
      expect(bodies(agents, "PATCH")).toEqual([]);
      const changed = declare(agents, { graph_id: "failing" });
      expect(await stack.up(changed)).toBe("update");
      expect(bodies(agents, "PATCH")).toEqual([{ metadata: { graph_id: "failing" } }]);
      expect(await stack.refresh()).toBe("same");
    },
  );

  it("causes a warning for each of them that has a value", async () => {
    const { agents, stack } = await startThread();
    await stack.check(declare(agents, { run_id: null }));
    expect(stack.messages).toEqual(
      ["assistant_id", "thread_id", "cron_id", "counters_since_delta_snapshot"].map((key) =>
        expect.stringContaining(`metadata.${key}: is a key that some servers remove without an error`),
      ),
    );
  });
});
