import { conversation, startAgent, unknownId } from "../support/agent-server";
import { missingFields } from "../support/openapi-conformance";

// test/docs/platform-api/platform-api.test.ts has the routes that remain.
describe("--interface-only", () => {
  // @covers 4B.POST /threads:once
  test("ignores an ID from the client, and creates a new thread each time", async () => {
    const agent = await startAgent({ interfaceOnly: true });
    const body = { thread_id: unknownId, if_exists: "do_nothing" };
    const threads = [await agent.thread(body), await agent.thread(body)];
    expect(new Set([unknownId, ...threads.map(({ thread_id }) => thread_id)]).size).toBe(3);
  });

  test("accepts any node and any graph, and ignores an offset", async () => {
    const agent = await startAgent({ interfaceOnly: true });
    const supersteps = [...conversation, { updates: [{ values: { done: true }, as_node: "anything" }] }];
    for (const metadata of [{}, { graph_id: "stranger" }, { graph_id: "echo" }])
      expect((await agent.thread({ metadata, supersteps })).values).toMatchObject({ done: true });
    expect((await agent.call("POST", "/threads/search", { offset: 1 })).list).toHaveLength(3);
  });
});

describe("an agent server", () => {
  test.each([
    ["a thread", "/threads", { graph_id: "echo" }, "body.graph_id"],
    ["a search", "/threads/search", { query: "x" }, "body.query"],
    ["a run", `/threads/${unknownId}/runs`, { assistant_id: "echo", unknown: "x" }, "body.unknown"],
  ])("rejects an unknown field of %s with --strict", async (_, path, body, location) => {
    const response = await (await startAgent({ strict: true })).call("POST", path, body);
    expect(response).toMatchObject({ status: 422, body: { detail: `${location}: Extra inputs are not permitted` } });
  });

  test("notes an unknown field in the request log by default", async () => {
    const agent = await startAgent();
    await agent.call("POST", "/threads", { graph_id: "echo" });
    const [entry] = agent.emulator.requestLog.entries({ path: "/agents/*/threads" });
    expect(entry).toMatchObject({ status: 200, notes: ["body.graph_id is unknown and ignored"] });
  });
});

test.each([
  ["agent-ok", "GET", "/ok", 404],
  ["threads-create", "POST", "/threads", 404],
  ["assistants-get", "GET", `/assistants/${unknownId}`, 405],
])("--without %s removes %s %s", async (name, method, path, status) => {
  const response = await (await startAgent({ without: [name] })).call(method, path, method === "GET" ? undefined : {});
  expect(response).toMatchObject({ status, body: { detail: status === 404 ? "Not Found" : "Method Not Allowed" } });
});

describe("/openapi.json describes", () => {
  // @covers 2B.Superstep:201
  test.each<[string, number, object]>([
    ["/threads", 201, { supersteps: conversation }],
    ["/threads/search", 200, {}],
    ["/threads/search", 200, { select: ["status"] }],
    ["/assistants", 200, { graph_id: "echo" }],
    ["/runs/crons", 200, { assistant_id: "echo", schedule: "0 9 * * *" }],
  ])("every required field of the response of POST %s with %i", async (path, status, requestBody) => {
    const agent = await startAgent();
    await agent.thread();
    const { status: actual, body } = await agent.call("POST", path, requestBody);
    expect(actual).toBe(status);
    expect(await missingFields(agent, ["post", `/agents/{deployment_id}${path}`, status], body)).toEqual([]);
  });

  // @covers 2B.Thread.more
  test("every field of a thread and of its state in every mode", async () => {
    for (const interfaceOnly of [false, true]) {
      const agent = await startAgent({ interfaceOnly });
      const thread = await agent.thread({ metadata: { graph_id: "echo" }, supersteps: conversation });
      const { components } = (await agent.get("/openapi.json")).body as never;
      const { schemas } = components as { schemas: Record<string, { properties: object }> };
      const state = await agent.state(thread.thread_id);
      expect(Object.keys(schemas.Thread?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(thread)));
      expect(Object.keys(schemas.ThreadState?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(state)));
    }
  });
});
