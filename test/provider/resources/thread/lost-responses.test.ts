/** Creates that were interrupted, refused or answered by nobody: what stands there is found, and never doubled. */
import { failureOf } from "../../../support/errors";
import { heldBy } from "../../../support/stack";
import { type Agents, listThreadIds, startAgents, step } from "../../../support/threads";

const hello = { messages: [{ role: "user", content: "Hello" }] };
const state = { supersteps: [step(hello), step({ messages: [{ role: "assistant", content: "Hi" }] })] };
const historyOf = async (agents: Agents, id: string) =>
  (await agents.ask("POST", `/threads/${id}/history`, { limit: 100 })).body as unknown as Record<string, unknown>[];
const POST = (agents: Agents) => ({ method: "POST", path: `${agents.base}/threads` }) as const;

/** A stack whose first run was killed when the thread was there and state was not written. */
async function killed(change = {}) {
  const agents = await startAgents();
  const first = agents.stack();
  await first.up(agents.thread(change));
  await agents.pass(60_000);
  return { agents, stack: first.twin(), id: heldBy(first).id };
}

describe("a run that was killed after the create", () => {
  it("is continued: the same thread, with a warning", async () => {
    const { agents, stack, id } = await killed(state);
    expect(await stack.up(agents.thread(state))).toBe("create");
    expect(heldBy(stack).id).toBe(id);
    expect(await listThreadIds(agents)).toEqual([id]);
    expect(stack.rows).toEqual([
      `warn: Resuming Thread ${id}: it was at ${agents.url}${agents.base} already, made by an earlier run of this resource, with the history that it has.`,
    ]);
  });

  it("and other metadata was declared since, is brought to that", async () => {
    const { agents, stack, id } = await killed();
    await stack.up(agents.thread({ metadata: { team: "sales" } }));
    expect(heldBy(stack).id).toBe(id);
    expect((await agents.one(id)).metadata).toMatchObject({ team: "sales" });
    expect(await stack.refresh()).toBe("same");
  });

  it("and other supersteps were declared since, leaves that one alone", async () => {
    const { agents, stack, id } = await killed(state);
    await stack.up(agents.thread());
    expect(heldBy(stack).id).not.toBe(id);
    const server = agents.url + agents.base;
    expect(stack.rows).toEqual([
      `warn: Earlier runs of this resource left threads at ${server} that nothing refers to: ${id}. They were made with other inputs, and were not changed; this resource has ${heldBy(stack).id}.\nTo take one over:  import: "${id}"\nTo delete one:     DELETE ${server}/threads/${id}`,
    ]);
  });

  it.each([
    [{ connection: "reset-before" }],
    [{ connection: "reset-after" }],
    [{ status: 502, body: "<h1>Bad Gateway</h1>" }],
  ] as const)("is named also where the search for it meets %j at first", async (fault) => {
    const { agents, stack, id } = await killed(state);
    const search = { method: "POST", path: `${agents.base}/threads/search` } as const;
    await agents.emulator.faults.add({ ...search, ...fault, times: 2 });
    await stack.up(agents.thread());
    expect(stack.rows).toEqual([expect.stringContaining(`that nothing refers to: ${id}.`)]);
  });

  it("is said to be unknown where the search for it keeps failing, and the thread is created", async () => {
    const { agents, stack } = await killed(state);
    const search = { method: "POST", path: `${agents.base}/threads/search` } as const;
    await agents.emulator.faults.add({ ...search, status: 503, body: { detail: "no database" }, times: 6 });
    expect(await stack.up(agents.thread())).toBe("create");
    expect(heldBy(stack).failed).toBe(false);
    expect(stack.rows).toEqual([
      `warn: Could not check whether interrupted runs of this resource left threads at ${agents.url}${agents.base} (POST /threads/search: 503: no database).`,
    ]);
  });

  it("and is found once its supersteps are declared otherwise, is not confused with a copy of it", async () => {
    const { agents, stack, id } = await killed(state);
    await agents.ask("POST", `/threads/${id}/copy`);
    await agents.ask("DELETE", `/threads/${id}`);
    await stack.up(agents.thread());
    expect(stack.rows).toEqual([]);
  });

  it("is nobody else's: another stack, owner or name has a thread of its own", async () => {
    const { agents, id } = await killed();
    const others = [{ stack: "prod" }, { organization: "other" }, { name: "other" }, { config: { ownerId: "team" } }];
    const ids = [];
    for (const options of others) {
      const stack = agents.stack(options);
      await stack.up(agents.thread());
      ids.push(heldBy(stack).id);
    }
    expect(new Set([id, ...ids]).size).toBe(5);
  });
});

