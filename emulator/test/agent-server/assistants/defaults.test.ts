import { agentOf, startAgent, unknownId } from "../../support/agent-server";
import { rolloutMs, start } from "../../support/emulator";
import { newFolder } from "../../support/folder";
import { echoId } from "../crons/crons";

const own = `/assistants/${unknownId}`;

// @covers 2B.Assistant.default, 2B.Assistant.default:start
test("a start keeps assistants with versions, restores default ones and deletes others of the system", async () => {
  const data = newFolder();
  const first = await startAgent({ strict: true, data });
  const unchanged = (await first.call("GET", `/assistants/${echoId}`)).body;
  await first.call("PATCH", `/assistants/${echoId}`, { name: "changed", context: { a: 1 } });
  await first.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "echo" });
  const kept = (await first.call("PATCH", own, { name: "mine" })).body;
  await first.call("POST", "/assistants", { graph_id: "echo", name: "fake", metadata: { created_by: "system" } });
  await first.emulator.stop();
  const again = agentOf(await start({ strict: true, data }), first.deploymentId);
  expect((await again.call("GET", own)).body).toEqual(kept);
  expect((await again.call("POST", `${own}/versions`, {})).list).toHaveLength(2);
  const { updated_at, ...restored } = (await again.call("GET", `/assistants/${echoId}`)).body;
  expect(unchanged).toMatchObject(restored);
  expect((await again.call("POST", "/assistants/count", { name: "fake" })).body).toBe(0);
});

// @covers 2B.Assistant.default:unprotected
test("a deleted default assistant ends runs by its graph's name until a start or a create with its ID", async () => {
  const agent = await startAgent({ strict: true });
  const run = async () => (await agent.call("POST", "/runs", { assistant_id: "echo", input: {} })).status;
  expect((await agent.call("DELETE", `/assistants/${echoId}`)).status).toBe(204);
  expect(await run()).toBe(404);
  await agent.call("POST", "/assistants", { assistant_id: echoId, graph_id: "echo" });
  expect(await run()).toBe(200);
  await agent.call("DELETE", `/assistants/${echoId}`);
  await agent.patch(`/v2/deployments/${agent.deploymentId}`, { source_revision_config: { image_uri: "x:2" } });
  await agent.advance(rolloutMs);
  expect(await run()).toBe(200);
});

test("an assistant whose graph is gone is found by a search and can be changed, but not retrieved", async () => {
  const agent = await startAgent({ strict: true });
  const setGraphs = (graphs: object) => agent.admin("PATCH", `/agents/${agent.deploymentId}`, { graphs });
  await setGraphs({ mine: "echo" });
  await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "mine", name: "kept" });
  await setGraphs({});
  for (const path of [own, `${own}/schemas`]) expect((await agent.call("GET", path)).status).toBe(404);
  expect((await agent.call("POST", "/assistants/search", { name: "kept" })).list).toHaveLength(1);
  expect((await agent.call("POST", "/runs", { assistant_id: unknownId, input: {} })).status).toBe(404);
  expect((await agent.call("PATCH", own, { graph_id: "echo" })).body.version).toBe(2);
  expect((await agent.call("GET", own)).status).toBe(200);
});

// @covers 2B.Assistant.default:revision
test("a new revision keeps assistants, and the deletion of the deployment removes them", async () => {
  const agent = await startAgent();
  await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "echo" });
  await agent.patch(`/v2/deployments/${agent.deploymentId}`, { source_revision_config: { image_uri: "x:2" } });
  await agent.advance(rolloutMs);
  expect((await agent.call("GET", own)).body.version).toBe(1);
  await agent.remove(`/v2/deployments/${agent.deploymentId}`);
  await agent.advance(rolloutMs);
  const reset = (await agent.admin("POST", "/reset")).body as unknown as { removed: { assistants: number } };
  expect(reset.removed.assistants).toBe(0);
});

// @covers 4B.GET /assistants/{assistant_id}/schemas
test("the schemas of an assistant are unknown if its graph stands in for the user's own", async () => {
  const agent = await startAgent({ strict: true, graphs: { mine: "echo" } });
  const { assistant_id } = (await agent.call("POST", "/assistants", { graph_id: "mine" })).body;
  const { body } = await agent.call("GET", `/assistants/${assistant_id}/schemas`);
  expect(body).toMatchObject({ graph_id: "mine", input_schema: null, config_schema: {}, context_schema: null });
  expect((await agent.call("GET", "/assistants/interrupt/schemas")).status).toBe(422);
});
