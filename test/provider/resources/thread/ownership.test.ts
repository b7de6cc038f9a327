/** Ownership of threads: a copy inherits the ownership marker of its source, but belongs to the client that created it. */
import { failureOf } from "../../../support/errors";
import { type Stack, stateOf } from "../../../support/stack";
import { type AgentPlatform, listThreadIds, startAgents } from "../../../support/threads";

/** Copies a managed thread for a customer, as an application does. */
async function copyForCustomer(agents: AgentPlatform, source: string): Promise<string> {
  const { thread_id: id } = (await agents.callAgentServer("POST", `/threads/${source}/copy`)).body;
  await agents.callAgentServer("PATCH", `/threads/${id}`, { metadata: { customer: "ada" } });
  return id;
}

/** Expects that no request changed the customer's thread, and that a destroy does not delete it. */
async function expectUntouched(agents: AgentPlatform, id: string, stack: Stack): Promise<void> {
  expect(stack.state?.id).not.toBe(id);
  expect(
    agents.emulator.requestLog.entries().filter(({ method, path }) => method !== "GET" && path.endsWith(id)),
  ).toEqual([]);
  expect((await agents.getThread(id)).metadata).toMatchObject({ customer: "ada" });
  await stack.destroy();
  expect(await listThreadIds(agents)).toContain(id);
}

const kinds = ["a created thread", "a copy"] as const;
const servers = [
  ["a server with all routes", {}],
  ["a server of the interface alone", { interfaceOnly: true }],
] as const;

describe.each(servers)("on %s", (_server, options) => {
  /** Creates a managed thread of either kind and a customer's copy of it. */
  async function createCopied(kind: (typeof kinds)[number]) {
    const agents = await startAgents(options);
    const { thread_id: template } = (
      await agents.callAgentServer("POST", "/threads", { metadata: { team: "support" } })
    ).body;
    const declared =
      kind === "a copy"
        ? { deploymentId: agents.deploymentId, copyFrom: template }
        : agents.threadInputs({ metadata: { team: "support" } });
    const stack = agents.stack();
    await stack.up(declared);
    const { id } = stateOf(stack);
    const { thread_id: customers } = (await agents.callAgentServer("POST", `/threads/${id}/copy`)).body;

    await agents.advance(60_000);
    await agents.emulator.requestLog.clear();
    return { agents, declared, stack, id, customers };
  }

  /** Returns the requests that could have changed this thread. */
  const writesTo = (agents: AgentPlatform, id: string) =>
    agents.emulator.requestLog
      .entries()
      .filter(({ method, path }) => ["PATCH", "DELETE"].includes(method) && path.endsWith(id));

  async function expectUnmanaged(agents: AgentPlatform, stack: Stack, customers: string) {
    expect(stack.state?.id).not.toBe(customers);
    await stack.destroy();
    expect(writesTo(agents, customers)).toEqual([]);
    expect(await listThreadIds(agents)).toContain(customers);
  }

  it.each(kinds)("%s that is created again does not adopt a customer's copy of it", async (kind) => {
    const { agents, declared, stack, customers } = await createCopied(kind);
    await stack.destroy();
    expect(await stack.up(declared)).toBe("create");
    await expectUnmanaged(agents, stack, customers);
  });

  it.each(kinds)("%s of an interrupted run is resumed without adopting a customer's copy of it", async (kind) => {
    const { agents, declared, stack, customers } = await createCopied(kind);
    const secondStack = stack.fork();
    await secondStack.up(declared);
    await expectUnmanaged(agents, secondStack, customers);
  });

  it.each(kinds)("%s whose create request was lost does not adopt a customer's copy", async (kind) => {
    const { agents, declared, stack, customers } = await createCopied(kind);
    await stack.destroy();
    const path = `${agents.basePath}/threads${kind === "a copy" ? "/*/copy" : ""}`;
    await agents.emulator.faults.add({ method: "POST", path, connection: "reset-before" });
    await expect(stack.up(declared)).rejects.toThrow("no response");
    expect(stack.state).toBeUndefined();
    expect(await stack.up(declared)).toBe("create");
    await expectUnmanaged(agents, stack, customers);
  });
});

describe("on a server with all routes", () => {
  it.each(kinds)("%s that another client deleted is created again, even if copies of it exist", async (kind) => {
    const agents = await startAgents();
    const { thread_id: template } = (
      await agents.callAgentServer("POST", "/threads", { metadata: { team: "support" } })
    ).body;
    const declared =
      kind === "a copy" ? { deploymentId: agents.deploymentId, copyFrom: template } : agents.threadInputs();
    const stack = agents.stack();
    await stack.up(declared);
    const customers = await copyForCustomer(agents, stateOf(stack).id);
    await agents.callAgentServer("DELETE", `/threads/${stateOf(stack).id}`);
    await agents.emulator.requestLog.clear();
    expect(await stack.refresh()).toBe("gone");
    expect(await stack.up(declared)).toBe("create");
    await expectUntouched(agents, customers, stack);
  });
});

it("a copy whose request was lost does not adopt a copy that another program created meanwhile", async () => {
  const agents = await startAgents();
  const { thread_id: copyFrom } = (await agents.callAgentServer("POST", "/threads", { metadata: { team: "support" } }))
    .body;
  const declared = { deploymentId: agents.deploymentId, copyFrom };
  await agents.emulator.faults.add({ path: `${agents.basePath}/threads/*/copy`, connection: "reset-before" });
  let customers = "";
  agents.duringNextWait(async () => {
    customers = (await agents.callAgentServer("POST", `/threads/${copyFrom}/copy`)).body.thread_id;
  });
  const stack = agents.stack();
  const { message } = await failureOf(stack.up(declared));
  expect(customers).not.toBe("");
  expect(message).toContain(`import: "${customers}"`);
  expect(stack.state).toBeUndefined();
  expect(await stack.up(declared)).toBe("create");
  await stack.destroy();
  expect((await listThreadIds(agents)).sort()).toEqual([copyFrom, customers].sort());
  expect((await agents.getThread(customers)).metadata).toEqual((await agents.getThread(copyFrom)).metadata);
});

describe("on a server that assigns IDs", () => {
  it("a thread with an incomplete ownership marker is reported and never adopted", async () => {
    const agents = await startAgents({ interfaceOnly: true });
    const stack = agents.stack();
    await stack.up(agents.threadInputs());
    const { id } = stateOf(stack);
    const secondStack = stack.fork();
    expect(await secondStack.up(agents.threadInputs())).toBe("create");
    expect(stateOf(secondStack).id).not.toBe(id);
    const server = agents.url + agents.basePath;
    expect(secondStack.messages).toEqual([
      `warn: Threads at ${server} have the ownership marker of this resource, but nothing proves that it created them: ${id}. They may be left over from an interrupted run, or copies of an earlier thread. They were not changed. This resource manages ${stateOf(secondStack).id}.\n` +
        `To adopt one:   import: "${id}"\nTo delete one:  DELETE ${server}/threads/${id}`,
    ]);
  });
});