describe("an id that the user chose", () => {
  const threadId = "12345678-1234-4234-8234-123456789ABC";

  it("is the thread's, in the server's spelling", async () => {
    const agents = await startAgents();
    const stack = agents.stack();
    await stack.up(agents.thread({ threadId }));
    expect(heldBy(stack).id).toBe(threadId.toLowerCase());
    expect(await stack.refresh()).toBe("same");
  });

  it("is resumed when a killed run made it", async () => {
    const { agents, stack, id } = await killed({ threadId });
    await stack.up(agents.thread({ threadId }));
    expect(heldBy(stack).id).toBe(id);
  });

  it.each([{ name: "other" }, { config: { ownerMarker: "false" } }])(
    "and is taken by a thread that %j cannot know is refused, with the line that takes it over",
    async (options) => {
      const { agents, id } = await killed({ threadId });
      const stack = agents.stack(options);
      const { message } = await failureOf(stack.up(agents.thread({ threadId })));
      expect(message).toContain(`threadId: thread ${id} is at`);
      expect(message).toContain(`import: "${id}"`);
      expect(stack.held).toBeUndefined();
      expect(await stack.up(agents.thread({ threadId }), stack.host(), { __import: id })).toBe("create");
      expect(heldBy(stack).id).toBe(id);
    },
  );
});

describe("supersteps that cannot be applied", () => {
  const wrong = { supersteps: [step(hello), step(hello, "no-such-node")] };

  // @covers 2B.Superstep:failure
  it("fail with the server's words, and nothing is left there", async () => {
    const agents = await startAgents();
    const stack = agents.stack();
    const { message } = await failureOf(stack.up(agents.thread(wrong)));
    expect(message).toMatch(
      /POST \/threads: 201: Node no-such-node does not exist.*\n.*metadata\.graph_id.*Nothing was left/,
    );
    expect([stack.held, await listThreadIds(agents)]).toEqual([undefined, []]);
    expect(await stack.up(agents.thread(state))).toBe("create");
  });

  it("and cannot be taken back leave a thread in state, which the next run replaces", async () => {
    const agents = await startAgents({ without: ["threads-delete"] });
    const stack = agents.stack();
    expect((await failureOf(stack.up(agents.thread(wrong)))).message).toContain("is kept in state");
    expect(await listThreadIds(agents)).toEqual([heldBy(stack).id]);
    expect(await stack.up(agents.thread(state))).toBe("replace");
    expect(await stack.up(agents.thread(state))).toBe("same");
  });

  it("and whose answer was lost are noticed by the history that is missing", async () => {
    const agents = await startAgents();
    await agents.emulator.faults.add({ ...POST(agents), connection: "reset-after" });
    const stack = agents.stack();
    expect((await failureOf(stack.up(agents.thread(wrong)))).message).toContain("Node no-such-node does not exist");
    expect([stack.held, await listThreadIds(agents)]).toEqual([undefined, []]);
  });

  // @covers 2B.Superstep:failure
  it("and were left by a killed run do not pass for a whole thread", async () => {
    const agents = await startAgents();
    const first = agents.stack();
    await first.up(agents.thread(state));
    const { id } = heldBy(first);
    const [last, one] = await historyOf(agents, id);
    expect([last, one]).toHaveLength(2);
    // As if the second step had failed: the same id and mark, with less of a history.
    const { metadata } = await agents.one(id);
    await agents.ask("DELETE", `/threads/${id}`);
    const cut = [{ updates: [{ values: hello, as_node: "echo" }] }];
    await agents.ask("POST", "/threads", { thread_id: id, metadata, supersteps: cut });
    await agents.pass(60_000);
    const stack = first.twin();
    await stack.up(agents.thread(state));
    expect(heldBy(stack).id).toBe(id);
    expect(await historyOf(agents, id)).toHaveLength(2);
  });
});

it("a lost response is settled by a look at the ID, without a second POST", async () => {
  const agents = await startAgents();
  const stack = agents.stack();
  await agents.emulator.faults.add({ ...POST(agents), connection: "reset-after" });
  await stack.up(agents.thread(state));
  expect(agents.asked().slice(2)).toEqual([
    "POST /threads",
    "GET /threads/{id}",
    "POST /threads/{id}/history",
    "POST /threads/search",
  ]);
  expect(await listThreadIds(agents)).toEqual([heldBy(stack).id]);
  expect(stack.rows).toEqual([]);
});

it("a server that knows the id and not if_exists says 409, and is understood", async () => {
  const { agents, stack, id } = await killed();
  await agents.emulator.faults.add({ ...POST(agents), status: 409, body: { detail: "already exists" } });
  await stack.up(agents.thread());
  expect(heldBy(stack).id).toBe(id);
});
