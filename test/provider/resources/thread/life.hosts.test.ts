/** The life of a Thread against the agent server of the emulator. */
import { createThread, startAgents, startThread, superstep } from "../../../support/agents/threads";
import { expectClean, stateOf } from "../../../support/stack";

const ONE = "GET /threads/{id}";
const SEARCH = "POST /threads/search";
const ADDRESS = "GET /v2/deployments/{id}";
const hello = { messages: [{ role: "user", content: "Hello" }] };

// @covers 2B.Thread.thread_id, 2B.Thread.created_at, 2B.Thread.status, 2B.Thread.values, 2B.graph_id, 2B.Superstep
// @covers 4B.POST /threads, 4B.POST /threads:state
it("Thread: a create sends the declared inputs and stores the server's response in state", async () => {
  const { agents, stack } = await startThread();
  expect(await stack.up(agents.threadInputs({ supersteps: [superstep(hello)], ttl: { ttl: 90 } }))).toBe("create");
  // Whether the thread exists already is read before the first write, and its TTL after it.
  expect(agents.agentRequests()).toEqual([ADDRESS, "GET /ok", ONE, "POST /threads", ONE, SEARCH]);
  const { id, outputs } = stateOf(stack);
  expect(await agents.threads()).toMatchObject([
    {
      thread_id: id,
      metadata: { graph_id: "echo", team: "support" },
      values: { messages: [{ type: "human", content: "Hello" }] },
    },
  ]);
  expect(await agents.ttlOf(id)).toMatchObject({ strategy: "delete", ttl_minutes: 90 });
  expect(outputs).toMatchObject({
    ...{ url: agents.url + agents.basePath, tenantId: "11111111-1111-4111-8111-111111111111", status: "idle" },
    ...{ createdAt: expect.stringContaining("2"), __server: { origin: agents.url } },
  });
  expect(stack.messages).toEqual([]);
});

// @covers 4B.GET /threads/{thread_id}
it("Thread: an up without a change sends no request, and a refresh finds no drift", async () => {
  const change = { supersteps: [superstep(hello)], ttl: { ttl: 90 } };
  const { agents, stack } = await createThread(change);
  expect(await stack.up(agents.threadInputs(change))).toBe("same");
  expect(agents.agentRequests()).toEqual([]);
  expect(await stack.refresh()).toBe("same");
  expect(agents.agentRequests()).toEqual([ADDRESS, ONE, ONE]);
  expect(stack.messages).toEqual([]);
  expect(await stack.up(agents.threadInputs(change))).toBe("same");
});

// @covers 2B.Thread.status, 3.Thread status, 3.item 3
it.each([
  ["idle", "echo", 60_000],
  ["busy", "echo", 0],
  ["interrupted", "interrupt", 60_000],
  ["error", "failing", 60_000],
])("Thread: the status %s of a run of %s after %d ms does not count as drift", async (status, assistant_id, ms) => {
  const { agents, stack, id } = await createThread({ metadata: { graph_id: assistant_id } });
  await agents.callAgentServer("POST", `/threads/${id}/runs`, { assistant_id, input: hello });
  await agents.advance(ms);
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).outputs.status).toBe(status);
});

// @covers 2B.Thread.metadata, 2B.Superstep
it("Thread: keys of metadata and of state values keep their spelling", async () => {
  const metadata = { graph_id: "agent", camelCase: { innerKey: [1] }, snake_case: true, "a.b/c": null };
  const { agents, id } = await createThread({
    metadata,
    supersteps: [superstep({ someValue: { innerKey: null } }, "any_Node")],
  });
  const remote = await agents.getThread(id);
  expect(remote.metadata).toMatchObject({ camelCase: { innerKey: [1] }, snake_case: true });
  expect(remote.metadata).not.toHaveProperty("a.b/c");
  expect(remote.values).toMatchObject({ someValue: { innerKey: null } });
});

