/**
 * What belongs to others is neither changed nor deleted: each path of docs/internal/ownership.md for threads, with a
 * stranger's object.
 */
import { failureOf } from "../../../support/errors";
import { startProxy } from "../../../support/servers/proxy";
import { dynamicHostOnly, type Stack, stateOf } from "../../../support/stack";
import { type AgentPlatform, createThread, listThreadIds, startAgents, superstep } from "../../../support/threads";

const threadId = "0b8f4d7e-6a0f-4c53-9d52-3a5c1f7e2b11";
const ada = { customer: "ada" };
const hello = (content: string) => superstep({ messages: [{ role: "user", content }] });
const declared = { threadId, supersteps: [hello("mine"), hello("mine too")] };

/** Creates a customer's thread with one message. */
async function createStranger(agents: AgentPlatform) {
  const updates = [{ values: { messages: [{ role: "user", content: "theirs" }] }, as_node: "echo" }];
  const body = { thread_id: threadId, metadata: { graph_id: "echo", ...ada }, supersteps: [{ updates }] };
  expect((await agents.callAgentServer("POST", "/threads", body)).status).toBe(200);
}

/** Expects that the thread is as its owner made it. */
async function expectUntouched(agents: AgentPlatform) {
  const { metadata: now, values } = await agents.getThread(threadId);
  expect(now).toEqual({ graph_id: "echo", ...ada });
  expect(values).toMatchObject({ messages: [{ content: "theirs" }] });
  const history = (await agents.callAgentServer("POST", `/threads/${threadId}/history`, { limit: 10 })).body;
  expect(history).toHaveLength(1);
}

const servers = [
  ["python", {}],
  ["javascript", { agentServer: "javascript" }],
] as const;

describe.each(servers)("A thread of a customer with the declared ID, on the server in %s", (_name, options) => {
  it.each([
    ["with a graph", { graph_id: "echo" }],
    ["without a graph", {}],
  ])("is untouched by a create, %s in its program, and the destroy after it", async (_what, metadata) => {
    const agents = await startAgents(options);
    await createStranger(agents);
    const stack = agents.stack();
    const { message } = await failureOf(stack.up(agents.threadInputs({ ...declared, metadata })));
    expect(message).toContain(`thread ${threadId} already exists`);
    expect(stack.state).toBeUndefined();
    await expectUntouched(agents);
  });

  it("is untouched if it appears between the read and the create", async () => {
    const agents = await startAgents(options);
    const stack = agents.stack();
    await agents.emulator.faults.add({
      ...{ method: "GET", path: `${agents.basePath}/threads/*`, status: 404, body: { detail: "not found" } },
    });
    await createStranger(agents);
    const { message } = await failureOf(stack.up(agents.threadInputs(declared)));
    expect(message).toContain("already exists");
    await expectUntouched(agents);
  });

  it.each([500, 502, 404, 400])(
    "is untouched if it appears then, and the response to the create is %i",
    async (status) => {
      const agents = await startAgents(options);
      await createStranger(agents);
      const one = { path: `${agents.basePath}/threads/*`, status: 404, body: { detail: "not found" } };
      await agents.emulator.faults.add({ method: "GET", ...one });
      const path = `${agents.basePath}/threads`;
      await agents.emulator.faults.add({ method: "POST", path, status, body: { detail: "no" } });
      const stack = agents.stack();
      const { message } = await failureOf(stack.up(agents.threadInputs(declared)));
      expect(message).toContain("nothing shows that this request created it, so it was not changed");
      expect(stack.state).toBeUndefined();
      await expectUntouched(agents);
    },
  );
});

