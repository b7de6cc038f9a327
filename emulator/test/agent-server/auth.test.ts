import { type Agent, startAgent } from "../support/agent-server";

const bearer = (user: string) => ({ authorization: `Bearer ${user}` });
const createThread = (agent: Agent, headers: Record<string, string>, body: object = {}) =>
  agent.call("POST", "/threads", body, headers);

describe("--agent-auth key", () => {
  // @covers 5.item 3, 5.item 3:hosted
  test("requires the API key of the control plane on every route except /ok and /info", async () => {
    const agent = await startAgent({ strict: true, agentAuth: "key", apiKey: "a-key" });
    expect(await createThread(agent, {})).toMatchObject({ status: 401, body: { detail: "Not authenticated" } });
    expect(await createThread(agent, { "x-api-key": "wrong" })).toMatchObject({ status: 403 });
    expect((await createThread(agent, { "x-api-key": "a-key" })).status).toBe(200);
    for (const path of ["/ok", "/info"]) expect((await agent.call("GET", path)).status).toBe(200);
  });

  test("requires an API key with access to the workspace of the deployment", async () => {
    const agent = await startAgent({ strict: true, agentAuth: "key" });
    const workspaces = ["99999999-9999-4999-8999-999999999999"];
    await agent.admin("POST", "/seed", {
      keys: [
        { key: "theirs", workspaces },
        { key: "all", organization: true },
      ],
    });
    expect((await createThread(agent, { "x-api-key": "theirs" })).status).toBe(403);
    expect((await createThread(agent, { "x-api-key": "all" })).status).toBe(200);
  });
});

describe("--agent-auth custom", () => {
  // @covers 2B.agentgraph_auth_user_id, 5.item 3:owner
  test("keeps the owner after a PATCH, who alone can start a run, and finds no thread of others", async () => {
    const agent = await startAgent({ strict: true, agentAuth: "custom" });
    const { body } = await createThread(agent, bearer("ann"));
    const path = `/threads/${body.thread_id}`;
    expect((await agent.call("POST", `${path}/runs`, { assistant_id: "echo" }, bearer("bob"))).status).toBe(404);
    const metadata = { agentgraph_auth_user_id: "bob" };
    const patched = await agent.call("PATCH", path, { metadata }, bearer("ann"));
    expect(patched.body.metadata).toEqual({ agentgraph_auth_user_id: "ann" });
    expect((await agent.call("POST", "/threads/search", { metadata }, bearer("ann"))).list).toEqual([]);
  });

  test("translates the owner's metadata key by the vocabulary, and never returns an API key", async () => {
    const vocabulary = { agentgraph: "langgraph" };
    const agent = await startAgent({ agentAuth: "custom", vocabulary });
    const { body } = await createThread(agent, { "x-api-key": "very-secret" });
    expect(Object.keys(body.metadata)).toEqual(["langgraph_auth_user_id"]);
    expect(JSON.stringify(body)).not.toContain("very-secret");
  });
});
