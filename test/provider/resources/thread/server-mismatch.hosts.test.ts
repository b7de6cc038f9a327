/** Threads on several servers: which server stores a thread, and which servers receive credentials. */
import { imageAt, startAgents, startThread, superstep } from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import { dynamicHostOnly, stateOf } from "../../../support/stack";

const KEY = "a-very-secret-key";

/** An agent server that requires an API key and is unknown to the control plane of `agents`. */
async function startForeign() {
  const [agents, foreign] = [await startAgents(), await startAgents({ agentAuth: "key", apiKey: KEY })];
  const deploymentUrl = foreign.url + foreign.basePath;
  const stack = (config: Record<string, string> = {}) => agents.stack({ config: { apiKey: KEY, ...config } });
  const thread = { deploymentUrl, metadata: { graph_id: "echo" } };
  return { agents, foreign, deploymentUrl, stack, thread };
}

/** Settings without a control plane, unique to each test of this file. */
let number = 0;
const withoutControlPlane = () => ({
  controlPlaneUrl: "",
  apiKey: "",
  agentHeaders: JSON.stringify({ "x-test": String(number++) }),
});

const kinds: [string, object][] = [
  ["Thread", {}],
  ["Assistant", { graphId: "echo", name: "support" }],
  ["Cron", { assistantId: "echo", schedule: "0 3 * * *", input: {} }],
];

describe("the API key of a Thread", () => {
  // @covers 5.item 3
  it("is not sent to an unknown URL, and the error shows what to set", async () => {
    const { foreign, stack, thread } = await startForeign();
    const { message } = await failureOf(stack().up(thread));
    expect(message).toMatch(/GET \/threads\/[-0-9a-f]{36}: 401/);
    expect(message).toContain("No API key was sent: the control plane did not assign");
    expect(message).toContain("agentOrigins");
    expect(message).not.toContain(KEY);
    expect(foreign.agentRequests()).toEqual(["GET /ok", "GET /threads/{id}"]);
  });

  it("is sent to an origin that the control plane assigned, which is read once for several threads", async () => {
    const { agents, foreign, stack, thread } = await startForeign();
    const custom_url = `${foreign.url}/of/another`;
    await agents.emulator.seed({
      deployments: [{ name: "git", source: "githost", revision_status: "DEPLOYED", source_config: { custom_url } }],
    });
    await agents.emulator.requestLog.clear();
    const host = stack().host();
    const stacks = ["a", "b", "c"].map((name) => agents.stack({ name }));
    await Promise.all(stacks.map((one) => one.up(thread, host)));
    expect(agents.requests()).toEqual(["GET /v2/deployments"]);
    expect(await foreign.callAgentServer("GET", "/threads/x")).toMatchObject({ status: 403 });
  });

  it.each(kinds)(
    "is not sent to the custom URL of a deployment for a %s: anyone may have set it",
    async (kind, inputs) => {
      const { agents, foreign, deploymentUrl } = await startForeign();
      const { deployments: [deploymentId] = [] } = await agents.emulator.seed({
        deployments: [{ name: "own", ...imageAt(deploymentUrl) }],
      });
      const stack = () => agents.stack({ kind, config: { apiKey: KEY } });
      for (const container of [{ deploymentId }, { deploymentUrl }])
        await expect(stack().up({ ...container, ...inputs })).rejects.toThrow(
          `agentgraph:agentOrigins '["${foreign.url}"]'`,
        );
      expect(foreign.requests()).toEqual([]);
    },
  );

  it.each(kinds)(
    "is not awaited for a %s while no control plane responds: the error names it at once",
    async (kind, inputs) => {
      const foreign = await startAgents();
      const stack = foreign.stack({ kind, config: { apiKey: KEY, controlPlaneUrl: "http://127.0.0.1:1" } });
      const begin = foreign.clock.now();
      const declared = { deploymentUrl: foreign.url + foreign.basePath, ...inputs };
      const { message } = await failureOf(stack.up(declared));
      expect(message).toContain("GET /v2/deployments: no response: http://127.0.0.1:1");
      expect(message).toContain(
        `Could not verify that ${foreign.url} belongs to the control plane at http://127.0.0.1:1, so no API key ` +
          "was sent.",
      );
      expect(foreign.clock.now() - begin).toBeLessThan(60_000);
      expect(foreign.agentRequests()).toEqual([]);
    },
  );
});

// @covers 2B.agentgraph_auth_user_id, 5.item 3, 5.item 3:owner
it("agentHeaders are sent where the API key would be, and take precedence over it", async () => {
  const agents = await startAgents({ agentAuth: "custom" });
  const headers = { authorization: "Bearer ada", "X-API-KEY": "another" };
  const stack = agents.stack({ config: { agentHeaders: JSON.stringify(headers) } });
  await stack.up(agents.threadInputs());
  const remote = await agents.call("GET", `${agents.basePath}/threads/${stateOf(stack).id}`, undefined, {
    authorization: "Bearer ada",
  });
  expect(remote.body).toMatchObject({ metadata: { agentgraph_auth_user_id: "ada" } });
  expect(await stack.refresh()).toBe("same");
});