describe("Without ownership markers, an existing thread", () => {
  const config = { ownerMarker: "false" };

  it("with the declared ID is refused, however young it is", async () => {
    const agents = await startAgents();
    await createStranger(agents);
    const stack = agents.stack({ config });
    expect((await failureOf(stack.up(agents.threadInputs(declared)))).message).toContain("already exists");
    await expectUntouched(agents);
  });

  it("that a rejected create may have left is named and not deleted", async () => {
    const agents = await startAgents();
    const stack = agents.stack({ config });
    const wrong = agents.threadInputs({ threadId, supersteps: [superstep({ messages: [] }, "ecko")] });
    const { message } = await failureOf(stack.up(wrong));
    expect(message).toContain("POST /threads: 400: Node ecko does not exist");
    expect(message).toContain(`Thread ${threadId} exists at ${agents.url}${agents.basePath} since then`);
    expect(await listThreadIds(agents)).toEqual([threadId]);
  });
});

describe("A response to the create request", () => {
  it("that contains a customer's thread of another ID is not believed", async () => {
    const agents = await startAgents();
    await createStranger(agents);
    const url = await startProxy(agents.url, ({ method, path }) =>
      method === "POST" && path.endsWith("/threads")
        ? { status: 200, body: { thread_id: threadId, metadata: ada, created_at: new Date().toISOString() } }
        : undefined,
    );
    const stack = agents.stack();
    const { message } = await failureOf(
      stack.up({ deploymentUrl: url + agents.basePath, metadata: { graph_id: "echo" } }),
    );
    expect(message).toContain(`contains thread ${threadId}`);
    expect(message).toContain("lack the ownership marker that was sent");
    expect(stack.state).toBeUndefined();
    await expectUntouched(agents);
  });
});

describe("A response", () => {
  const answering = (agents: AgentPlatform, method: string, suffix: RegExp) =>
    startProxy(agents.url, (request) =>
      request.method === method && suffix.test(request.path)
        ? { status: 200, body: { thread_id: threadId, metadata: ada, created_at: "2020-01-01T00:00:00Z" } }
        : undefined,
    );

  it("to a copy request that contains a customer's thread is not believed", async () => {
    const agents = await startAgents();
    await createStranger(agents);
    const { thread_id: copyFrom } = (await agents.callAgentServer("POST", "/threads", {})).body;
    const url = await answering(agents, "POST", /\/copy$/);
    const stack = agents.stack();
    const { message } = await failureOf(
      stack.up({ deploymentUrl: url + agents.basePath, copyFrom, metadata: { a: 1 } }),
    );
    expect(message).toContain(`contains thread ${threadId}`);
    expect(stack.state).toBeUndefined();
    await expectUntouched(agents);
  });

  it("to a GET that contains a customer's thread is not believed", async () => {
    const agents = await startAgents();
    await createStranger(agents);
    const stack = agents.stack();
    const inputs = { deploymentUrl: agents.url + agents.basePath, metadata: { graph_id: "echo" } };
    await stack.up(inputs);
    const { id } = stateOf(stack);
    const body = { thread_id: threadId, metadata: ada };
    await agents.emulator.faults.add({
      method: "GET",
      path: `${agents.basePath}/threads/*`,
      status: 200,
      body,
      times: 9,
    });
    await failureOf(stack.destroy());
    await agents.emulator.faults.clear();
    expect((await listThreadIds(agents)).sort()).toEqual([id, threadId].sort());
  });
});

describe("The own thread of an earlier run, in which a customer talks", () => {
  it.each(["pruned", "incomplete"])("is resumed and never deleted, although its history is %s", async (how) => {
    const { agents, stack: first, id } = await createThread({ supersteps: declared.supersteps });
    await agents.callAgentServer("POST", `/threads/${id}/state`, { values: { messages: [] }, as_node: "echo" });
    if (how === "pruned")
      await agents.callAgentServer("POST", "/threads/prune", { thread_ids: [id], strategy: "keep_latest" });
    else
      await agents.emulator.faults.add({
        ...{ method: "POST", path: `${agents.basePath}/threads/*/history`, status: 200, body: [], times: 9 },
      });
    const { values } = await agents.getThread(id);
    const stack = first.fork();
    expect(await stack.up(agents.threadInputs({ supersteps: declared.supersteps }))).toBe("create");
    expect(stack.messages.join()).toContain(`Resuming thread ${id}`);
    expect(await stack.up(agents.threadInputs({ supersteps: declared.supersteps }))).toBe("same");
    expect((await agents.getThread(id)).values).toEqual(values);
  });
});

