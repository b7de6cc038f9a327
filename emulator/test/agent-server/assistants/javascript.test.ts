/** What differs with `--agent-server javascript`. The other tests of assistants run against the server in Python. */
import { request } from "node:http";
import { type Agent, agentOf, startAgent, startRun, unknownId } from "../../support/agent-server";
import { start } from "../../support/emulator";
import { newFolder } from "../../support/folder";

const own = `/assistants/${unknownId}`;
const javascript = { agentServer: "javascript" } as const;
const create = async (agent: Agent, body: object) => (await agent.call("POST", "/assistants", body)).body;

describe("the agent server in JavaScript", () => {
  // @covers 2B.Assistant.mirrors, 2B.Assistant.created_at, 2B.Assistant.name
  test("stores context and config independently, any values and reserved keys", async () => {
    const agent = await startAgent(javascript);
    const config = { configurable: { a: 1, __internal: 2 }, tags: ["t"] };
    const body = { assistant_id: unknownId, graph_id: "missing", name: "", config, context: { b: 1 } };
    const created = await create(agent, { ...body, metadata: { run_id: "1", nul: "\0" } });
    expect(created).toMatchObject({ name: "missing", config, context: { b: 1 }, metadata: { run_id: "1", nul: "\0" } });
    expect(created.created_at).toMatch(/\.\d{3}Z$/);
    for (const [change, expected] of [
      [{ context: { c: 1 } }, { config, context: { c: 1 } }],
      [{ context: null }, { config, context: { c: 1 } }],
      [{ context: ["list"] }, { config, context: ["list"] }],
      [{ config: {} }, { config: {}, context: ["list"] }],
    ] as const) {
      const { body: changed } = await agent.call("PATCH", own, change);
      expect([change, changed]).toEqual([change, { ...changed, ...expected }]);
    }
  });

  // @covers 4B.GET /assistants/{assistant_id}/schemas
  test("rejects a GET of schemas with a body", async () => {
    const agent = await startAgent(javascript);
    const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}/assistants/echo/schemas`;
    const headers = { "content-type": "application/json", "content-length": 2 };
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(url, { method: "GET", headers }, (response) => resolve(response.resume().statusCode));
      outgoing.on("error", reject).end("{}");
    });
    expect(status).toBe(400);
  });

  // @covers 4B.POST /assistants/search:filter, 4B.POST /assistants/search:pages
  test("finds lists that contain those of a filter, never null, ignores sort_by, and pages differently", async () => {
    const agent = await startAgent(javascript);
    for (const name of ["a", "b"]) {
      await create(agent, { graph_id: "echo", name, metadata: { list: [1, 2], empty: null, mine: 1 } });
      await agent.advance(1000);
    }
    const mine = { mine: 1 };
    for (const [filter, found, next] of [
      [{ metadata: { list: [2] } }, ["b", "a"], null],
      [{ metadata: { empty: null } }, [], null],
      [{ metadata: mine, sort_by: "name", sort_order: "asc" }, ["b", "a"], null],
      [{ metadata: mine, limit: 2, select: ["name", "unknown"] }, ["b", "a"], "2"],
      [{ metadata: mine, limit: 1, select: [] }, [undefined], null],
      [{ metadata: mine, limit: 1 }, ["b"], null],
      [{ graph_id: "missing" }, [], null],
    ] as const) {
      const { list, headers } = await agent.call("POST", "/assistants/search", filter);
      const actual = [filter, list.map(({ name }) => name), headers.get("x-pagination-next")];
      expect(actual).toEqual([filter, found, next]);
    }
  });

  // @covers 2B.Assistant.default:start, 2B.Assistant.graph_id
  test("keeps changes of default assistants at a start, except of the name, and others of the system", async () => {
    const data = newFolder();
    const first = await startAgent({ ...javascript, data });
    const change = { name: "changed", description: "changed", context: { prefix: "Yes: " } };
    expect((await first.call("PATCH", "/assistants/echo", change)).body).toMatchObject(change);
    await create(first, { graph_id: "echo", name: "fake", metadata: { created_by: "system" } });
    await first.emulator.stop();
    const again = agentOf(await start({ ...javascript, data }), first.deploymentId);
    const { body } = await again.call("GET", "/assistants/echo");
    expect(body).toMatchObject({ version: 2, name: "echo", description: null, context: change.context });
    expect((await again.call("POST", "/assistants/count", { name: "fake" })).body).toBe(1);
    const { assistant_id } = await create(again, { graph_id: "missing" });
    const { thread_id } = await again.thread();
    const run = await startRun(again, thread_id, { assistant_id, input: {} }, 5000);
    expect((await again.call("GET", `/threads/${thread_id}/runs/${run}`)).body.status).toBe("error");
  });
});
