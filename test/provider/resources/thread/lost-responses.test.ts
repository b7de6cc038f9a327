/** Interrupted creates and lost responses: the thread is found and never created twice. */
import { failureOf } from "../../../support/errors";
import { stateOf } from "../../../support/stack";
import { type AgentPlatform, listThreadIds, startAgents, superstep } from "../../../support/threads";

const hello = { messages: [{ role: "user", content: "Hello" }] };
const state = { supersteps: [superstep(hello), superstep({ messages: [{ role: "assistant", content: "Hi" }] })] };
const historyOf = async (agents: AgentPlatform, id: string) =>
  (await agents.callAgentServer("POST", `/threads/${id}/history`, { limit: 100 })).body as unknown as Record<
    string,
    unknown
  >[];
const POST = (agents: AgentPlatform) => ({ method: "POST", path: `${agents.basePath}/threads` }) as const;

/** A stack whose first run was killed after the thread was created and before state was written. */
async function killRun(change = {}) {
  const agents = await startAgents();
  const first = agents.stack();
  await first.up(agents.threadInputs(change));
  await agents.advance(60_000);
  return { agents, stack: first.fork(), id: stateOf(first).id };
}

describe("a thread whose run was killed after the create", () => {
  // @covers 10B.metadata-stored
  it("is resumed by the next run, with a warning", async () => {
    const { agents, stack, id } = await killRun(state);
    expect(await stack.up(agents.threadInputs(state))).toBe("create");
    expect(stateOf(stack).id).toBe(id);
    expect(await listThreadIds(agents)).toEqual([id]);
    expect(stack.messages).toEqual([
      `warn: Resuming thread ${id} at ${agents.url}${agents.basePath}: an earlier run of this resource created it. Its history is kept.`,
    ]);
  });

  it("gets the metadata that was declared since", async () => {
    const { agents, stack, id } = await killRun();
    await stack.up(agents.threadInputs({ metadata: { team: "sales" } }));
    expect(stateOf(stack).id).toBe(id);
    expect((await agents.getThread(id)).metadata).toMatchObject({ team: "sales" });
    expect(await stack.refresh()).toBe("same");
  });

  it("is reported and not changed when other supersteps were declared since", async () => {
    const { agents, stack, id } = await killRun(state);
    await stack.up(agents.threadInputs());
    expect(stateOf(stack).id).not.toBe(id);
    const server = agents.url + agents.basePath;
    expect(stack.messages).toEqual([
      `warn: Earlier runs of this resource left threads at ${server} that no resource manages: ${id}. They were created with other inputs and were not changed. This resource manages thread ${stateOf(stack).id}.\nTo adopt one:   import: "${id}"\nTo delete one:  DELETE ${server}/threads/${id}`,
    ]);
  });

  it.each([
    [{ connection: "reset-before" }],
    [{ connection: "reset-after" }],
    [{ status: 502, body: "<h1>Bad Gateway</h1>" }],
  ] as const)("is reported when the search for it meets %j at first", async (fault) => {
    const { agents, stack, id } = await killRun(state);
    const search = { method: "POST", path: `${agents.basePath}/threads/search` } as const;
    await agents.emulator.faults.add({ ...search, ...fault, times: 2 });
    await stack.up(agents.threadInputs());
    expect(stack.messages).toEqual([expect.stringContaining(`that no resource manages: ${id}.`)]);
  });

  it("is mentioned as possible when the search for it keeps failing, and the new thread is created", async () => {
    const { agents, stack } = await killRun(state);
    const search = { method: "POST", path: `${agents.basePath}/threads/search` } as const;
    await agents.emulator.faults.add({ ...search, status: 503, body: { detail: "no database" }, times: 6 });
    expect(await stack.up(agents.threadInputs())).toBe("create");
    expect(stateOf(stack).failed).toBe(false);
    const id = agents.emulator.requestLog.entries(search).at(-1)?.id;
    expect(stack.messages).toEqual([
      `warn: Could not check whether interrupted runs of this resource left threads at ${agents.url}${agents.basePath} (POST /threads/search: 503: no database (request ID ${id})).`,
    ]);
  });

  it("is not confused with a copy of it", async () => {
    const { agents, stack, id } = await killRun(state);
    await agents.callAgentServer("POST", `/threads/${id}/copy`);
    await agents.callAgentServer("DELETE", `/threads/${id}`);
    await stack.up(agents.threadInputs());
    expect(stack.messages).toEqual([]);
  });

  it("is not adopted by another stack, owner or resource name", async () => {
    const { agents, id } = await killRun();
    const others = [{ stack: "prod" }, { organization: "other" }, { name: "other" }, { config: { ownerId: "team" } }];
    const ids = [];
    for (const options of others) {
      const stack = agents.stack(options);
      await stack.up(agents.threadInputs());
      ids.push(stateOf(stack).id);
    }
    expect(new Set([id, ...ids]).size).toBe(5);
  });
});

