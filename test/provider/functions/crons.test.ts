/** The functions for crons: their results, requests, secrets and errors. */
import { startAgents } from "../../support/agents/threads";
import { failureOf } from "../../support/errors";
import { program } from "./program";

const none = "99999999-9999-4999-8999-999999999999";

/** Starts an agent server with crons of the graph `echo`, with these fields. */
async function startCrons(bodies: readonly object[], ...[options]: Parameters<typeof startAgents>) {
  const agents = await startAgents(options);
  const ids: string[] = [];
  for (const body of bodies) {
    const request = { assistant_id: "echo", schedule: "0 3 * * *", input: { user_text: "Hello" }, ...body };
    ids.push(String((await agents.callAgentServer("POST", "/runs/crons", request)).body.cron_id));
  }
  await agents.emulator.requestLog.clear();
  return { agents, ids, deploymentId: agents.deploymentId, call: program(agents) };
}

// @covers 2B.Cron.payload
it("getCron returns a cron with what its request contained, and the webhook only if asked for", async () => {
  const fields = { metadata: { team_name: "support" }, context: { model_name: "small" }, interrupt_before: ["a"] };
  const webhook = "https://1.1.1.1/x?token=1";
  const { ids, deploymentId, call } = await startCrons([{ ...fields, webhook, timezone: "Europe/Berlin" }]);
  const result = await call("getCron", { deploymentId, cronId: ids[0] });
  expect(result).toMatchObject({
    ...{ cronId: ids[0], schedule: "0 3 * * *", timezone: "Europe/Berlin", enabled: true, onRunCompleted: "delete" },
    ...{ metadata: { team_name: "support" }, context: { model_name: "small" }, interruptBefore: ["a"] },
    ...{ input: { user_text: "Hello" }, nextRunDate: expect.any(String) },
    assistantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(result).not.toHaveProperty("webhook");
  expect(result).not.toHaveProperty("payload");
  expect(await call("getCron", { deploymentId, cronId: ids[0], withSecrets: true })).toMatchObject({ webhook });
});

it("getCrons names the cron that it cannot read", async () => {
  const { agents, deploymentId, call } = await startCrons([]);
  await agents.addFault({ path: "/agents/**/search", status: 200, body: [{ cron_id: none, metadata: 1 }], times: 9 });
  await expect(call("getCrons", { deploymentId })).rejects.toThrow(`It is about the item with ID ${none}: a newer`);
});

it("getCrons filters by assistant, thread, state and metadata", async () => {
  const { agents, deploymentId, call } = await startCrons([{ metadata: { n: 1 } }, { enabled: false }]);
  const thread = (await agents.callAgentServer("POST", "/threads", { metadata: { graph_id: "echo" } })).body;
  const onThread = { assistant_id: "echo", schedule: "0 4 * * *" };
  await agents.callAgentServer("POST", `/threads/${thread.thread_id}/runs/crons`, onThread);
  const search = (args: object) => call("getCrons", { deploymentId, ...args });
  expect(await search({})).toHaveLength(3);
  expect(await search({ enabled: false })).toHaveLength(1);
  expect(await search({ metadata: { n: 1 } })).toHaveLength(1);
  expect(await search({ threadId: thread.thread_id })).toMatchObject([{ schedule: "0 4 * * *" }]);
  expect(await search({ assistantId: "echo" })).toHaveLength(3);
  expect(await search({ assistantId: "agent" })).toEqual([]);
});

it("an unknown cron is an error with its ID", async () => {
  const { deploymentId, call } = await startCrons([]);
  await expect(call("getCron", { deploymentId, cronId: none })).rejects.toThrow(
    /^No cron with ID 99999999-.* exists on the agent server at /,
  );
});

it.each([
  ["getCron", { cronId: none }],
  ["getCrons", {}],
] as const)("%s says in one sentence that an agent server has no crons", async (name, args) => {
  const { deploymentId, call } = await startCrons([], { agentServer: "javascript" });
  const { message } = await failureOf(call(name, { deploymentId, ...args }));
  expect(message).toBe("This agent server does not support crons.");
});
