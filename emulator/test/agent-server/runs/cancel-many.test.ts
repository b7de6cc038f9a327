import { startRun, startThread, unknownId } from "../../support/agent-server";

// @covers 4B.POST /runs/cancel
test("a run that is named twice, beside one that does not exist, is rolled back once", async () => {
  const { agent, thread_id } = await startThread();
  const run = await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 9 } }, 1000);
  const body = { thread_id, run_ids: [run, unknownId, run] };
  expect((await agent.call("POST", "/runs/cancel?action=rollback", body)).status).toBe(204);
  expect((await agent.call("GET", `/threads/${thread_id}/runs?status=unknown`)).list).toEqual([]);
  const other = await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 9 } }, 1000);
  expect((await agent.call("POST", `/threads/${thread_id}/runs/${other}/cancel?action=other&wait=no`)).status).toBe(
    202,
  );
});
