import { destinationSource } from "../support/buckets";
import { endOrphans, fails } from "../support/cli/cli";
import { waitUntil } from "../support/wait-until";
import { World } from "../support/world";

const world = new World({ strict: true, speed: "instant" });
const SKIP = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" };

/** Declares a deployment with what belongs to it, other resources, and a deployment that is created last. */
const program = (others: string) => `
const image = { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" } };
const agent = new agentgraph.Deployment("agent", image);
const thread = new agentgraph.Thread("thread", { deploymentId: agent.id, metadata: { graph_id: "echo" } });
const assistant = new agentgraph.Assistant("assistant", { deploymentId: agent.id, graphId: "echo" });
const cron = new agentgraph.Cron("cron", { deploymentId: agent.id, assistantId: assistant.id,
  schedule: "0 3 1 1 *", input: { messages: [] } });
const before = [agent, thread, assistant, cron];
${others}
new agentgraph.Deployment("last", image, { dependsOn: before });`;

const countOf = async (object: string) => {
  const [agent] = (await world.deployments()).filter(({ name }) => name === "agent");
  const path = `/agents/${agent?.id}/${object}/search`;
  const found = await world.call<{ metadata?: Record<string, unknown> }[]>("POST", path, { limit: 100 });
  return found.filter(({ metadata }) => Object.keys(metadata ?? {}).some((key) => key.startsWith("pulumi_"))).length;
};

test("all but a destination is found again without a state, and the error says how to import that", async () => {
  const stack = await world.stack({ project: "found", env: { ...world.tracing, ...SKIP } });
  const { env } = stack;
  const declare = (options = {}) =>
    stack.program.write(program(`${destinationSource(world.emulator.bucket, "traces", options)}before.push(lake);`));
  await declare();
  await world.emulator.faults.add({ hold: { status: "DEPLOYING", deployment: "last" } });
  const running = stack.startUp();
  await waitUntil(
    async () => (await world.deployments()).some(({ name }) => name === "last"),
    () => "the last deployment",
  );
  await running.kill();
  endOrphans();
  await world.emulator.faults.clear();
  await stack.runOrThrow("cancel", "--yes");
  expect((await stack.resources()).size).toBe(0);

  const { PULUMI_SKIP_CHECKPOINTS: _, PULUMI_EXPERIMENTAL: __, ...usual } = env as typeof SKIP & typeof world.tracing;
  stack.env = { ...usual };
  const next = await fails(stack.up());
  const [, id] = /import: "([^"]+)"/.exec(next.output) ?? [];
  await declare({ import: id });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect((await world.deployments()).map(({ name }) => name).sort()).toEqual(["agent", "last"]);
  for (const object of ["threads", "assistants", "runs/crons"])
    expect([object, await countOf(object)]).toEqual([object, 1]);
  expect(await world.call("GET", "/api/v1/bulk-exports/destinations")).toMatchObject([{ id }]);
  await world.destroyCompletely(stack);
});
