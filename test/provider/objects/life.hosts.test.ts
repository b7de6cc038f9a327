/**
 * What updates, refreshes and deletions of each kind of object on an agent server do to an object that is not certainly
 * ours.
 */
import { createAssistant } from "../../support/agents/assistants";
import { createCron, cronsOf } from "../../support/agents/crons";
import { failureOf } from "../../support/errors";
import { dynamicHostOnly, sampled, stateOf } from "../../support/stack";
import { type Kind, kinds, STRANGERS } from "./support/agent-objects";

/** Creates an object, and returns how to change it and to look at it. */
async function create(kind: Kind, inputs = {}) {
  const started = await kind.start();
  const { agents, declared, changed } = started;
  const stack = started.stack();
  await stack.up({ ...declared, ...inputs });
  stack.messages = [];
  const { id } = stateOf(stack);
  const path = `${kind.path}/${id}`;
  const read = async () => (await agents.callAgentServer("GET", path)).body;
  return { ...started, stack, id, path, read, changed: { ...declared, ...inputs, ...changed } };
}

describe.each(sampled(kinds.map((kind) => [kind.noun, kind] as const)))("an object of the kind %s", (_noun, kind) => {
  it("is updated and deleted after its stack was renamed", async () => {
    const { agents, stack, path, changed, again } = await create(kind);
    let renamed = stack;
    for (const [name, declared] of [
      ["live", changed],
      ["production", { ...changed, sensitive: true }],
      ["final", { ...changed, ...again }],
    ] as const) {
      const next = renamed.fork({ stack: name });
      next.state = structuredClone(renamed.state);
      renamed = next;
      expect(await renamed.refresh()).toBe("same");
      expect(await renamed.up(declared)).toBe("update");
    }
    await renamed.destroy();
    expect((await agents.callAgentServer("GET", path)).status).toBe(404);
    expect(renamed.messages.filter((message) => message.startsWith("warn"))).toEqual([]);
  });

  it("that another stack took since is neither changed nor deleted", async () => {
    const { agents, stack, id, path, changed, read } = await create(kind);
    const theirs = "99999999-9999-5999-8999-999999999999";
    await agents.callAgentServer("PATCH", path, { metadata: { [`${kind.keys}_stack`]: theirs } });
    const before = await read();
    const reason = `another stack manages it, as its metadata key ${kind.keys}_stack shows`;
    await expect(stack.up(changed)).rejects.toThrow(`was not changed, because ${reason}`);
    await stack.destroy();
    expect(await read()).toEqual(before);
    expect(stack.messages.join("\n")).toContain(
      `${id} at ${agents.url}${agents.basePath} was not deleted, because ${reason}`,
    );
  });

  it("for which the server returns that of a stranger is neither changed nor deleted, nor is the other", async () => {
    const { agents, stack, changed, createForeign, ids } = await create(kind);
    const theirs = `${kind.path}/${await createForeign(STRANGERS)}`;
    const { body } = await agents.callAgentServer("GET", theirs);
    const path = `${agents.basePath}${kind.path}/*`;
    const { id } = await agents.emulator.faults.add({ method: "GET", path, status: 200, body, times: 99 });
    for (const act of [() => stack.up(changed), () => stack.destroy()]) await failureOf(act());
    await agents.emulator.faults.clear(id);
    expect((await agents.callAgentServer("GET", theirs)).body).toEqual(body);
    expect(await ids()).toHaveLength(2);
  });

  it("is gone while its deployment is being deleted, and nothing is sent to its server", async () => {
    const { agents, stack, changed } = await create(kind);
    const [refreshed, destroyed] = [stack.fork(), stack.fork()];
    for (const other of [refreshed, destroyed]) other.state = structuredClone(stateOf(stack));
    await agents.updateOutOfBand(agents.deploymentId, { status: "AWAITING_DELETE" });
    await agents.emulator.requestLog.clear();
    await expect(stack.up(changed)).rejects.toThrow("no longer exists on its server");
    await destroyed.destroy();
    expect(await refreshed.refresh()).toBe("gone");
    expect(new Set(agents.agentRequests())).toEqual(new Set(["GET /v2/deployments/{id}"]));
  });

  it("is gone with its deployment", async () => {
    const { agents, stack } = await create(kind);
    await agents.call("DELETE", `/_emulator/deployments/${agents.deploymentId}`);
    expect(await stack.refresh()).toBe("gone");
  });
});

const declarable = kinds.filter(({ noun, idInput }) => idInput !== undefined && noun !== "copy");

