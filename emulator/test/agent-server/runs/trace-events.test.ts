import { runMs, startThread } from "../../support/agent-server";

interface TraceEvent {
  event: string;
  name: string;
  run_id: string;
  tags: string[];
  data: object;
  parent_ids: string[];
}

// @covers 4B.POST /threads/{thread_id}/runs/stream:modes
test.each([
  ["python", "interrupt", ["on_chain_start", "on_chain_stream", "on_chain_end"]],
  ["javascript", "LangGraph", ["on_chain_start", "on_chain_end"]],
] as const)("the mode events of a %s server shows run %s and its nodes", async (agentServer, name, ofNode) => {
  const { agent, thread_id } = await startThread({ strict: true, agentServer });
  const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}/threads/${thread_id}/runs/stream`;
  const body = JSON.stringify({ assistant_id: "interrupt", input: { prepared: false }, stream_mode: ["events"] });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  await agent.advance(runMs);
  const text = await response.text();
  const events = [...text.matchAll(/event: events\ndata: (.*)/g)].map(
    ([, data = ""]) => JSON.parse(data) as TraceEvent,
  );
  expect(events.map((one) => `${one.name} ${one.event}`)).toEqual([
    `${name} on_chain_start`,
    ...ofNode.map((event) => `prepare ${event}`),
    "finish on_chain_start",
    `${name} on_chain_end`,
  ]);
  const [run, node] = events;
  expect(run).toMatchObject({ data: { input: { prepared: false } } });
  expect(node).toMatchObject({ tags: ["graph:step:1"], data: { input: { prepared: false } } });
  expect(node?.parent_ids).toEqual(agentServer === "python" ? [run?.run_id] : undefined);
  expect(events.at(-1)?.data).toEqual({ output: { prepared: true } });
});
