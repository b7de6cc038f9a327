import { agentOf, startAgent } from "../../support/agent-server";
import { createDeployment, docker, rolloutMs } from "../../support/emulator";

test("stored items belong to one deployment", async () => {
  const agent = await startAgent({ strict: true });
  const other = agentOf(agent, (await createDeployment(agent, docker("other"))).id);
  await agent.advance(rolloutMs);
  const item = { namespace: ["users", "1"], key: "k", value: { a: 1 } };
  expect((await agent.call("PUT", "/store/items", item)).status).toBe(204);
  const search = { namespace_prefix: [] };
  expect((await agent.call("POST", "/store/items/search", search)).body).toMatchObject({ items: [item] });
  expect((await other.call("POST", "/store/items/search", search)).body).toEqual({ items: [] });
});
