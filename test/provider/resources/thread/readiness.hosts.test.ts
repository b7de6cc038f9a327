/** A create of a Thread waits until the agent server of its deployment responds; some have no URL, or never will. */
import { type AgentPlatform, startAgents } from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import type { RemoteObject } from "../../../support/platform";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { Stack, stateOf } from "../../../support/stack";

const SEARCH = "POST /threads/search";
const ADDRESS = "GET /v2/deployments/{id}";

// @covers 6:unsaid
it("Thread: a create waits for a deployment that is not live yet", async () => {
  const agents = await startAgents();
  await agents.addFault({ path: `${agents.basePath}/ok`, status: 503, times: 3 });
  const stack = agents.stack();
  await stack.up(agents.threadInputs());
  expect(agents.agentRequests()).toEqual([
    ...[ADDRESS, "GET /ok", "GET /ok", "GET /ok", "GET /ok", "GET /threads/{id}", "POST /threads", SEARCH],
  ]);
  expect(stack.messages.join()).toContain(`progress: no response from ${agents.url} (503)`);
});

it("Thread: a create waits for an ingress that does not route to the deployment yet", async () => {
  const agents = await startAgents();
  const ingress = { path: `${agents.basePath}/**`, status: 404, body: "default backend - 404" };
  await agents.addFault({ ...ingress, times: 6 });
  const stack = agents.stack();
  expect(await stack.up(agents.threadInputs())).toBe("create");
  expect(stack.messages.join()).toContain("progress: not routed yet (404)");
  expect(stack.messages.join()).not.toContain("warn");
  expect(await agents.threads()).toHaveLength(1);

  // An ingress with two replicas may route to it from one of them only.
  await agents.addFault({ ...ingress, method: "POST", path: `${agents.basePath}/threads` });
  const other = agents.stack({ name: "other" });
  expect(await other.up(agents.threadInputs())).toBe("create");
  expect(await agents.threads()).toHaveLength(2);
});

it("Thread: a create fails after five minutes when no agent server responds at the URL", async () => {
  const agents = await startAgents();
  const begin = agents.clock.now();
  const deploymentUrl = `${agents.url}/nothing-here`;
  await expect(agents.stack().up({ deploymentUrl })).rejects.toThrow(
    `No agent server responds at ${deploymentUrl}: /ok and /threads/search returned 404`,
  );
  expect((agents.clock.now() - begin) / 60_000).toBeCloseTo(5, 0);
});

it("Thread: a create fails immediately when the first revision of the deployment failed", async () => {
  const agents = await startAgents();
  const { deployments: [deploymentId = ""] = [] } = await agents.emulator.seed({
    deployments: [
      {
        name: "broken",
        source: "external_docker",
        revision_status: "DEPLOY_FAILED",
        source_revision_config: { image_uri: "registry.example.com/agent:0" },
      },
    ],
  });
  const begin = agents.clock.now();
  await expect(agents.stack().up({ deploymentId })).rejects.toThrow(
    new RegExp(`Deployment ${deploymentId} has no URL.*is DEPLOY_FAILED`),
  );
  expect(agents.clock.now()).toBe(begin);
});

const removeUrl = ({ source_config }: RemoteObject) => Reflect.deleteProperty(source_config, "custom_url");
const beingDeleted = (agents: AgentPlatform) =>
  agents.updateOutOfBand(agents.deploymentId, { status: "AWAITING_DELETE" });

describe("a create of a Thread", () => {
  async function createFor(revision_status: string | null) {
    const agents = await startAgents();
    const { deployments: [deploymentId = ""] = [] } = await agents.emulator.seed({
      deployments: [{ name: "new", source: "internal_docker", revision_status }],
    });
    await agents.emulator.requestLog.clear();
    const stack = new Stack(await startRewritingProxy(agents, removeUrl), {
      ...{ kind: "Thread", name: "session", timeouts: { create: revision_status === "DEPLOYED" ? "6m" : "30s" } },
    });
    const { message } = await failureOf(stack.up({ deploymentId }));
    return { message, revisions: agents.requests({ path: "/v2/deployments/*/revisions/*" }) };
  }

  it.each([
    ["without a revision", null, false, "the deployment has no URL yet"],
    ["whose first revision is in progress", "DEPLOYING", true, "the deployment has no URL yet"],
    ["that is live, for five minutes", "DEPLOYED", false, "reports no URL for it."],
  ])("waits for the URL of a deployment %s", async (_what, status, isRead, end) => {
    const { message, revisions } = await createFor(status);
    expect(message).toContain(end);
    expect(revisions.length > 0).toBe(isRead);
  });

  it("fails at once for a deployment that is being deleted", async () => {
    const agents = await startAgents();
    await beingDeleted(agents);
    await expect(agents.stack().up(agents.threadInputs())).rejects.toThrow(
      `deploymentId: deployment ${agents.deploymentId} is being deleted. Nothing was created.`,
    );
  });
});

it("a refresh of a Thread keeps its state if its deployment has no URL any more", async () => {
  const agents = await startAgents();
  let hasUrl = true;
  const server = await startRewritingProxy(agents, (remote) => hasUrl || removeUrl(remote));
  const stack = new Stack(server, { kind: "Thread", name: "session" });
  const { id } = await stack.stateAfter(agents.threadInputs());
  hasUrl = false;
  await expect(stack.refresh()).rejects.toThrow(
    `Deployment ${agents.deploymentId} has no URL (status READY), so its threads cannot be reached. Check ` +
      "that a revision of it is live. State is unchanged.",
  );
  expect(stateOf(stack).id).toBe(id);
});