describe("a change of a Thread", () => {
  // @covers 2B.Thread.metadata:later, 10B.merge
  it("merges metadata in place, sets removed keys to null and keeps the keys of others", async () => {
    const { agents, stack, id } = await createThread({
      metadata: { graph_id: "echo", team: "support", tier: { level: 1 } },
    });
    await agents.callAgentServer("PATCH", `/threads/${id}`, { metadata: { theirs: true } });
    await agents.emulator.requestLog.clear();
    const declared = agents.threadInputs({ metadata: { graph_id: "echo", tier: { level: 2 } } });
    expect(await stack.up(declared)).toBe("update");
    expect(stack.messages).toEqual(["info: in place: metadata.team, metadata.tier"]);
    expect(agents.agentRequests()).toEqual([ADDRESS, ONE, "PATCH /threads/{id}"]);
    const [{ body } = { body: undefined }] = agents.emulator.requestLog.entries({ method: "PATCH" });
    expect(body).toEqual({ metadata: { team: null, tier: { level: 2 } } });
    expect((await agents.getThread(id)).metadata).toMatchObject({ theirs: true, team: null, tier: { level: 2 } });
    await expectClean(stack, declared);
  });

  // @covers 2B.Thread.ttl, 2B.Thread.ttl:response, 4B.PATCH /threads/{thread_id}:ttl
  it("sets ttl in place, and warns once that the server cannot remove it", async () => {
    const { agents, stack, id } = await createThread({ ttl: { ttl: 5 } });
    expect(await stack.up(agents.threadInputs({ ttl: { ttl: 5, strategy: "keep_latest" } }))).toBe("update");
    expect(await agents.ttlOf(id)).toMatchObject({ strategy: "keep_latest", ttl_minutes: 5 });
    expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([]);
    const declared = agents.threadInputs({ metadata: { team: "sales" } });
    expect(await stack.up(declared)).toBe("update");
    expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([
      `warn: ttl: this server cannot remove a TTL, so thread ${id} keeps the one that it has. To keep it for ` +
        "longer, declare a larger ttl. To have a thread without one, and lose the history, run:  pulumi up " +
        `--replace '${stack.urn}'`,
    ]);
    expect((await agents.getThread(id)).metadata).toMatchObject({ team: "sales" });
    expect([await stack.refresh(), await stack.up(declared)]).toEqual(["same", "same"]);
  });

  // @covers 2B.Thread.ttl:javascript, 4B.PATCH /threads/{thread_id}
  it("of ttl is sent to a server that ignores it, with a warning that says so", async () => {
    const { agents, stack, id } = await createThread({}, { agentServer: "javascript" });
    const warning =
      `warn: ttl: the server does not return the TTL of thread ${id}, so it probably ignores it, and the thread ` +
      "does not expire.";
    for (const ttl of [5, 9]) {
      stack.messages = [];
      expect(await stack.up(agents.threadInputs({ ttl: { ttl } }))).toBe("update");
      expect(stack.messages).toContain(warning);
    }
    stack.messages = [];
    expect(await stack.up(agents.threadInputs())).toBe("update");
    expect(stack.messages.join()).not.toContain("warn");
    const other = agents.stack({ name: "other" });
    await other.up(agents.threadInputs({ ttl: { ttl: 5 } }));
    expect(other.messages.join()).toContain("so it probably ignores it");
  });

  it.each([
    ["supersteps", { supersteps: [superstep({ messages: [] })] }],
    ["threadId", { threadId: "12345678-1234-4234-8234-123456789abc" }],
    ["copyFrom", { supersteps: undefined, copyFrom: "source" }],
  ])("of %s replaces the thread, and the preview shows it", async (path, change) => {
    const { agents, stack, id } = await createThread();
    const { body } = await agents.callAgentServer("POST", "/threads", {});
    const declared = agents.threadInputs({ ...change, ...("copyFrom" in change && { copyFrom: body.thread_id }) });
    expect(await stack.up(declared)).toBe("replace");
    expect(stack.messages[0]).toBe(`warn: REPLACED, its history is lost: ${path}`);
    expect(stateOf(stack).id).not.toBe(id);
    expect((await agents.threads()).map((thread) => thread.thread_id)).not.toContain(id);
    expect(await stack.up(declared)).toBe("same");
  });
});

