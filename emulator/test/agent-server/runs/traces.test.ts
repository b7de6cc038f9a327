import { type Agent, human, startAgent } from "../../support/agent-server";
import { queryDatabase } from "../../support/bulk-export/load-runs";
import { newFolder } from "../../support/folder";

interface TraceRow {
  id: string;
  session_id: string;
  start_time: number;
  end_time: number;
  first_token_time: number | null;
  total_cost: number | null;
  inputs: string | null;
  outputs: string | null;
  extra: string;
}

/** Starts an agent, and returns it with a function that reads the trace runs in its data file, oldest first. */
async function startTraced(): Promise<{ agent: Agent; traces: () => TraceRow[] }> {
  const data = newFolder();
  const agent = await startAgent({ strict: true, data });
  const traces = () => queryDatabase(data, "SELECT * FROM runs ORDER BY dotted_order") as unknown as TraceRow[];
  return { agent, traces };
}

async function run(agent: Agent, assistant_id: string, input: object): Promise<{ thread: string; run: string }> {
  const { thread_id } = await agent.thread({ metadata: { team: "a" } });
  const { body } = await agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id, input });
  await agent.advance(5000);
  return { thread: thread_id, run: body.run_id };
}

const seconds = (trace: TraceRow | undefined) => ((trace?.end_time ?? 0) - (trace?.start_time ?? 0)) / 1e6;

describe("the trace of a run", () => {
  test("has a root, a child for each node and a model call below, in the project of the deployment", async () => {
    const { agent, traces } = await startTraced();
    const ids = await run(agent, "echo", { messages: [human("Hello")] });
    const [root, node, call] = traces();
    expect(traces()).toHaveLength(3);
    const name = "echo";
    expect(root).toMatchObject({ id: ids.run, name, run_type: "chain", parent_run_id: null, status: "success" });
    expect(node).toMatchObject({ name, run_type: "chain", parent_run_id: root?.id, trace_id: root?.id });
    expect(call).toMatchObject({ run_type: "llm", parent_run_id: node?.id, trace_id: root?.id });
    const projects = (await agent.admin("GET", "/projects")).body as unknown as {
      projects: { id: string; name: string }[];
    };
    const [project] = projects.projects.filter(({ name }) => name === "agent");
    for (const trace of traces()) expect(trace.session_id).toBe(project?.id);
  });

  // @covers 1B.item 5
  test("has thread_id in the metadata of every run, parent and child", async () => {
    const { agent, traces } = await startTraced();
    const ids = await run(agent, "counter", { steps: 4 });
    expect(traces()).toHaveLength(5);
    for (const { extra } of traces())
      expect(JSON.parse(extra).metadata).toMatchObject({ thread_id: ids.thread, run_id: ids.run, team: "a" });
  });

  test("has tokens, costs and times, with the first token before the end", async () => {
    const { agent, traces } = await startTraced();
    await run(agent, "echo", { messages: [human("Hello")] });
    const [root, node, call] = traces();
    // "Hello" is 2 tokens, "Echo: Hello" 3.
    for (const trace of [root, node, call]) expect(trace).toMatchObject({ total_tokens: 5 });
    expect(root?.total_cost).toBeCloseTo(2 * 0.15e-6 + 3 * 0.6e-6, 12);
    expect([seconds(root), seconds(node), seconds(call)]).toEqual([0.4, 0.4, 0.4]);
    expect(call?.first_token_time).toBe(Number(call?.start_time) + 200_000);
    expect(JSON.parse(String(root?.inputs))).toEqual({ messages: [human("Hello")] });
    expect(JSON.parse(String(root?.outputs)).messages).toHaveLength(2);
  });

  test("contains the error", async () => {
    const { agent, traces } = await startTraced();
    await run(agent, "failing", {});
    const error = "This graph always fails";
    expect(traces()).toMatchObject([
      { name: "failing", status: "error", error },
      { name: "work", status: "success", error: null },
      { name: "fail", status: "error", error },
    ]);
  });

  test("remains after the deployment is deleted", async () => {
    const { agent, traces } = await startTraced();
    await run(agent, "echo", {});
    const before = traces();
    await agent.remove(`/v2/deployments/${agent.deploymentId}`);
    await agent.advance(5000);
    expect((await agent.call("GET", "/ok")).status).toBe(404);
    expect(traces()).toEqual(before);
  });
});