it.each(sampled(declarable.map((kind) => [kind.noun, kind] as const)))(
  "A stranger's %s under the ID of a deleted one is neither changed nor deleted, and a refresh removes the old one",
  async (_noun, kind) => {
    const created = await create(kind, { [String(kind.idInput)]: STRANGERS });
    const { agents, stack, path, changed, createForeign, read } = created;
    await agents.callAgentServer("DELETE", path);
    await agents.advance(60_000);
    await createForeign(STRANGERS);
    const before = await read();
    const refreshed = stack.fork();
    refreshed.state = structuredClone(stateOf(stack));
    await expect(stack.up(changed)).rejects.toThrow(
      "was not changed, because it is another one than this resource had",
    );
    await stack.destroy();
    expect(stack.messages.at(-1)).toContain("was not deleted, because it is another one than this resource had");
    expect(await refreshed.refresh()).toBe("gone");
    expect(await read()).toEqual(before);
  },
);

/** Returns the request for a cron of an object, which the server deletes with it. */
const CRON_OF = { assistant: "/runs/crons", thread: "/threads/ID/runs/crons" } as const;

const withCrons = declarable.filter(({ noun }) => Object.hasOwn(CRON_OF, noun));

describe.each(sampled(withCrons.map((kind) => [kind.noun, kind] as const)))(
  "the destroy of a %s with crons",
  (noun, kind) => {
    async function createWithCron() {
      const created = await create(kind);
      const { agents, id } = created;
      const path = CRON_OF[noun as "thread"].replace("ID", id);
      const body = { assistant_id: noun === "thread" ? "echo" : id, schedule: "0 0 1 1 *", input: {} };
      const { cron_id } = (await agents.callAgentServer("POST", path, body)).body;
      return { ...created, cronId: String(cron_id) };
    }

    it("fails if others have one that its server would delete, unless deleteForeignCrons is set", async () => {
      const { agents, stack, declared, ids, cronId } = await createWithCron();
      const { message } = await failureOf(stack.destroy());
      expect(message).toContain(`that this stack does not manage: ${cronId}.`);
      // The engine deletes crons of this stack first, so nothing may claim that the command changed nothing.
      expect(message).not.toContain("No changes");
      expect((await agents.callAgentServer("GET", `/runs/crons/${cronId}`)).status).toBe(200);
      expect(await stack.up({ ...declared, deleteForeignCrons: true })).toBe("update");
      await stack.destroy();
      expect(await ids()).toEqual([]);
    });

    it.each([500, 403])("fails if the search for them fails with %d", async (status) => {
      const { agents, stack, id, ids } = await createWithCron();
      const path = `${agents.basePath}/runs/crons/search`;
      await agents.emulator.faults.add({ method: "POST", path, status, times: 99 });
      await expect(stack.destroy()).rejects.toThrow(String(status));
      expect(await ids()).toEqual([id]);
    });
  },
);

dynamicHostOnly(it)(
  "An assistant that a program only reads is read although another client has created it again",
  async () => {
    const { agents, stack, id } = await createAssistant();
    const reader = stack.fork({ name: "reader" });
    await reader.get(id, { deploymentId: agents.deploymentId });
    await agents.callAgentServer("DELETE", `/assistants/${id}`);
    await agents.advance(60_000);
    await agents.callAgentServer("POST", "/assistants", { assistant_id: id, graph_id: "echo", name: "theirs" });
    const { inputs, outputs } = stateOf(reader);
    expect(await reader.host().read(id, { ...inputs, ...outputs })).toMatchObject({ id, props: { name: "theirs" } });
  },
);

it("A cron of a killed run that can be neither changed nor deleted is resumed, and no second one fires", async () => {
  const { agents, crons, stack, id } = await createCron({ webhook: "https://1.1.1.1/" });
  await agents.emulator.faults.add({
    method: "DELETE",
    path: `${agents.basePath}/runs/crons/*`,
    status: 405,
    times: 50,
  });
  const next = stack.fork();
  await next.up(crons.inputs());
  expect(stateOf(next).id).toBe(id);
  expect(await crons.list()).toHaveLength(1);
});

it("A cron that others made from our metadata survives, and the destroy of its assistant names it", async () => {
  const { agents, stack, id } = await createAssistant();
  const crons = cronsOf(agents);
  const own = crons.stack();
  await own.up(crons.inputs({ assistantId: id }));
  const { payload, metadata } = await crons.get(stateOf(own).id);
  const body = { ...payload, config: {}, metadata, schedule: "45 4 * * *" };
  const { cron_id: copy } = (await agents.callAgentServer("POST", "/runs/crons", body)).body;
  await own.destroy();
  await expect(stack.destroy()).rejects.toThrow(`this stack does not manage: ${copy}.`);
  expect((await agents.callAgentServer("GET", `/runs/crons/${copy}`)).status).toBe(200);
});
