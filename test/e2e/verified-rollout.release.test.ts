/** examples/verified-rollout: a revision that fails its checks is replaced with the last one that passed them. */
import { Program } from "./support/program";
import { World } from "./support/world";

const world = new World({ strict: true, speed: "instant" });
const image = (version: string) => `registry.example.com/support-agent:${version}`;

test("a revision whose agent gives a wrong reply is off again, and the next one that is right stays", async () => {
  const program = await Program.copy("verified-rollout", await world.createFolder("verified-rollout"));
  const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const stack = await world.stack({ project: "agentgraph-verified-rollout", program, env });
  expect(await stack.up("-c", `image=${image("1.0.0")}`)).toMatchObject({ code: 0 });

  const messages = [{ type: "ai", content: "I cannot help with that." }];
  const wrong = { method: "POST", path: "/agents/*/runs/wait", status: 200, body: { messages }, times: 3 };
  await world.emulator.faults.add(wrong);
  const failed = await stack.up("-c", `image=${image("1.1.0")}`);
  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining("check 2 of 5: ask agent failed") });
  expect(failed.output).toContain("I cannot help with that.");
  expect(await liveImage()).toBe(image("1.0.0"));

  expect(await stack.up("-c", `image=${image("1.1.1")}`)).toMatchObject({ code: 0 });
  expect(await liveImage()).toBe(image("1.1.1"));
  const { outputs = {} } = (await stack.resources()).get("support-agent") ?? {};
  expect(outputs.verifiedRevisionId).toBe(outputs.activeRevisionId);
});

async function liveImage(): Promise<string | undefined> {
  const [{ id = "", active_revision_id = "" } = {}] = await world.deployments();
  const { revisions = [] } = (await world.getDeployment(id)) ?? {};
  return (
    revisions.find((revision) => revision.id === active_revision_id)?.source_revision_config.image_uri ?? undefined
  );
}
