import { startAgent, startRun, unknownId } from "../../support/agent-server";
import { missingFields } from "../../support/openapi-conformance";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;

describe("POST /assistants", () => {
  // @covers 2B.Assistant.name, 2B.Assistant.description, 2B.Assistant.config, 2B.Assistant.context
  // @covers 2B.Assistant.created_at, 4B.POST /assistants
  test("returns exactly the fields of an assistant, as /openapi.json describes them", async () => {
    const agent = await startAgent({ strict: true });
    const { status, body } = await agent.call("POST", "/assistants", { graph_id: "echo" });
    expect([status, body]).toEqual([
      200,
      {
        assistant_id: expect.stringMatching(uuid),
        graph_id: "echo",
        name: "Untitled",
        description: null,
        config: {},
        context: {},
        metadata: {},
        version: 1,
        created_at: expect.stringMatching(time),
        updated_at: body.created_at,
      },
    ]);
    expect(await missingFields(agent, ["post", "/agents/{deployment_id}/assistants", 200], body)).toEqual([]);
    expect((await agent.call("GET", `/assistants/${body.assistant_id}`)).body).toEqual(body);
  });

  // @covers 2B.Assistant.graph_id, 7:assistants
  test("rejects what the server rejects, and stores nothing", async () => {
    const agent = await startAgent();
    const both = { context: { a: 1 }, config: { configurable: { b: 1 } } };
    for (const [body, status] of [
      [{}, 422],
      [undefined, 422],
      [{ graph_id: "missing" }, 404],
      [{ graph_id: "echo", assistant_id: "echo" }, 422],
      [{ graph_id: "echo", metadata: null }, 422],
      [{ graph_id: "echo", context: [] }, 422],
      [{ graph_id: "echo", config: { tags: "a" } }, 422],
      [{ graph_id: "echo", config: { recursion_limit: 1.5 } }, 422],
      [{ graph_id: "echo", config: { configurable: [] } }, 422],
      [{ graph_id: "echo", if_exists: "replace" }, 422],
      [{ graph_id: "echo", ...both }, 400],
    ] as const) {
      const response = await agent.call("POST", "/assistants", body);
      expect([body, response]).toMatchObject([body, { status, body: { detail: expect.any(String) } }]);
    }
    expect((await agent.call("POST", "/assistants/count", { name: "Untitled" })).body).toBe(0);
  });

  // @covers 2B.Assistant.assistant_id, 4B.POST /assistants:exists
  test("normalizes a chosen ID, refuses it a second time, and returns the existing one unchanged with do_nothing", async () => {
    const agent = await startAgent({ strict: true });
    const assistant_id = "ABCDEF00000040008000000000000001";
    const first = (await agent.call("POST", "/assistants", { assistant_id, graph_id: "echo", name: "" })).body;
    expect(first).toMatchObject({ assistant_id: "abcdef00-0000-4000-8000-000000000001", name: "Untitled" });
    const other = { assistant_id, graph_id: "counter", name: "other" };
    expect((await agent.call("POST", "/assistants", other)).status).toBe(409);
    const repeated = await agent.call("POST", "/assistants", { ...other, if_exists: "do_nothing" });
    expect(repeated).toMatchObject({ status: 200, body: first });
    const missing = { assistant_id, graph_id: "missing", if_exists: "do_nothing" };
    expect((await agent.call("POST", "/assistants", missing)).status).toBe(404);
    expect((await agent.call("DELETE", `/assistants/${assistant_id}`)).status).toBe(204);
    expect((await agent.call("POST", "/assistants", other)).body).toMatchObject({ graph_id: "counter", version: 1 });
  });

  test("makes one object of eight creates at once", async () => {
    const agent = await startAgent({ strict: true });
    const create = (if_exists: string) => {
      const body = { assistant_id: unknownId, graph_id: "echo", if_exists };
      return Promise.all(Array.from({ length: 8 }, () => agent.call("POST", "/assistants", body)));
    };
    const statuses = (await create("raise")).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    const bodies = (await create("do_nothing")).map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
  });

  // @covers 2B.Assistant.metadata:reserved, 2B.Assistant.mirrors:reserved
  test("removes reserved keys silently, and no others, and makes NUL characters readable", async () => {
    const agent = await startAgent();
    const { body } = await agent.call("POST", "/assistants", {
      graph_id: "echo",
      metadata: { run_id: 1, cron_id: 1, thread_id: 1, assistant_id: 1, kept: ["a\0b", { run_id: 2 }] },
      context: { agentgraph_auth_user: 1, __after_seconds__: 1, __internal: 1, model: "m" },
    });
    expect(body).toMatchObject({ metadata: { kept: ["a\ufffdb", { run_id: 2 }] }, context: { model: "m" } });
    expect([Object.keys(body.metadata), Object.keys(body.context)]).toEqual([["kept"], ["__internal", "model"]]);
  });
});

