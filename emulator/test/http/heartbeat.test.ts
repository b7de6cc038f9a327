import { startAgent } from "../support/agent-server";

const realTimers = [
  ...(["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "nextTick", "queueMicrotask"] as const),
  ...(["Date", "hrtime", "performance"] as const),
];

afterEach(() => void jest.useRealTimers());

test.each([
  ["wait", "\n{}"],
  ["stream", expect.stringMatching(/^event: metadata\n.*\n\n: heartbeat\n\n$/)],
])("a client that reads runs/%s gets a sign of life after five seconds", async (suffix, expected) => {
  const agent = await startAgent();
  const { thread_id } = await agent.thread();
  jest.useFakeTimers({ doNotFake: realTimers });
  const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}/threads/${thread_id}/runs/${suffix}`;
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: '{"assistant_id":"echo","input":{}}' });
  jest.advanceTimersByTime(5000);
  await agent.call("DELETE", `/threads/${thread_id}`);
  expect(await response.text()).toEqual(expected);
});
