/**
 * Each row of the table that decides what a create does next, by the kind that needs most of them: a Thread. What all
 * kinds do in the same situations is in create.hosts.test.ts.
 */
import { type Action, CREATE, decide, type Situation } from "../../../provider/objects/decisions";
import { type AgentPlatform, createThread, listThreadIds, startAgents, superstep } from "../../support/agents/threads";
import { startProxy } from "../../support/servers/proxy";
import { stateOf } from "../../support/stack";

const steps = { supersteps: [superstep({ messages: [] }), superstep({ messages: [] })] };

/** Creates the thread in a run that is killed before it writes state, and returns the stack of the next run. */
async function killedRun(change = {}, ...[options]: Parameters<typeof startAgents>) {
  const { agents, stack, id } = await createThread(change, options);
  await agents.advance(60_000);
  return { agents, id, stack: stack.fork(), declared: agents.threadInputs(change) };
}

const requests = (agents: AgentPlatform) => agents.agentRequests().filter((request) => /threads/.test(request));

// @covers 4B.POST /threads:once
/** Actions whose outcomes create.hosts.test.ts shows of all kinds, and create-failures.test.ts of threads. */
const SHOWN_THERE = ["use", "refuse", "giveUp", "recreate", "report"] as const;

/** By action; `keep` is the other half of `giveUp`. */
const scenarios: Record<
  Exclude<Action, (typeof SHOWN_THERE)[number]> | "keep",
  [title: string, run: () => Promise<void>]
> = {
  read: [
    "looks for an earlier thread before its first write, by the ID or by the marker where the server assigns IDs",
    async () => {
      const agents = await startAgents();
      await agents.stack().up(agents.threadInputs());
      expect(requests(agents).slice(0, 2)).toEqual(["GET /threads/{id}", "POST /threads"]);
      const small = await startAgents({ interfaceOnly: true });
      await small.stack().up(small.threadInputs());
      const [readiness, search, create] = requests(small);
      expect([readiness, search, create]).toEqual(["POST /threads/search", "POST /threads/search", "POST /threads"]);
    },
  ],
  send: [
    "asks the server to reject an ID that is taken",
    async () => {
      const agents = await startAgents();
      await agents.stack().up(agents.threadInputs());
      const [entry] = agents.emulator.requestLog.entries({ method: "POST", path: `${agents.basePath}/threads` });
      expect(entry?.body).toMatchObject({ if_exists: "raise" });
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
      expect(second.messages.join()).toContain(`Resuming thread ${stateOf(first).id} at`);
    },
  ],
  inspect: [
    "counts the supersteps of a thread that no response confirmed",
    async () => {
      const { agents, stack, declared } = await killedRun(steps);
      await stack.up(declared);
      expect(requests(agents).slice(0, 2)).toEqual(["GET /threads/{id}", "POST /threads/{id}/history"]);
    },
  ],
  keep: [
    "keeps the thread of an earlier run that has no state at all in state, and fails; the next run replaces it",
    async () => {
      const { agents, stack, id, declared } = await killedRun();
      const { metadata } = await agents.getThread(id);
      const withSteps = { ...declared, ...steps };
      // Another thread has the ID that supersteps lead to.
      const next = agents.stack();
      const { id: derived } = await next.stateAfter(withSteps);
      const marker = (await agents.getThread(derived)).metadata;
      await agents.callAgentServer("DELETE", `/threads/${derived}`);
      await agents.callAgentServer("POST", "/threads", { thread_id: derived, metadata: { ...metadata, ...marker } });
      await expect(stack.up(withSteps)).rejects.toThrow(`Thread ${derived} already exists`);
      expect(stateOf(stack)).toMatchObject({ id: derived, failed: true });
      expect(await stack.up(withSteps)).toBe("replace");
    },
  ],
  resume: [
    "manages the thread of an earlier run, with a warning, although its history may lack supersteps",
    async () => {
      for (const isPruned of [false, true]) {
        const { agents, stack, id, declared } = await killedRun(steps);
        if (isPruned)
          await agents.callAgentServer("POST", "/threads/prune", { thread_ids: [id], strategy: "keep_latest" });
        await stack.up(declared);
        expect(stack.messages.join()).toContain(`Resuming thread ${id} at`);
        expect(stack.messages.join().includes("has fewer checkpoints than the declared supersteps")).toBe(isPruned);
        expect(stack.messages.join().includes(`pulumi up --replace '${stack.urn}'`)).toBe(isPruned);
        expect(stateOf(stack).id).toBe(id);
        expect(requests(agents)).not.toContain("DELETE /threads/{id}");
        expect(await stack.up(declared)).toBe("same");
      }
    },
  ],
};

it.each(Object.values(scenarios))("A create of a Thread %s", (_title, run) => run());

it("Every situation of a create leads to an action, and every action decides some of them", () => {
  const values: { [K in keyof Situation]: readonly Situation[K][] } = {
    isRead: [true, false],
    found: ["none", "own", "foreign", "several", "both"],
    request: ["unsent", "answered", "lost"],
    content: ["unseen", "whole", "partial", "none", "unfit"],
    isNew: [true, false],
  };
  let situations: object[] = [{}];
  for (const [column, options] of Object.entries(values))
    situations = situations.flatMap((situation) => options.map((value) => ({ ...situation, [column]: value })));
  const actions = new Set(situations.map((situation) => decide(CREATE, situation as Situation)));
  const all = Object.keys(scenarios).filter((action) => action !== "keep");
  expect([...actions].sort()).toEqual([...all, ...SHOWN_THERE].sort());
});

it("Nothing is written, and nothing is deleted, before the server was read", () => {
  const before = CREATE.slice(1).some(([situation]) => situation.isRead === false);
  expect([CREATE[0], before]).toEqual([[{ isRead: false }, "read"], false]);
});