describe("DELETE /assistants/{assistant_id}", () => {
  // @covers 4B.DELETE /assistants/{assistant_id}, 4B.DELETE /assistants/{assistant_id}:threads
  test("interrupts unfinished runs and keeps threads, unless delete_threads is true", async () => {
    const agent = await startAgent({ strict: true });
    for (const [query, kept] of [
      ["", true],
      ["?delete_threads=1", true],
      ["?delete_threads=true", false],
    ] as const) {
      await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "counter" });
      const { thread_id } = await agent.thread();
      const run = await startRun(agent, thread_id, { assistant_id: unknownId, input: {} });
      expect((await agent.call("DELETE", `/assistants/${unknownId}${query}`)).status).toBe(204);
      const [thread, ended] = [
        await agent.call("GET", `/threads/${thread_id}`),
        await agent.call("GET", `/threads/${thread_id}/runs/${run}`),
      ];
      expect(thread.status).toBe(kept ? 200 : 404);
      if (kept) expect([thread.body.status, ended.body.status]).toEqual(["idle", "interrupted"]);
      expect((await agent.call("DELETE", `/assistants/${unknownId}`)).status).toBe(404);
      const another = await agent.call("POST", "/runs", { assistant_id: unknownId, input: {} });
      expect(another.status).toBe(404);
    }
  });
});

describe("an assistant", () => {
  // @covers 1B.item 3:configuration, 2B.Assistant.metadata:runs, 2B.Assistant.version, 2B.Assistant.schema
  test("gives its runs its configuration, its metadata and its current version", async () => {
    const agent = await startAgent({ strict: true });
    const { assistant_id } = (
      await agent.call("POST", "/assistants", {
        graph_id: "echo",
        context: { prefix: "Reply: " },
        metadata: { customer: "c-1" },
      })
    ).body;
    const answers: unknown[] = [];
    for (const context of [{ prefix: "Reply: " }, { letters: "upper" }]) {
      await agent.call("PATCH", `/assistants/${assistant_id}`, { context });
      const { thread_id } = await agent.thread();
      const run = await startRun(agent, thread_id, {
        assistant_id,
        input: { messages: "Hello" },
        metadata: { a: 1 },
      });
      await agent.advance(5000);
      const { body } = await agent.call("GET", `/threads/${thread_id}/runs/${run}`);
      expect(body).toMatchObject({ metadata: { customer: "c-1", a: 1 }, kwargs: { context } });
      answers.push((await agent.state(thread_id)).values.messages?.at(-1)?.content);
    }
    expect(answers).toEqual(["Reply: Hello", "Echo: HELLO"]);
  });

  // @covers 2B.Assistant.default:owner
  test("is seen only by its owner under custom authentication, who sees no default assistant but can run one", async () => {
    const agent = await startAgent({ strict: true, agentAuth: "custom" });
    const as = (user: string) => (method: string, path: string, body?: unknown) =>
      agent.call(method, path, body, { authorization: `Bearer ${user}` });
    const create = { assistant_id: unknownId, graph_id: "echo", if_exists: "do_nothing" };
    const { body } = await as("ann")("POST", "/assistants", create);
    expect(body.metadata).toEqual({ agentgraph_auth_user_id: "ann" });
    expect((await as("ann")("POST", "/assistants/search", {})).list).toEqual([body]);
    for (const [method, requestBody] of [["GET"], ["PATCH", {}], ["DELETE"]] as const)
      expect((await as("bob")(method, `/assistants/${unknownId}`, requestBody)).status).toBe(404);
    expect((await as("bob")("POST", "/assistants", create)).status).toBe(409);
    expect((await as("bob")("POST", "/runs", { assistant_id: unknownId, input: {} })).status).toBe(404);
    expect((await as("bob")("POST", "/runs", { assistant_id: "echo", input: {} })).status).toBe(200);
  });
});
