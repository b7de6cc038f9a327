/** Creates of threads that fail: what the error says of a thread that may have been left behind. */
import {
  type AgentPlatform,
  createThread,
  listThreadIds,
  startAgents,
  startThread,
  superstep,
} from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import { stateOf } from "../../../support/stack";

const hello = { messages: [{ role: "user", content: "Hello" }] };
const steps = { supersteps: [superstep(hello), superstep(hello)] };
const create = (agents: AgentPlatform) => ({ method: "POST", path: `${agents.basePath}/threads` }) as const;
const NOT_CREATED = "The server has no such thread, so it was probably not created. Run `pulumi up` again.";

it("a create that never reached a server that assigns IDs does not name a thread that was there before", async () => {
  const agents = await startAgents({ interfaceOnly: true });
  const [first, second] = [agents.stack(), agents.stack()];
  await first.up(agents.threadInputs());
  await agents.addFault({ ...create(agents), connection: "reset-before" });
  expect((await failureOf(second.up(agents.threadInputs()))).message.endsWith(NOT_CREATED)).toBe(true);
  expect(await listThreadIds(agents)).toEqual([stateOf(first).id]);
});

describe("a create of a Thread whose supersteps the server cannot apply", () => {
  const failure = { status: 201, body: { detail: "Node echo does not exist" } };
  const oneThread = (agents: AgentPlatform) => ({ method: "GET", path: `${agents.basePath}/threads/*` }) as const;

  it("says that nothing was left behind if the server created no thread", async () => {
    const agents = await startAgents();
    await agents.addFault({ ...create(agents), ...failure });
    const stack = agents.stack();
    await expect(stack.up(agents.threadInputs(steps))).rejects.toThrow(
      / Nothing was left behind\.\n {2}request ID {2}\d+$/,
    );
    expect(stack.state).toBeUndefined();
  });

  it("says that a thread may have been left behind if the server does not return it", async () => {
    const agents = await startAgents();
    await agents.addFault({ ...create(agents), ...failure, act: true });
    await agents.addFault({ ...oneThread(agents), status: 403, body: { detail: "no" }, skip: 1 });
    const stack = agents.stack();
    await expect(stack.up(agents.threadInputs(steps))).rejects.toThrow(
      /Could not determine whether it was created \(GET .* 403: no\)\. Run `pulumi up` again/,
    );
    expect(stack.state).toBeUndefined();
  });

  it("keeps the thread in state if the server refuses to delete it, and the next up replaces it", async () => {
    const agents = await startAgents();
    await agents.addFault({ ...create(agents), ...failure, act: true });
    await agents.addFault({ ...oneThread(agents), method: "DELETE", status: 403, body: { detail: "no" } });
    const stack = agents.stack();
    const { message } = await failureOf(stack.up(agents.threadInputs(steps)));
    const [id] = await listThreadIds(agents);
    expect(message).toContain(
      `Thread ${id} exists without all of its supersteps, because it could not be deleted, and is kept in ` +
        "state; the next `pulumi up` replaces it.",
    );
    expect(stateOf(stack)).toMatchObject({ id, failed: true });
    expect(await stack.up(agents.threadInputs(steps))).toBe("replace");
  });

  it.each([
    ["python", "ecko", "echo", /POST \/threads: 400: Node ecko does not exist\n.*Did you mean "echo"\?/],
    ["javascript", "ecko", "echo", /POST \/threads: 500: .*\n.*Did you mean "echo"\?/],
    ["python", "echo", "ecko", /POST \/threads: the server created .*\n.*has no graph "ecko"\. Did you mean "echo"\?/],
    ["javascript", "echo", "ecko", /POST \/threads: 404: .*\n.*has no graph "ecko"\. Did you mean "echo"\?/],
    ["python", "echo", undefined, /POST \/threads: the server created .*\n.*they require metadata\.graph_id/],
    ["javascript", "echo", undefined, /POST \/threads: 400: .*\n.*they require metadata\.graph_id/],
  ] as const)(
    "on the server in %s, with node %s of graph %s, leaves nothing and explains why; the corrected program creates it",
    async (agentServer, node, graph_id, expected) => {
      const { agents, stack } = await startThread({ server: { agentServer } });
      const wrong = { metadata: graph_id ? { graph_id } : {}, supersteps: [superstep(hello), superstep(hello, node)] };
      const { message } = await failureOf(stack.up(agents.threadInputs(wrong)));
      expect(message).toMatch(expected);
      expect(message).toContain("Nothing was left behind.");
      // IDs may contain these digits.
      expect(message).not.toMatch(/\b201\b/);
      expect([stack.state, await listThreadIds(agents)]).toEqual([undefined, []]);
      expect(await stack.up(agents.threadInputs(steps))).toBe("create");
      expect(await listThreadIds(agents)).toEqual([stateOf(stack).id]);
    },
  );
});

it("a thread of a killed run is mentioned as possible when its search fails, and another is created", async () => {
  const { agents, stack } = await createThread(steps);
  await agents.advance(60_000);
  const next = stack.fork();
  const search = { method: "POST", path: `${agents.basePath}/threads/search` } as const;
  await agents.addFault({ ...search, status: 503, body: { detail: "no database" }, times: 6 });
  expect(await next.up(agents.threadInputs())).toBe("create");
  expect(stateOf(next).failed).toBe(false);
  const id = agents.emulator.requestLog.entries(search).at(-1)?.id;
  expect(next.messages).toEqual([
    "warn: Could not check whether interrupted runs of this resource left threads at " +
      `${agents.url}${agents.basePath} (POST /threads/search: 503: no database (request ID ${id})). If a ` +
      "run was interrupted, `agentgraph adopt --json` lists them.",
  ]);
});

// @covers 2B.Superstep:failure
it("supersteps that were not applied are recognized by the missing history after a lost response", async () => {
  const { agents, stack } = await startThread();
  await agents.addFault({ ...create(agents), connection: "reset-after" });
  const wrong = { supersteps: [superstep(hello), superstep(hello, "no-such-node")] };
  await expect(stack.up(agents.threadInputs(wrong))).rejects.toThrow(
    /no response: .*\n.*graph "echo" has no node "no-such-node"/,
  );
  expect([stack.state, await listThreadIds(agents)]).toEqual([undefined, []]);
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

  it("gets no metadata of the provider from a server that assigns IDs", async () => {
    const agents = await startAgents({ interfaceOnly: true });
    await agents.stack({ config }).up(agents.threadInputs());
    expect((await agents.threads())[0]?.metadata).toEqual({ graph_id: "echo", team: "support" });
  });
});