describe("a refresh of a Thread", () => {
  // @covers 10B.metadata-added
  it("detects drift of declared metadata keys, which the next up corrects, and ignores other keys", async () => {
    const { agents, stack, id } = await createThread();
    await agents.callAgentServer("PATCH", `/threads/${id}`, { metadata: { team: "sales", other: 1 } });
    expect(await stack.refresh()).toBe("changed");
    expect(stateOf(stack).inputs.metadata).toEqual({ graph_id: "echo", team: "sales" });
    expect(await stack.up(agents.threadInputs())).toBe("update");
    expect((await agents.getThread(id)).metadata).toMatchObject({ team: "support", other: 1 });
  });

  it("keeps state while the agent server is unreachable or the URL leads to another server", async () => {
    const { agents, stack } = await createThread();
    const path = `${agents.basePath}/threads/*`;
    const broken = await agents.addFault({ path, status: 503, times: 100 });
    await expect(stack.refresh()).rejects.toThrow(": 503: ");
    await agents.emulator.faults.clear(broken.id);
    await agents.addFault({ path: `${agents.basePath}/**`, status: 404, body: "no such site", times: 4 });
    await expect(stack.refresh()).rejects.toThrow("no agent server is responding at");
    expect(stack.state).toBeDefined();
    expect(await stack.refresh()).toBe("same");
  });

  it("removes the thread from state when its deployment was deleted since this run read it", async () => {
    const { agents, stack } = await createThread();
    const host = stack.host();
    expect(await stack.refresh(host)).toBe("same");
    await agents.call("DELETE", `/_emulator/deployments/${agents.deploymentId}`);
    const destroyed = stack.fork();
    destroyed.state = structuredClone(stack.state);
    await destroyed.destroy(host);
    expect(await stack.refresh(host)).toBe("gone");
  });

  it("keeps a thread of a URL without a server, which a destroy removes from state with a warning", async () => {
    const { agents, stack } = await startThread();
    const { id } = await stack.stateAfter({ deploymentUrl: agents.url + agents.basePath });
    await agents.call("DELETE", `/_emulator/deployments/${agents.deploymentId}`);
    await expect(stack.refresh()).rejects.toThrow("no agent server is responding at");
    await stack.destroy();
    expect(stack.messages.at(-1)).toContain(
      `Thread ${id} was not deleted, because no agent server is responding at ${agents.url}${agents.basePath} (404).`,
    );
  });

  it("removes a thread whose server ended after this run deleted another one there", async () => {
    const agents = await startAgents();
    const declared = { deploymentUrl: agents.url + agents.basePath };
    const [first, second] = [agents.stack({ name: "first" }), agents.stack({ name: "second" })];
    for (const stack of [first, second]) await stack.up(declared);
    const host = first.host();
    await first.destroy(host);
    await agents.call("DELETE", `/_emulator/deployments/${agents.deploymentId}`);
    await second.destroy(host);
    expect([...first.messages, ...second.messages].join()).toContain("no agent server is responding at");
  });
});

it("50 Threads share one request for the URL, one for /ok, and one search each time", async () => {
  const agents = await startAgents();
  const host = agents.stack().host();
  const stacks = Array.from({ length: 50 }, (_, index) => agents.stack({ name: `session-${index}` }));
  await Promise.all(stacks.map((stack) => stack.up(agents.threadInputs(), host)));
  expect(agents.agentRequests().sort()).toEqual(
    ["GET /ok", ADDRESS, SEARCH, ...stacks.flatMap(() => ["POST /threads", SEARCH])].sort(),
  );
  expect(new Set((await agents.threads()).map((thread) => thread.thread_id)).size).toBe(50);
  await agents.emulator.requestLog.clear();
  const later = agents.stack().host();
  expect(new Set(await Promise.all(stacks.map((stack) => stack.refresh(later))))).toEqual(new Set(["same"]));
  expect(agents.agentRequests().sort()).toEqual([ADDRESS, "POST /threads/search"].sort());
});
