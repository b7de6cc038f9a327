/** The output tracingProjectId, which never causes a failure or a change. */
import { defaultTenantId } from "../../../../../emulator/src";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { callTracingApi, tracingSettings } from "../../../../support/exports/tracing";
import { type Platform, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { Stack, startStack, stateOf } from "../../../../support/stack";

const SESSIONS = "GET /api/v1/sessions";
const polls = (platform: Platform) => platform.requests().filter((request) => request.startsWith(SESSIONS));
const knowing = (platform: Platform, options = {}) =>
  new Stack(platform, { config: tracingSettings(platform), ...options });

async function projectOf(platform: Platform, name: string): Promise<string | undefined> {
  const { body } = await callTracingApi(platform, "GET", `sessions?name=${name}`);
  return (body as unknown as { id: string }[])[0]?.id;
}

// @covers 10A.project
it("tracingProjectId is the project that was created with the deployment, read by one request", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await stack.up(dockerDeployment());
  expect(polls(platform)).toHaveLength(1);
  const id = await projectOf(platform, "agent");
  expect(id).toEqual(expect.any(String));
  expect(stateOf(stack).outputs.tracingProjectId).toBe(id);
});

it("tracingProjectId is kept by updates without a request, and by a refresh that fails to read it", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await stack.up(dockerDeployment());
  const { tracingProjectId } = stateOf(stack).outputs;
  await platform.emulator.requestLog.clear();
  expect(await stack.up(dockerDeployment())).toBe("same");
  expect(await stack.up(dockerDeployment(withImage("2")))).toBe("update");
  expect(polls(platform)).toEqual([]);
  expect(await stack.refresh()).toBe("same");
  expect(polls(platform)).toHaveLength(1);
  await platform.addFault({ method: "GET", path: "/api/v1/sessions", status: 403, times: 1 });
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).outputs.tracingProjectId).toBe(tracingProjectId);
});

it.each([
  ["without the tracing API's address", { tenantId: defaultTenantId }],
  ["without the workspace", { tracingApiUrl: "https://tracing.example" }],
])("tracingProjectId is absent %s, without a request", async (_what, config) => {
  const { platform, stack } = await createDeployment(dockerDeployment(), { stack: { config } });
  await stack.refresh();
  expect(stateOf(stack).outputs).not.toHaveProperty("tracingProjectId");
  expect(polls(platform)).toEqual([]);
  expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([]);
});

// @covers 2A.Deployment.tracer_session_id
it("tracingProjectId is what the deployment says, without the tracing API and in place of what it finds", async () => {
  const platform = await startPlatform();
  const shown = "99999999-9999-4999-8999-999999999999";
  const server = await startRewritingProxy(platform, (deployment) =>
    Object.assign(deployment, { tracer_session_id: shown }),
  );
  for (const [name, config] of Object.entries({ without: {}, with: tracingSettings(platform) })) {
    const stack = await startStack(server, dockerDeployment({ name }), { config });
    expect(stateOf(stack).outputs.tracingProjectId).toBe(shown);
  }
  expect(polls(platform)).toEqual([]);
});

it("tracingProjectId is added to older state by a refresh or an update, without a difference", async () => {
  const platform = await startPlatform();
  const [refreshed, updated] = [new Stack(platform), new Stack(platform, { name: "other" })];
  await refreshed.up(dockerDeployment());
  await updated.up(dockerDeployment({ name: "other" }));
  expect(await refreshed.up(dockerDeployment(), refreshed.host(tracingSettings(platform)))).toBe("same");
  expect(await refreshed.refresh(refreshed.host(tracingSettings(platform)))).toBe("same");
  expect(stateOf(refreshed).outputs.tracingProjectId).toBe(await projectOf(platform, "agent"));
  await updated.up(dockerDeployment({ name: "other", ...withImage("2") }), updated.host(tracingSettings(platform)));
  expect(stateOf(updated).outputs.tracingProjectId).toBe(await projectOf(platform, "other"));
});

it("tracingProjectId is absent without a warning on a server that cannot list projects", async () => {
  const platform = await startPlatform({ interfaceOnly: true });
  const stack = knowing(platform);
  await stack.up(dockerDeployment());
  expect(stateOf(stack).outputs).not.toHaveProperty("tracingProjectId");
  expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([]);
});

it("tracingProjectId is absent with a warning when the tracing API fails, and the deployment succeeds", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await platform.addFault({ method: "GET", path: "/api/v1/sessions", status: 403, body: { detail: "no" } });
  await stack.up(dockerDeployment());
  expect(stateOf(stack)).toMatchObject({ failed: false });
  expect(stateOf(stack).outputs).not.toHaveProperty("tracingProjectId");
  expect(stack.messages.join()).toMatch(/warn: tracingProjectId is unknown.*403: no/);
});

it("tracingProjectId stays in state when a rollout fails", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await stack.up(dockerDeployment());
  const { tracingProjectId } = stateOf(stack).outputs;
  for (const rollbackOnFailure of [false, true]) {
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await expect(stack.up(dockerDeployment({ ...withImage("2"), rollbackOnFailure }))).rejects.toThrow("DEPLOY_FAILED");
    expect(stateOf(stack)).toMatchObject({ failed: true, outputs: { tracingProjectId } });
  }
});
