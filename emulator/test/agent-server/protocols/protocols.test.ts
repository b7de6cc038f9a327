import { human, startAgent } from "../../support/agent-server";

const json = { accept: "application/json" };
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

// @covers 4B.POST /mcp
test("each assistant is a tool, whose result is the final values or the error of its graph", async () => {
  const agent = await startAgent({ strict: true, speed: "instant" });
  const call = async (name: string, input: object) =>
    (await agent.call("POST", "/mcp", rpc("tools/call", { name, arguments: input }), json)).body;
  const { body } = await agent.call("POST", "/mcp", rpc("tools/list", {}), json);
  const inputSchema = expect.objectContaining({ properties: { messages: expect.anything() } });
  const tool = { name: "echo", inputSchema };
  expect(body).toMatchObject({ result: { tools: expect.arrayContaining([expect.objectContaining(tool)]) } });
  const text = "{'steps': 0, 'count': 2}";
  expect(await call("counter", { steps: 2 })).toMatchObject({ result: { content: [{ type: "text", text }] } });
  expect(await call("failing", {})).toMatchObject({ result: { isError: true } });
});

// @covers 4B.POST /a2a/{assistant_id}, 4B.GET /a2a/{assistant_id}, 4B.GET /.well-known/agent-card.json
// @covers 4B.GET /a2a/{assistant_id}/.well-known/agent-card.json, 4B.GET /a2a/{assistant_id}/.well-known/agent.json
test("another agent finds an assistant by its card, and reads its reply", async () => {
  const agent = await startAgent({ strict: true, speed: "instant" });
  const [echo] = (await agent.call("POST", "/assistants/search", { graph_id: "echo" })).list;
  const path = `/a2a/${echo?.assistant_id}`;
  const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}${path}`;
  const wellKnown = ["agent-card.json", "agent.json"].map((name) => `${path}/.well-known/${name}`);
  for (const place of [path, ...wellKnown, `/.well-known/agent-card.json?assistant_id=${echo?.assistant_id}`])
    expect((await agent.call("GET", place)).body).toMatchObject({ name: "echo", url });
  const message = { role: "user", messageId: "1", parts: [{ kind: "text", text: "Hi" }] };
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const body = JSON.stringify(rpc("message/stream", { message }));
  const events = await (await fetch(url, { method: "POST", headers, body })).text();
  const [started, ...rest] = [...events.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data).result);
  expect(started).toMatchObject({ kind: "task", history: [{ role: "user", parts: message.parts }] });
  expect(rest.map(({ kind }) => kind)).toContain("artifact-update");
  expect(rest.at(-1)).toMatchObject({ kind: "status-update", final: true, status: { state: "completed" } });
  const { content } = human("Hi");
  expect(JSON.stringify(rest)).toContain(content);
});

// @covers 4B.POST /a2a/{assistant_id}
test("another agent lists the tasks of an assistant, newest first, by page, state and context", async () => {
  const agent = await startAgent({ strict: true, speed: "instant" });
  const [echo] = (await agent.call("POST", "/assistants/search", { graph_id: "echo" })).list;
  const call = async (method: string, params: object) =>
    (await agent.call("POST", `/a2a/${echo?.assistant_id}`, rpc(method, params), json)).body as {
      result?: { tasks?: { id: string; contextId: string }[] };
    };
  const send = async (text: string) => {
    const message = { role: "ROLE_USER", messageId: text, parts: [{ text }] };
    const { result } = await call("SendMessage", { message });
    return (result as unknown as { task: { id: string; contextId: string } }).task;
  };
  const [first, second] = [await send("One"), await send("Two")];
  const idsOf = async (params: object) => (await call("ListTasks", params)).result?.tasks?.map(({ id }) => id);
  expect(await idsOf({})).toEqual([second.id, first.id]);
  expect(await idsOf({ contextId: first.contextId })).toEqual([first.id]);
  expect(await idsOf({ status: "TASK_STATE_WORKING" })).toEqual([]);
  const page = { tasks: [{ id: second.id, artifacts: [] }], totalSize: 2, pageSize: 1, nextPageToken: "1" };
  expect(await call("ListTasks", { pageSize: 1, historyLength: 0 })).toMatchObject({ result: page });
  expect(await idsOf({ pageSize: 1, pageToken: "1", status: "completed" })).toEqual([first.id]);
  for (const params of [{ pageSize: 0 }, { pageToken: "x" }, { status: "x" }, { statusTimestampAfter: "x" }])
    expect(await call("ListTasks", params)).toMatchObject({ error: { code: -32_602 } });
  expect(await call("GetExtendedAgentCard", {})).toMatchObject({ result: { name: "echo" } });
});
