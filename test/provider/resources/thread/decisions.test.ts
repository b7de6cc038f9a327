/** Each row of the table that decides what a create of a Thread does next. */
import { decide } from "../../../../provider/resources/shared/agent-server/decision-table";
import { type Action, DECISIONS, type Situation } from "../../../../provider/resources/thread/decisions";
import { failureOf } from "../../../support/errors";
import { startProxy } from "../../../support/servers/proxy";
import { stateOf } from "../../../support/stack";
import { type AgentPlatform, createThread, listThreadIds, startAgents, superstep } from "../../../support/threads";

const steps = { supersteps: [superstep({ messages: [] }), superstep({ messages: [] })] };
const OTHERS = "11111111-2222-4333-8444-555555555555";

/** Creates the thread in a run that is killed before it writes state, and returns the stack of the next run. */
async function killedRun(change = {}, ...[options]: Parameters<typeof startAgents>) {
  const { agents, stack, id } = await createThread(change, options);
  await agents.advance(60_000);
  return { agents, id, stack: stack.fork(), declared: agents.threadInputs(change) };
}

const forgetSupersteps = (agents: AgentPlatform) =>
  agents.emulator.faults.add({ path: `${agents.basePath}/threads/*/history`, status: 200, body: [], times: 1 });

const requests = (agents: AgentPlatform) => agents.agentRequests().filter((request) => /threads/.test(request));

const scenarios: Record<Action, [title: string, run: () => Promise<void>]> = {
  search: [
    "searches for an earlier thread first where the server assigns IDs",
    async () => {
      const agents = await startAgents({ interfaceOnly: true });
      await agents.stack().up(agents.threadInputs());
      const [readiness, search, create] = requests(agents);
      expect([readiness, search, create]).toEqual(["POST /threads/search", "POST /threads/search", "POST /threads"]);
    },
  ],
  create: [
    "sends the request at once where the client chooses the ID",
    async () => {
      const agents = await startAgents();
      await agents.stack().up(agents.threadInputs());
      expect(requests(agents)[0]).toBe("POST /threads");
    },
  ],
  discard: [
    "deletes the new thread if the search after it finds that of an earlier run",
    async () => {
      const agents = await startAgents();
      const url = await startProxy(agents.url, ({ method, path, body }) => {
        if (method !== "POST" || !path.endsWith("/threads")) return undefined;
        const { thread_id: _, if_exists: __, ...rest } = body as Record<string, unknown>;
        return { body: rest };
      });
      const declared = { deploymentUrl: url + agents.basePath };
      const first = agents.stack();
      await first.up(declared);
      const second = first.fork();
      await second.up(declared);
      expect(requests(agents)).toContain("DELETE /threads/{id}");
      expect(await listThreadIds(agents)).toEqual([stateOf(first).id]);
      expect(stateOf(second).id).toBe(stateOf(first).id);
    },
  ],
  refuse: [
    "fails and changes nothing if someone else created the thread with the declared ID",
    async () => {
      const agents = await startAgents();
      await agents.callAgentServer("POST", "/threads", { thread_id: OTHERS, metadata: { customer: "ada" } });
      await agents.advance(60_000);
      const stack = agents.stack();
      const { message } = await failureOf(stack.up(agents.threadInputs({ threadId: OTHERS })));
      expect(message).toContain(`threadId: thread ${OTHERS} already exists`);
      expect(stack.state).toBeUndefined();
      expect((await agents.getThread(OTHERS)).metadata).toEqual({ customer: "ada" });
    },
  ],
  inspect: [
    "counts the supersteps of a thread that no response confirmed",
    async () => {
      const { agents, stack, declared } = await killedRun(steps);
      await stack.up(declared);
      expect(requests(agents).slice(0, 2)).toEqual(["POST /threads", "POST /threads/{id}/history"]);
    },
  ],
  use: [
    "manages a new thread silently",
    async () => {
      const agents = await startAgents();
      const stack = agents.stack();
      await stack.up(agents.threadInputs(steps));
      expect(stack.messages).toEqual([]);
      expect(await listThreadIds(agents)).toEqual([stateOf(stack).id]);
    },
  ],
  resume: [
    "manages a complete thread of an earlier run, with a warning",
    async () => {
      const { agents, stack, id, declared } = await killedRun(steps);
      await stack.up(declared);
      expect(stack.messages.join()).toContain(`Resuming thread ${id} at`);
      expect(stateOf(stack).id).toBe(id);
      expect(requests(agents)).not.toContain("DELETE /threads/{id}");
    },
  ],
  recreate: [
    "deletes a thread without all of its supersteps, and creates it again",
    async () => {
      const { agents, stack, id, declared } = await killedRun(steps);
      await forgetSupersteps(agents);
      await stack.up(declared);
      const writes = requests(agents).filter((request) => !/history|search|GET/.test(request));
      expect(writes).toEqual(["POST /threads", "DELETE /threads/{id}", "POST /threads"]);
      expect(await listThreadIds(agents)).toEqual([id]);
      expect(stack.messages).toEqual([]);
    },
  ],
  keepPartial: [
    "keeps such a thread in state if the server cannot delete it, and fails",
    async () => {
      const { agents, stack, id, declared } = await killedRun(steps, { without: ["threads-delete"] });
      await forgetSupersteps(agents);
      expect((await failureOf(stack.up(declared))).message).toContain("It is kept in state.");
      expect(stateOf(stack)).toMatchObject({ id, failed: true });
      expect(await listThreadIds(agents)).toEqual([id]);
    },
  ],
};

describe("A create of a Thread", () => {
  it.each(Object.values(scenarios))("%s", (_title, run) => run());
});

it("Every situation of a create of a Thread leads to an action, and every action decides some of them", () => {
  const values: { [K in keyof Situation]: readonly Situation[K][] } = {
    idBy: ["client", "server"],
    isSearched: [true, false],
    found: ["nothing", "new", "earlier", "both"],
    declaresId: [true, false],
    isProven: [true, false],
    supersteps: ["unknown", "applied", "missing"],
    canRecreate: [true, false],
  };
  let situations: object[] = [{}];
  for (const [column, options] of Object.entries(values))
    situations = situations.flatMap((situation) => options.map((value) => ({ ...situation, [column]: value })));
  const actions = new Set(situations.map((situation) => decide(DECISIONS, situation as Situation)));
  expect([...actions].sort()).toEqual(Object.keys(scenarios).sort());
});
