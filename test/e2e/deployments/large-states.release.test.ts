/** A failed create of the native provider whose state is almost too large for an error. */
import { messagesOf } from "../support/cli/events";
import { World } from "../support/world";

const world = new World();

test("a failed create with a state of almost 8 MiB is stored, and the next up continues with it", async () => {
  const large = await world.stack({ project: "large" });
  await large.program.usePlugin();
  await large.program.file(
    "index.js",
    `new (require("@pulumi/pulumi").CustomResource)("agentgraph:index:Deployment", "large", {
      ...{ name: "large", source: "external_docker", sourceRevisionConfig: { imageUri: "r.example.com/agent:1" } },
      redeployTriggers: { text: "x".repeat(8_300_000) },
    });`,
  );
  await world.emulator.faults.add({ revision: { ends: "BUILD_FAILED" } });
  expect((await large.up()).code).not.toBe(0);
  const [deployment] = await world.deployments();
  const initErrors = [expect.stringContaining("BUILD_FAILED")];
  expect((await large.resources()).get("large")).toMatchObject({ id: deployment?.id, initErrors });

  const next = await large.up();
  expect([next.code, messagesOf(next, "large").join()]).toEqual([0, expect.stringContaining("retrying it once")]);
});
