import { stateOf } from "../../../support/stack";
import { type AgentPlatform, listThreadIds, startAgents, superstep } from "../../../support/threads";

const hello = { messages: [{ role: "user", content: "Hello" }] };
const state = { supersteps: [superstep(hello), superstep({ messages: [{ role: "assistant", content: "Hi" }] })] };
const POST = (agents: AgentPlatform) => ({ method: "POST", path: `${agents.basePath}/threads` }) as const;

/** A stack whose first run was killed after the thread was created and before state was written. */
async function killRun(change = {}) {
  const agents = await startAgents();
  const first = agents.stack();
  await first.up(agents.threadInputs(change));
  await agents.advance(60_000);
  return { agents, stack: first.fork(), id: stateOf(first).id };
}

it("a thread of a killed run is mentioned as possible when its search fails, and another is created", async () => {
  const { agents, stack } = await killRun(state);
  const search = { method: "POST", path: `${agents.basePath}/threads/search` } as const;
  await agents.addFault({ ...search, status: 503, body: { detail: "no database" }, times: 6 });
  expect(await stack.up(agents.threadInputs())).toBe("create");
  expect(stateOf(stack).failed).toBe(false);
  const id = agents.emulator.requestLog.entries(search).at(-1)?.id;
  expect(stack.messages).toEqual([
    "warn: Could not check whether interrupted runs of this resource left threads at " +
      `${agents.url}${agents.basePath} (POST /threads/search: 503: no database (request ID ${id})). If a ` +
      "run was interrupted, `agentgraph adopt --json` lists them.",
  ]);
});

const wrong = { supersteps: [superstep(hello), superstep(hello, "no-such-node")] };

// @covers 2B.Superstep:failure
it("supersteps that were not applied are recognized by the missing history after a lost response", async () => {
  const agents = await startAgents();
  await agents.addFault({ ...POST(agents), connection: "reset-after" });
  const stack = agents.stack();
  await expect(stack.up(agents.threadInputs(wrong))).rejects.toThrow(
    /no response: .*\n.*graph "echo" has no node "no-such-node"/,
  );
  expect([stack.state, await listThreadIds(agents)]).toEqual([undefined, []]);
});
