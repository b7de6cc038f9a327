import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { startAgent, startRun } from "../../support/agent-server";

const options = { strict: true, speed: "instant", agentServer: "javascript" } as const;

test.each([
  ["counter", { status: "success", values: { count: 3, steps: 0 } }],
  ["failing", { status: "error", values: { worked: true }, error: "This graph always fails" }],
])("the webhook of a run of %s on this machine receives the run and its state", async (assistant_id, expected) => {
  const receiver = createServer().listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const request = once(receiver, "request");
  const agent = await startAgent(options);
  const { thread_id } = await agent.thread();
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const run_id = await startRun(agent, thread_id, { assistant_id, input: {}, webhook });
  const [incoming] = (await request) as [IncomingMessage];
  expect(incoming.method).toBe("POST");
  expect(await json(incoming)).toMatchObject({ run_id, run_ended_at: expect.any(String), ...expected });
  await agent.emulator.stop();
  receiver.close();
});

test("a webhook that fails is in the log of the deployment, and credentials of one are not", async () => {
  const agent = await startAgent(options);
  const { thread_id } = await agent.thread();
  await startRun(agent, thread_id, { assistant_id: "echo", input: {}, webhook: "http://user:pass-word@localhost:1/" });
  const webhook = "http://127.0.0.1:1/";
  const run = await startRun(agent, thread_id, { assistant_id: "echo", input: {}, webhook });
  await agent.advance(0);
  const { active_revision_id: id } = (await agent.get(`/v2/deployments/${agent.deploymentId}`)).body;
  const { logs } = (await agent.get(`/v2/deployments/${agent.deploymentId}/revisions/${id}/logs?type=deploy`)).body;
  expect(JSON.stringify(logs)).not.toContain("pass-word");
  expect(logs.map(({ message }) => message).filter((text) => text.includes(run))).toEqual([
    expect.stringContaining(`The webhook of run ${run} failed: `),
  ]);
});