describe("a deploymentUrl", () => {
  // @covers 5.item 3
  it("requires no setting and keeps its path", async () => {
    const { agents, stack } = await startThread({ stack: { config: withoutControlPlane() } });
    const url = agents.url + agents.basePath;
    const thread = { deploymentUrl: `${url}/`, metadata: { graph_id: "echo" } };
    await stack.up(thread);
    expect(stack.messages).toEqual([]);
    expect(stateOf(stack).outputs).toMatchObject({ url });
    for (const absent of ["tenantId", "__server"]) expect(stateOf(stack).outputs).not.toHaveProperty(absent);
    expect(await stack.refresh()).toBe("same");
    expect(await stack.up({ ...thread, metadata: { graph_id: "counter" } })).toBe("update");
    await stack.destroy();
    expect(await agents.threads()).toEqual([]);
  });

  it("takes precedence over a deploymentId", async () => {
    const [agents, other] = [await startAgents(), await startAgents()];
    const stack = agents.stack();
    await stack.up(agents.threadInputs({ deploymentUrl: other.url + other.basePath }));
    expect(await agents.threads()).toEqual([]);
    expect(await other.threads()).toHaveLength(1);
    // A different control plane is not a server mismatch for this thread.
    expect(
      await stack.up(
        agents.threadInputs({ deploymentUrl: other.url + other.basePath }),
        stack.host({ controlPlaneUrl: other.url }),
      ),
    ).toBe("same");
  });

  // @covers 4B.POST /threads:empty
  it("that changes replaces the thread, and the old one is deleted on its own server", async () => {
    const [agents, other] = [await startAgents(), await startAgents()];
    const stack = agents.stack();
    await stack.up({ deploymentUrl: agents.url + agents.basePath });
    expect(await stack.up({ deploymentUrl: other.url + other.basePath })).toBe("replace");
    expect([await agents.threads(), await other.threads()]).toMatchObject([[], [{}]]);
  });

  it("with plain HTTP is rejected unless the server runs on this machine", async () => {
    const agents = await startAgents();
    await expect(agents.stack().up({ deploymentUrl: "http://agents.example/one" })).rejects.toThrow(
      /http:\/\/agents\.example uses plain HTTP;.*allowInsecureHttp/,
    );
  });
});

describe("the deployment of a Thread", () => {
  it("replaces the thread when it is another one, even with the same URL", async () => {
    const agents = await startAgents();
    const custom_url = `${agents.url}${agents.basePath}`;
    const { deployments: [next = ""] = [] } = await agents.emulator.seed({
      deployments: [{ name: "next", ...imageAt(custom_url) }],
    });
    const stack = agents.stack();
    const { id } = await stack.stateAfter(agents.threadInputs());
    expect(await stack.up(agents.threadInputs({ deploymentId: next }))).toBe("replace");
    expect(stateOf(stack).outputs).toMatchObject({ url: custom_url });
    expect(stateOf(stack).id).not.toBe(id);
    expect((await agents.threads()).map((thread) => thread.thread_id)).toEqual([stateOf(stack).id]);
  });

  it("is found at its new URL after the URL changed", async () => {
    const [agents, other] = [await startAgents(), await startAgents()];
    const stack = agents.stack();
    const { id } = await stack.stateAfter(agents.threadInputs());
    const [{ metadata } = {}] = await agents.threads();
    await other.callAgentServer("POST", "/threads", { thread_id: id, metadata });
    await agents.updateOutOfBand(agents.deploymentId, { source_config: { custom_url: other.url + other.basePath } });
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).outputs).toMatchObject({ url: other.url + other.basePath });
  });
});

dynamicHostOnly(describe)("an import of a Thread", () => {
  it("adopts a thread that matches the program, and lists the differences otherwise", async () => {
    const agents = await startAgents();
    const { body } = await agents.callAgentServer("POST", "/threads", {
      metadata: { graph_id: "echo", team: "support", more: 1 },
    });
    const stack = agents.stack();
    const other = agents.threadInputs({ metadata: { team: "b" }, threadId: "12345678-1234-4234-8234-123456789abc" });
    const { message } = await failureOf(stack.up(other, stack.host(), { __import: body.thread_id }));
    expect(message).toContain(`threadId: server has "${body.thread_id}"`);
    expect(message).toContain('metadata.team: server has "support", program has "b"');
    const created = agents.threadInputs({ supersteps: [superstep({ messages: [] })] });
    await stack.up(created, stack.host(), { __import: body.thread_id });
    expect(stack.messages.join()).toContain("supersteps and copyFrom were not compared");
    expect(stateOf(stack).id).toBe(body.thread_id);
    expect(await stack.up(created)).toBe("same");
  });
});
