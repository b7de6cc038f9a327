/** Creates of threads that fail: what the error says of a thread that may have been left behind. */
import { failureOf } from "../../../support/errors";
import { stateOf } from "../../../support/stack";
import { type AgentPlatform, createThread, listThreadIds, startAgents, superstep } from "../../../support/threads";

const hello = { messages: [{ role: "user", content: "Hello" }] };
const steps = { supersteps: [superstep(hello), superstep(hello)] };
const create = (agents: AgentPlatform) => ({ method: "POST", path: `${agents.basePath}/threads` }) as const;
const NOT_CREATED = "The server has no such thread, so it was probably not created. Run `pulumi up` again.";

describe("a create of a Thread that never reached the server", () => {
  it("says that it was probably not created", async () => {
    const agents = await startAgents();
    await agents.emulator.faults.add({ ...create(agents), connection: "reset-before" });
    const { message } = await failureOf(agents.stack().up(agents.threadInputs()));
    expect(message.endsWith(NOT_CREATED)).toBe(true);
  });

  it("lists the threads that it may have created, on a server that assigns IDs", async () => {
    const agents = await startAgents({ interfaceOnly: true });
    const [first, second] = [agents.stack(), agents.stack()];
    await first.up(agents.threadInputs());
    await agents.emulator.faults.add({ ...create(agents), connection: "reset-before" });
    const { message } = await failureOf(second.up(agents.threadInputs()));
    const { id } = stateOf(first);
    const server = agents.url + agents.basePath;
    expect(message).toContain(
      `${NOT_CREATED} If it was created after all, it is one of these: ${id}.\nTo adopt one:   import: "${id}"\nTo delete one:  DELETE ${server}/threads/${id}`,
    );
  });
});

describe("a create of a Thread whose supersteps the server cannot apply", () => {
  const failure = { status: 201, body: { detail: "Node echo does not exist" } };
  const oneThread = (agents: AgentPlatform) => ({ method: "GET", path: `${agents.basePath}/threads/*` }) as const;

  it("says that nothing was left behind if the server created no thread", async () => {
    const agents = await startAgents();
    await agents.emulator.faults.add({ ...create(agents), ...failure });
    const stack = agents.stack();
    expect((await failureOf(stack.up(agents.threadInputs(steps)))).message).toMatch(
      / Nothing was left behind\.\n {2}request ID {2}\d+$/,
    );
    expect(stack.state).toBeUndefined();
  });

  it("says that a thread may have been left behind if the server does not return it", async () => {
    const agents = await startAgents();
    await agents.emulator.faults.add({ ...create(agents), ...failure, act: true });
    await agents.emulator.faults.add({ ...oneThread(agents), status: 403, body: { detail: "no" } });
    const stack = agents.stack();
    expect((await failureOf(stack.up(agents.threadInputs(steps)))).message).toContain(
      "Could not determine whether a thread was left behind (403); the next `pulumi up` checks again.",
    );
    expect(stack.state).toBeUndefined();
  });

  it("keeps the thread in state if the server refuses to delete it, and the next up replaces it", async () => {
    const agents = await startAgents();
    await agents.emulator.faults.add({ ...create(agents), ...failure, act: true });
    await agents.emulator.faults.add({ ...oneThread(agents), method: "DELETE", status: 403, body: { detail: "no" } });
    const stack = agents.stack();
    const { message } = await failureOf(stack.up(agents.threadInputs(steps)));
    const [id] = await listThreadIds(agents);
    expect(message).toContain(
      `Thread ${id} exists without them and is kept in state; the next \`pulumi up\` replaces it.`,
    );
    expect(stateOf(stack)).toMatchObject({ id, failed: true });
    expect(await stack.up(agents.threadInputs(steps))).toBe("replace");
  });

  it("keeps an incomplete thread of a killed run in state if the server cannot delete it", async () => {
    const { agents, stack: first, id } = await createThread(steps, { without: ["threads-delete"] });
    const path = `${agents.basePath}/threads/*/history`;
    await agents.emulator.faults.add({ method: "POST", path, status: 200, body: [] });
    await agents.advance(60_000);
    const stack = first.fork();
    const { message } = await failureOf(stack.up(agents.threadInputs(steps)));
    expect(message).toContain(
      `Thread ${id} already exists at ${agents.url}${agents.basePath} without all of its supersteps, and this server does not support deletion. It is kept in state. Delete it manually, or change supersteps or threadId.`,
    );
    expect(stateOf(stack).id).toBe(id);
  });
});

it("a warning about threads that earlier runs left lists five of them", async () => {
  const agents = await startAgents();
  const ids: string[] = [];
  for (let content = 0; content < 6; content++) {
    const stack = agents.stack();
    await stack.up(agents.threadInputs({ supersteps: [superstep({ messages: [{ role: "user", content }] })] }));
    ids.unshift(stateOf(stack).id);
    await agents.advance(60_000);
  }
  const stack = agents.stack();
  await stack.up(agents.threadInputs());
  const [warning = ""] = stack.messages;
  expect(warning).toContain(`that no resource manages: ${ids.slice(0, 5).join(", ")} and 1 more. They were`);
  const exact = agents.stack({ name: "exact" });
  await exact.up(agents.threadInputs());
  expect(exact.messages).toEqual([]);
});

describe("without ownership markers, a Thread", () => {
  const config = { ownerMarker: "false" };

  it("has no metadata of the provider, and its creates search for no other thread", async () => {
    const agents = await startAgents();
    const [source, copy] = [agents.stack({ config }), agents.stack({ name: "copy", config })];
    await source.up(agents.threadInputs());
    await copy.up({ deploymentId: agents.deploymentId, copyFrom: stateOf(source).id });
    expect(agents.agentRequests()).not.toContain("POST /threads/search");
    for (const { metadata } of await agents.threads()) expect(metadata).toEqual({ graph_id: "echo", team: "support" });
  });

  it("of a lost response is resolved by its ID", async () => {
    const agents = await startAgents();
    await agents.emulator.faults.add({ ...create(agents), connection: "reset-after" });
    const stack = agents.stack({ config });
    expect(await stack.up(agents.threadInputs())).toBe("create");
    expect(stack.messages).toEqual([]);
    expect(await listThreadIds(agents)).toEqual([stateOf(stack).id]);
  });

  it("gets no metadata of the provider from a server that assigns IDs", async () => {
    const agents = await startAgents({ interfaceOnly: true });
    await agents.stack({ config }).up(agents.threadInputs());
    expect((await agents.threads())[0]?.metadata).toEqual({ graph_id: "echo", team: "support" });
  });
});
