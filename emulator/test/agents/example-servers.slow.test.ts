/** The agent servers of examples/local-agent support the same requests. */
import { join } from "node:path";
import { type AgentBody, agentOf } from "../support/agent-server";
import { agentEntry, deploy, startWith } from "../support/agents/agents";

const folder = join(__dirname, "../../../examples/local-agent/agent");

it.each([
  ["Node.js", [process.execPath, "server.mjs", "{port}"]],
  ["Python", ["python3", "server.py", "{port}"]],
])("The agent server in %s has assistants, threads and runs", async (_, start) => {
  const environment = { MODEL_API_KEY: "a-key" };
  const client = await startWith([agentEntry("", { folder, start, environment, inherit: ["PATH", "HOME"] })]);
  const agent = agentOf(client, await deploy(client));
  const { body: assistant } = await agent.call("POST", "/assistants", {
    graph_id: "greeter",
    context: { greeting: "Hi" },
  });
  const { thread_id } = await agent.thread({ metadata: { team: "a" } });
  const messages = [{ type: "human", content: "Ada" }];
  const run = { assistant_id: assistant.assistant_id, input: { messages } };
  const reply = { messages: [...messages, { type: "ai", content: "Hi: Ada" }] };
  expect((await agent.call("POST", `/threads/${thread_id}/runs/wait`, run)).body).toEqual(reply);
  expect((await agent.state(thread_id)).values).toEqual(reply);
  expect((await agent.call("POST", "/runs/wait", run)).body).toEqual(reply);
  const found = await agent.call("POST", "/threads/search", { metadata: { team: "a" } });
  expect(found.list.map((thread: AgentBody) => thread.thread_id)).toEqual([thread_id]);
  const changed = await agent.call("PATCH", `/assistants/${assistant.assistant_id}`, { context: { greeting: "Bye" } });
  expect(changed.body).toMatchObject({ version: 2, context: { greeting: "Bye" } });
  expect(await agent.call("DELETE", `/threads/${thread_id}`)).toMatchObject({ status: 200 });
  expect(await agent.call("GET", `/threads/${thread_id}`)).toMatchObject({ status: 404 });
});