describe("A destroy of a Thread", () => {
  const cron = { assistant_id: "echo", schedule: "0 0 1 1 *", input: {} };
  const addCron = async (agents: AgentPlatform, id: string) =>
    String((await agents.callAgentServer("POST", `/threads/${id}/runs/crons`, cron)).body.cron_id);

  it("fails if its server would delete a cron of others with it, unless deleteForeignCrons is set", async () => {
    const { agents, stack, id } = await createThread();
    const cronId = await addCron(agents, id);
    expect((await failureOf(stack.destroy())).message).toContain(
      `Thread ${id} was not deleted, because its server would also delete crons of it that this stack does not manage: ${cronId}.`,
    );
    expect((await agents.callAgentServer("GET", `/runs/crons/${cronId}`)).status).toBe(200);
    expect(await stack.up(agents.threadInputs({ deleteForeignCrons: true }))).toBe("update");
    await stack.destroy();
    expect(await listThreadIds(agents)).toEqual([]);
  });

  it("fails if the search for such crons fails", async () => {
    const { agents, stack, id } = await createThread();
    await agents.emulator.faults.add({
      ...{ method: "POST", path: `${agents.basePath}/runs/crons/search`, status: 500, times: 20 },
    });
    await failureOf(stack.destroy());
    expect(await listThreadIds(agents)).toEqual([id]);
  });

  it("keeps a thread that another stack has adopted since", async () => {
    const { agents, stack, id } = await createThread();
    const other = agents.stack({ stack: "prod" });
    await other.up(agents.threadInputs());
    const { pulumi_thread_stack } = (await agents.getThread(stateOf(other).id)).metadata;
    await agents.callAgentServer("PATCH", `/threads/${id}`, { metadata: { pulumi_thread_stack } });
    await stack.destroy();
    expect(stack.messages.join()).toContain("another stack manages it, as its metadata key pulumi_thread_stack shows");
    expect(await listThreadIds(agents)).toContain(id);
  });

  dynamicHostOnly(it)("deletes one that it imported from another stack, of which the import warned", async () => {
    const { agents, id } = await createThread();
    const stack = agents.stack({ stack: "prod" });
    const imported = agents.threadInputs({ threadId: id });
    await stack.up(imported, stack.host(), { __import: id });
    expect(stack.messages.join()).toContain("is already managed by another stack");
    await stack.destroy();
    expect(await listThreadIds(agents)).toEqual([]);
  });
});

describe("A refresh of a Thread", () => {
  it("says how to leave a thread that the server denies, but lists", async () => {
    const { agents, stack } = await createThread();
    await agents.emulator.faults.add({
      ...{ method: "GET", path: `${agents.basePath}/threads/*`, status: 404, body: { detail: "no" }, times: 20 },
    });
    const { message } = await failureOf(stack.refresh());
    expect(message).toContain("To remove it from state only, run:  pulumi state delete <URN>");
  });

  it("keeps a thread that the server denies twice, if no complete list shows its absence", async () => {
    const { agents, stack, id } = await createThread();
    const fault = (method: string, path: string, times: number) =>
      agents.emulator.faults.add({ method, path: agents.basePath + path, status: 404, body: { detail: "no" }, times });
    await agents.advance(60_000);
    for (let n = 0; n < 1050; n += 50)
      await Promise.all(Array.from({ length: 50 }, () => agents.callAgentServer("POST", "/threads", {})));
    await fault("GET", "/threads/*", 2);
    await agents.emulator.faults.add({
      ...{ method: "POST", path: `${agents.basePath}/threads/search`, status: 422, body: { detail: "no list of IDs" } },
    });
    expect(await refreshed(stack)).toBe("same");
    expect(stateOf(stack).id).toBe(id);
  });
});

/** The contradiction of a server is an error, and the next refresh finds the thread. */
async function refreshed(stack: Stack) {
  return stack.refresh().catch(() => stack.refresh());
}
