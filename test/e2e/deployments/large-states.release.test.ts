/** Failed creates of the native provider whose state is large. */
import { messagesOf } from "../support/events";
import { World } from "../support/world";

const world = new World();

test("failed creates with states of 2 and 9 MB are stored, and the next up continues with them", async () => {
  const large = await world.stack({ project: "large" });
  await large.program.usePlugin();
  const sizes = { small: 2_000_000, large: 9_000_000 };
  await large.program.file(
    "index.js",
    `const pulumi = require("@pulumi/pulumi");
    for (const [name, bytes] of Object.entries(${JSON.stringify(sizes)})) {
      new pulumi.CustomResource("agentgraph:index:Deployment", name, {
        ...{ name, source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" } },
        redeployTriggers: { text: "x".repeat(bytes) },
      });
    }`,
  );
  await world.emulator.faults.add({ revision: { ends: "BUILD_FAILED" }, times: 2 });
  const failed = await large.up("--continue-on-error");
  expect(failed.code).not.toBe(0);
  const stored = await large.resources();
  // No error can carry 9 MB, so that create succeeds with a warning.
  expect(stored.get("small")?.initErrors).toEqual([expect.stringContaining("BUILD_FAILED")]);
  expect(stored.get("large")?.initErrors).toBeUndefined();
  for (const name of ["small", "large"]) {
    expect(messagesOf(failed, name).join()).toContain("revision rollout failed with BUILD_FAILED");
    const deployment = (await world.deployments()).find((one) => one.name === name);
    expect(stored.get(name)?.id).toBe(deployment?.id);
  }

  const next = await large.up();
  expect(next.code).toBe(0);
  for (const name of ["small", "large"]) expect(messagesOf(next, name).join()).toContain("retrying it once");
});
