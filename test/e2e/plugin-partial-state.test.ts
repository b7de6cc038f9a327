/** A create that fails after the deployment exists, with the native plugin and the real engine: state keeps it at any size. */
import { World } from "./support/world";

const world = new World();

/** Returns a program that declares a deployment whose state has this size. */
const source = (bytes: number) => `
  const pulumi = require("@pulumi/pulumi");
  new pulumi.CustomResource("agentgraph:index:Deployment", "agent", {
    source: "external_docker",
    name: "agent-${bytes}",
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
    redeployTriggers: { text: "x".repeat(${bytes}) },
  });`;

test.each([
  ["2 MB", 2_000_000, { code: 1, initErrors: [expect.stringContaining("BUILD_FAILED")] }],
  // No error can carry this state, so the create succeeds with a warning.
  ["9 MB", 9_000_000, { code: 0, initErrors: undefined }],
])("a failed create of %s is stored, and the next up continues", async (_what, bytes, { code, initErrors }) => {
  const stack = await world.stack({ project: `large-${bytes}` });
  await stack.program.usePlugin();
  await stack.program.file("index.js", source(bytes));
  await world.emulator.faults.add({ revision: { ends: "BUILD_FAILED" } });
  const failed = await stack.up();
  expect(failed.code).toBe(code);
  expect(failed.output).toContain("revision rollout failed with BUILD_FAILED");
  const stored = (await stack.resources()).get("agent");
  const deployment = (await world.deployments()).find(({ name }) => name === `agent-${bytes}`);
  expect(stored?.id).toBe(deployment?.id);
  expect(stored?.initErrors).toEqual(initErrors);

  const next = await stack.up();
  expect(next.code).toBe(0);
  expect(next.output).toContain("retrying it once");
});
