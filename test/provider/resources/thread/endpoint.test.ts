/** Deployments that have no URL yet or any more, or are being deleted: what happens to their threads. */
import { failureOf } from "../../../support/errors";
import type { RemoteObject } from "../../../support/platform";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { Stack, stateOf } from "../../../support/stack";
import { type AgentPlatform, createThread, startAgents } from "../../../support/threads";

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
      ...{ kind: "Thread", name: "session", timeouts: { create: "30s" } },
    });
    const { message } = await failureOf(stack.up({ deploymentId }));
    return { message, deploymentId, revisions: agents.requests({ path: "/v2/deployments/*/revisions/*" }) };
  }

  it.each([
    ["without a revision", null, false],
    ["whose first revision is in progress", "DEPLOYING", true],
    ["that is live", "DEPLOYED", false],
  ])("waits for the URL of a deployment %s", async (_what, status, isRead) => {
    const { message, deploymentId, revisions } = await createFor(status);
    expect(message).toContain(`waiting for the agent server of deployment ${deploymentId} to respond`);
    expect(message).toContain("the deployment has no URL yet");
    expect(revisions.length > 0).toBe(isRead);
  });

  it("fails at its deadline with the URL that it waits for, and the last status", async () => {
    const agents = await startAgents();
    await agents.emulator.faults.add({ path: `${agents.basePath}/ok`, status: 503, times: 10_000 });
    const deploymentUrl = agents.url + agents.basePath;
    const { message } = await failureOf(agents.stack({ timeouts: { create: "30s" } }).up({ deploymentUrl }));
    expect(message).toContain(`Gave up after 30 s waiting for the agent server at ${deploymentUrl} to respond. `);
    expect(message).toContain("503");
  });

  it("fails at once for a deployment that is being deleted", async () => {
    const agents = await startAgents();
    await beingDeleted(agents);
    const { message } = await failureOf(agents.stack().up(agents.threadInputs()));
    expect(message).toContain(`deploymentId: deployment ${agents.deploymentId} is being deleted. Nothing was created.`);
  });

  it("asks for no revision of a deployment that has a URL", async () => {
    const { agents } = await createThread();
    await agents.stack({ name: "other" }).up(agents.threadInputs());
    expect(agents.requests({ path: "/v2/deployments/*/revisions/*" })).toEqual([]);
  });
});

describe("a refresh of a Thread", () => {
  it("keeps its state if its deployment has no URL any more", async () => {
    const agents = await startAgents();
    let hasUrl = true;
    const server = await startRewritingProxy(agents, (remote) => hasUrl || removeUrl(remote));
    const stack = new Stack(server, { kind: "Thread", name: "session" });
    await stack.up(agents.threadInputs());
    const { id } = stateOf(stack);
    hasUrl = false;
    expect((await failureOf(stack.refresh())).message).toContain(
      `Deployment ${agents.deploymentId} has no URL (status READY), so its threads cannot be reached. Check ` +
        "that a revision of it is live. State is unchanged.",
    );
    expect(stateOf(stack).id).toBe(id);
  });
});
