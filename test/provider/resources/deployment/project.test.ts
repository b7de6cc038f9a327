/** The output tracingProjectId: told where the tracing API is known, and never a reason to fail or to change. */
import { defaultTenantId } from "../../../../emulator/src";
import { docker, image } from "../../../support/deployments";
import { type Platform, startPlatform } from "../../../support/platform";
import { heldBy, Stack } from "../../../support/stack";
import { ask, tracing } from "../../../support/tracing";

const SESSIONS = "GET /api/v1/sessions";
const looks = (platform: Platform) => platform.requests().filter((request) => request.startsWith(SESSIONS));
const knowing = (platform: Platform, options = {}) => new Stack(platform, { config: tracing(platform), ...options });

async function projectOf(platform: Platform, name: string): Promise<string | undefined> {
  const { body } = await ask(platform, "GET", `sessions?name=${name}`);
  return (body as unknown as { id: string }[])[0]?.id;
}

it("is the project that was made with the deployment, and costs one request", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await stack.up(docker());
  expect(looks(platform)).toHaveLength(1);
  const id = await projectOf(platform, "agent");
  expect(id).toEqual(expect.any(String));
  expect(heldBy(stack).outputs.tracingProjectId).toBe(id);
});

it("is kept by updates without a request, and followed by refreshes", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await stack.up(docker());
  const { tracingProjectId } = heldBy(stack).outputs;
  await platform.emulator.journal.clear();
  expect(await stack.up(docker())).toBe("same");
  expect(await stack.up(docker(image("2")))).toBe("update");
  expect(looks(platform)).toEqual([]);
  expect(await stack.refresh()).toBe("same");
  expect(looks(platform)).toHaveLength(1);
  expect(heldBy(stack).outputs.tracingProjectId).toBe(tracingProjectId);
});

it.each([
  ["without the tracing API's address", { tenantId: defaultTenantId }],
  ["without the workspace", { tracingApiUrl: "https://tracing.example" }],
])("is absent %s, and nobody is asked", async (_what, config) => {
  const platform = await startPlatform();
  const stack = new Stack(platform, { config });
  await stack.up(docker());
  await stack.refresh();
  expect(heldBy(stack).outputs).not.toHaveProperty("tracingProjectId");
  expect(looks(platform)).toEqual([]);
  expect(stack.rows.filter((row) => row.startsWith("warn"))).toEqual([]);
});

it("of state from before is no difference, and comes with the next refresh or update", async () => {
  const platform = await startPlatform();
  const [refreshed, updated] = [new Stack(platform), new Stack(platform, { name: "other" })];
  await refreshed.up(docker());
  await updated.up(docker({ name: "other" }));
  expect(await refreshed.up(docker(), refreshed.host(tracing(platform)))).toBe("same");
  expect(await refreshed.refresh(refreshed.host(tracing(platform)))).toBe("same");
  expect(heldBy(refreshed).outputs.tracingProjectId).toBe(await projectOf(platform, "agent"));
  await updated.up(docker({ name: "other", ...image("2") }), updated.host(tracing(platform)));
  expect(heldBy(updated).outputs.tracingProjectId).toBe(await projectOf(platform, "other"));
});

it("is absent on a service without the list of projects, silently", async () => {
  const platform = await startPlatform({ interfaceOnly: true });
  const stack = knowing(platform);
  await stack.up(docker());
  expect(heldBy(stack).outputs).not.toHaveProperty("tracingProjectId");
  expect(stack.rows.filter((row) => row.startsWith("warn"))).toEqual([]);
});

it("is absent with a warning where the tracing API fails, and the deployment is fine", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await platform.emulator.faults.add({ method: "GET", path: "/api/v1/sessions", status: 403, body: { detail: "no" } });
  await stack.up(docker());
  expect(heldBy(stack)).toMatchObject({ failed: false });
  expect(heldBy(stack).outputs).not.toHaveProperty("tracingProjectId");
  expect(stack.rows.join()).toMatch(/warn: tracingProjectId is not known.*403: no/);
});

it("survives a failed look at a refresh", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await stack.up(docker());
  const { tracingProjectId } = heldBy(stack).outputs;
  await platform.emulator.faults.add({ method: "GET", path: "/api/v1/sessions", status: 403, times: 1 });
  expect(await stack.refresh()).toBe("same");
  expect(heldBy(stack).outputs.tracingProjectId).toBe(tracingProjectId);
});

it("stays in state when a rollout fails", async () => {
  const platform = await startPlatform();
  const stack = knowing(platform);
  await stack.up(docker());
  const { tracingProjectId } = heldBy(stack).outputs;
  for (const rollbackOnFailure of [false, true]) {
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    await stack.up(docker({ ...image("2"), rollbackOnFailure })).catch(() => undefined);
    expect(heldBy(stack)).toMatchObject({ failed: true, outputs: { tracingProjectId } });
  }
});
