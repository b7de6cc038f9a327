/** Checks that compare the threads that wait for an answer with the live graphs, as published servers show both. */
import { RunState } from "../../../../../provider/engine/run/run-state";
import { realClock } from "../../../../../provider/http/clock";
import type { ConversationsCheck } from "../../../../../provider/resources/deployment/schema/verify";
import { WaitingBefore } from "../../../../../provider/resources/deployment/verify/conversations";
import { defaultAssistantId } from "../../../../../provider/schema/id";
import { check } from "../../../../support/deployments/checks";
import { numberedId, startAgentClient } from "../../../../support/servers/agent-client";
import { json } from "../../../../support/servers/server";

/** A thread that waits in these nodes of a graph. */
interface Waiting {
  graph?: string;
  next?: string[];
  /** What the server says of its state. Default: the nodes. */
  state?: [status: number, body: unknown];
  /** The status once its state was read. */
  later?: string;
  status?: string;
}

interface Served {
  threads: Waiting[];
  /** By graph. */
  nodes?: Record<string, string[]>;
  /** What the server says of other graphs. */
  otherGraph?: [status: number, body: unknown];
  assistants?: unknown[];
}

async function serve({ threads, nodes = {}, otherGraph = [404, { detail: "Not Found" }], assistants = [] }: Served) {
  const shown = threads.map(({ graph = "agent", status = "interrupted" }, index) => ({
    ...{ thread_id: numberedId(index), status },
    metadata: { graph_id: graph, assistant_id: numberedId(900) },
  }));
  const agent = await startAgentClient((response, { url = "" }) => {
    const [, kind, id = "", what] = url.split("/");
    const body = () => JSON.parse(agent.server.requests.at(-1)?.body ?? "{}");
    const thread = threads[Number(id.slice(-4))];
    const answer = (): [number, unknown] => {
      if (id === "search" && kind === "assistants") return [200, assistants];
      if (id === "search") return [200, shown.slice(body().offset ?? 0).slice(0, body().limit)];
      const graph = Object.keys(nodes).find((name) => defaultAssistantId(name) === id);
      if (kind === "assistants")
        return graph ? [200, { nodes: nodes[graph]?.map((name) => ({ id: name })) }] : otherGraph;
      if (what !== "state") return [200, { thread_id: id, status: thread?.later ?? "interrupted" }];
      return thread?.state ?? [200, { next: thread?.next ?? [], metadata: { step: 1 }, values: {} }];
    };
    json(...answer())(response, {} as never);
  });
  return agent;
}

async function compare(served: Served, conversations: ConversationsCheck = {}, more: object = {}) {
  const agent = await serve(served);
  const { mismatch, rows } = await check({ conversations, attempts: 1 }, { ...agent, ...more });
  return { ...agent, rows, actual: mismatch?.actual };
}

const nodes = { agent: ["__start__", "ask", "__end__"] };
const approving = { next: ["approve"] };

it.each([
  ["none waits", []],
  ["they wait in nodes that exist", [{ next: ["ask"] }, { next: ["__start__"] }]],
  ["they have continued meanwhile", [{ next: [], later: "idle" }]],
  ["they do not wait", [{ ...approving, status: "idle" }]],
  ["they were deleted", [{ state: [404, { detail: "Thread with ID x not found" }] }]],
  ["they have not begun", [{ state: [200, { next: [], metadata: null, values: {} }] }]],
] as [string, Waiting[]][])("Conversations can continue if %s", async (_what, threads) => {
  expect((await compare({ threads, nodes })).actual).toBeUndefined();
});

const missing = { graph: "old", state: [404, { detail: "Graph 'old' not found. Expected one of: ['agent']" }] };
it.each([
  ["in a node", Array(7).fill(approving), '7 threads wait in node "approve", which graph "agent" no longer has'],
  ["in nodes", [{ next: ["ask", "approve"] }], '1 thread waits in node "approve", which graph "agent" no longer has'],
  ["in a node without a name", [{ next: [] }], '1 thread waits in a node that graph "agent" no longer has'],
  [
    "whose graph is missing",
    [missing, approving, approving],
    '2 threads wait in node "approve", which graph "agent" no longer has\n1 thread waits in graph "old", ' +
      "which the agent server no longer has",
  ],
  [
    "whose graph has no assistants",
    [{ graph: "old", next: ["x"] }],
    '1 thread waits in graph "old", which the agent server no longer has',
  ],
] as [string, Waiting[], string][])("Conversations cannot continue %s", async (_what, threads, actual) => {
  expect((await compare({ threads, nodes })).actual).toBe(actual);
});

it("The nodes in which threads waited before the rollout are named, since the server no longer does", async () => {
  const before = await serve({ threads: [approving, approving, { next: ["ask"] }] });
  const run = new RunState();
  await run.scope.get(WaitingBefore).read("d-1", {}, before.agent, realClock);
  const threads = [{ next: [] }, { next: [] }, { next: ["ask"] }, { next: [] }];
  const { actual } = await compare({ threads, nodes }, {}, { run });
  expect(actual).toBe(
    '2 threads wait in node "approve", which graph "agent" no longer has\n1 thread waits in a node that graph ' +
      '"agent" no longer has',
  );
});

it("At most as many threads are compared as the check says, and it says when there are more", async () => {
  const threads = Array(5).fill({ next: ["ask"] });
  const { requests, rows } = await compare({ threads, nodes }, { maxThreads: 3 });
  expect(requests().filter((request) => request.endsWith("/state"))).toHaveLength(3);
  expect(rows).toContain("verify: only the first 3 threads that wait were compared. See maxThreads.");
  expect((await compare({ threads, nodes }, { maxThreads: 5 })).rows).toHaveLength(1);
  const lost = await compare({ threads: Array(5).fill(approving), nodes }, { maxThreads: 3 });
  expect(lost.actual).toMatch(/^3 threads wait .*\nonly the first 3 threads that wait were compared$/);
});

it("A server that does not show the nodes of a graph fails the check", async () => {
  const assistants = [{ assistant_id: numberedId(1), graph_id: "agent" }];
  const { actual } = await compare({ threads: [approving], assistants });
  expect(actual).toBe('status 404: the agent server does not show the nodes of graph "agent"');
});

it("A server that fails does not count as one without the graph", async () => {
  const { actual } = await compare({ threads: [approving], otherGraph: [403, { detail: "Forbidden" }] });
  expect(actual).toBe("status 403: Forbidden");
});

it("The time of the check is that of all its requests together", async () => {
  let end = () => {};
  const agent = await startAgentClient((response) => {
    end = () => void response.end("[]");
  });
  const { mismatch } = await check({ conversations: {}, attempts: 1, timeout: "50ms" }, agent);
  end();
  expect(mismatch?.actual).toBe("no result within 50ms");
});
