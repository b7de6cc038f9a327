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
const _declared = { threadId, supersteps: [hello("mine"), hello("mine too")] };

/** Creates a customer's thread with one message. */
async function _createStranger(agents: AgentPlatform) {
  const updates = [{ values: { messages: [{ role: "user", content: "theirs" }] }, as_node: "echo" }];
  const body = { thread_id: threadId, metadata: { graph_id: "echo", ...ada }, supersteps: [{ updates }] };
  expect((await agents.callAgentServer("POST", "/threads", body)).status).toBe(200);
}

/** Expects that the thread is as its owner made it. */
async function _expectUntouched(agents: AgentPlatform) {
  const { metadata: now, values } = await agents.getThread(threadId);
  expect(now).toEqual({ graph_id: "echo", ...ada });
  expect(values).toMatchObject({ messages: [{ content: "theirs" }] });
  const history = (await agents.callAgentServer("POST", `/threads/${threadId}/history`, { limit: 10 })).body;
  expect(history).toHaveLength(1);
}

const _servers = [
  ["python", {}],
  ["javascript", { agentServer: "javascript" }],
] as const;

describe("Without ownership markers, an existing thread", () => {
  const config = { ownerMarker: "false" };

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

describe("A response", () => {
  const _answering = (agents: AgentPlatform, method: string, suffix: RegExp) =>
    startProxy(agents.url, (request) =>
      request.method === method && suffix.test(request.path)
        ? { status: 200, body: { thread_id: threadId, metadata: ada, created_at: "2020-01-01T00:00:00Z" } }
        : undefined,
    );
});

describe("A destroy of a Thread", () => {
  const cron = { assistant_id: "echo", schedule: "0 0 1 1 *", input: {} };
  const _addCron = async (agents: AgentPlatform, id: string) =>
    String((await agents.callAgentServer("POST", `/threads/${id}/runs/crons`, cron)).body.cron_id);

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