describe("a declared threadId", () => {
  const threadId = "12345678-1234-4234-8234-123456789ABC";

  it("becomes the thread's ID, in the server's spelling", async () => {
    const agents = await startAgents();
    const stack = agents.stack();
    await stack.up(agents.threadInputs({ threadId }));
    expect(stateOf(stack).id).toBe(threadId.toLowerCase());
    expect(await stack.refresh()).toBe("same");
  });

  it("leads to the thread that a killed run created", async () => {
    const { agents, stack, id } = await killRun({ threadId });
    await stack.up(agents.threadInputs({ threadId }));
    expect(stateOf(stack).id).toBe(id);
  });

  it("of a thread of another resource of the same stack leads to an alias, and so does its import", async () => {
    const { agents, id } = await killRun({ threadId });
    const stack = agents.stack({ name: "other" });
    const created = await failureOf(stack.up(agents.threadInputs({ threadId })));
    const imported = await failureOf(stack.up(agents.threadInputs({ threadId }), stack.host(), { __import: id }));
    for (const { message } of [created, imported]) {
      expect(message).toContain("is already managed by this stack under another name. No changes were made.");
      expect(message).toContain('aliases: [{ name: "<its old name>" }]');
    }
    expect(stack.state).toBeUndefined();
  });

  it.each([{ stack: "other" }, { config: { ownerMarker: "false" } }])(
    "of an existing thread fails with %j, and the error shows how to adopt it",
    async (options) => {
      const { agents, id } = await killRun({ threadId });
      const stack = agents.stack(options);
      const { message } = await failureOf(stack.up(agents.threadInputs({ threadId })));
      expect(message).toContain(`threadId: thread ${id} already exists at`);
      expect(message).toContain(`import: "${id}"`);
      expect(stack.state).toBeUndefined();
      expect(await stack.up(agents.threadInputs({ threadId }), stack.host(), { __import: id })).toBe("create");
      expect(stateOf(stack).id).toBe(id);
      const isOther = "stack" in options;
      expect(stack.messages.join().includes("is already managed by another stack, as its metadata key")).toBe(isOther);
    },
  );
});

describe("a thread whose supersteps cannot be applied", () => {
  const wrong = { supersteps: [superstep(hello), superstep(hello, "no-such-node")] };

  // @covers 2B.Superstep:failure
  it("fails with the server's message, and no thread is left behind", async () => {
    const agents = await startAgents();
    const stack = agents.stack();
    const { message } = await failureOf(stack.up(agents.threadInputs(wrong)));
    expect(message).toMatch(
      /POST \/threads: 400: Node no-such-node does not exist\n.*graph "echo" has no node.*Nothing was left/,
    );
    expect([stack.state, await listThreadIds(agents)]).toEqual([undefined, []]);
    expect(await stack.up(agents.threadInputs(state))).toBe("create");
  });

  it("stays in state when it cannot be deleted, and the next up replaces it", async () => {
    const agents = await startAgents({ without: ["threads-delete"] });
    const stack = agents.stack();
    expect((await failureOf(stack.up(agents.threadInputs(wrong)))).message).toContain("is kept in state");
    expect(await listThreadIds(agents)).toEqual([stateOf(stack).id]);
    expect(await stack.up(agents.threadInputs(state))).toBe("replace");
    expect(await stack.up(agents.threadInputs(state))).toBe("same");
  });

  it("is recognized by its missing history after a lost response", async () => {
    const agents = await startAgents();
    await agents.emulator.faults.add({ ...POST(agents), connection: "reset-after" });
    const stack = agents.stack();
    expect((await failureOf(stack.up(agents.threadInputs(wrong)))).message).toMatch(
      /no response: .*\n.*graph "echo" has no node "no-such-node"/,
    );
    expect([stack.state, await listThreadIds(agents)]).toEqual([undefined, []]);
  });

  // @covers 2B.Superstep:failure
  it("is kept with a warning when an earlier run left it: its history may be a customer's", async () => {
    const agents = await startAgents();
    const first = agents.stack();
    await first.up(agents.threadInputs(state));
    const { id } = stateOf(first);
    const [last, one] = await historyOf(agents, id);
    expect([last, one]).toHaveLength(2);
    // As if the second step had failed: the same ID and ownership marker, but a shorter history.
    const { metadata } = await agents.getThread(id);
    await agents.callAgentServer("DELETE", `/threads/${id}`);
    const cut = [{ updates: [{ values: hello, as_node: "echo" }] }];
    await agents.callAgentServer("POST", "/threads", { thread_id: id, metadata, supersteps: cut });
    await agents.advance(60_000);
    const stack = first.fork();
    await stack.up(agents.threadInputs(state));
    expect(stateOf(stack).id).toBe(id);
    expect(await historyOf(agents, id)).toHaveLength(1);
    expect(stack.messages.join()).toContain("has fewer checkpoints than the declared supersteps");
    expect(stack.messages.join()).toContain(`pulumi up --replace '${stack.urn}'`);
  });
});

it("a lost response is resolved by a GET of the thread's ID, without a second POST", async () => {
  const agents = await startAgents();
  const stack = agents.stack();
  await agents.emulator.faults.add({ ...POST(agents), connection: "reset-after" });
  await stack.up(agents.threadInputs(state));
  expect(agents.agentRequests().slice(2)).toEqual([
    "GET /threads/{id}",
    "POST /threads",
    "GET /threads/{id}",
    "POST /threads/{id}/history",
    "POST /threads/search",
  ]);
  expect(await listThreadIds(agents)).toEqual([stateOf(stack).id]);
  expect(stack.messages).toEqual([]);
});

it("a 409 of a server without if_exists leads to the existing thread", async () => {
  const { agents, stack, id } = await killRun();
  await agents.emulator.faults.add({ ...POST(agents), status: 409, body: { detail: "already exists" } });
  await stack.up(agents.threadInputs());
  expect(stateOf(stack).id).toBe(id);
});
