/** A create of a Thread waits until the agent server of its deployment responds. */
import { failureOf } from "../../../support/errors";
import { startAgents } from "../../../support/threads";

const SEARCH = "POST /threads/search";
const ADDRESS = "GET /v2/deployments/{id}";

// @covers 6:unsaid
it("Thread: a create waits for a deployment that is not live yet", async () => {
  const agents = await startAgents();
  await agents.emulator.faults.add({ path: `${agents.basePath}/ok`, status: 503, times: 3 });
  const stack = agents.stack();
  await stack.up(agents.threadInputs());
  expect(agents.agentRequests()).toEqual([
    ADDRESS,
    "GET /ok",
    "GET /ok",
    "GET /ok",
    "GET /ok",
    "GET /threads/{id}",
    "POST /threads",
    SEARCH,
  ]);
  expect(stack.messages.join()).toContain(`progress: no response from ${agents.url} (503)`);
});

it("Thread: a create waits for an ingress that does not route to the deployment yet", async () => {
  const agents = await startAgents();
  const ingress = { path: `${agents.basePath}/**`, status: 404, body: "default backend - 404" };
  await agents.emulator.faults.add({ ...ingress, times: 6 });
  const stack = agents.stack();
  expect(await stack.up(agents.threadInputs())).toBe("create");
  expect(stack.messages.join()).toContain("progress: not routed yet (404)");
  expect(stack.messages.join()).not.toContain("warn");
  expect(await agents.threads()).toHaveLength(1);

  // An ingress with two replicas may route to it from one of them only.
  await agents.emulator.faults.add({ ...ingress, method: "POST", path: `${agents.basePath}/threads` });
  const other = agents.stack({ name: "other" });
  expect(await other.up(agents.threadInputs())).toBe("create");
  expect(await agents.threads()).toHaveLength(2);
});

it("Thread: a create fails after five minutes when no agent server responds at the URL", async () => {
  const agents = await startAgents();
  const begin = agents.clock.now();
  const deploymentUrl = `${agents.url}/nothing-here`;
  const { message } = await failureOf(agents.stack().up({ deploymentUrl }));
  expect(message).toContain(`No agent server responds at ${deploymentUrl}: /ok and /threads/search returned 404`);
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
  const { message } = await failureOf(agents.stack().up({ deploymentId }));
  expect(message).toMatch(new RegExp(`Deployment ${deploymentId} has no URL.*is DEPLOY_FAILED`));
  expect(agents.clock.now()).toBe(begin);
});
