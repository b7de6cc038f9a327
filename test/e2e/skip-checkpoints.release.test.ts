/**
 * `PULUMI_SKIP_CHECKPOINTS`, with which the engine writes the state only at the end: a run that is killed leaves
 * nothing in it. What the next up finds again is what docs/fleets.md says.
 */
import { defaultTenantId } from "../../emulator/src";
import { destinationSource } from "./support/buckets";
import { endOrphans } from "./support/cli";
import type { CliStack } from "./support/cli-stack";
import { waitUntil } from "./support/wait-until";
import { World } from "./support/world";

const world = new World({ strict: true, speed: "instant" });
const SKIP = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" };

/** Declares a deployment with what belongs to it, other resources, and a deployment that is created last. */
const program = (others = "") => `
const image = { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" } };
const agent = new agentgraph.Deployment("agent", image);
const thread = new agentgraph.Thread("thread", { deploymentId: agent.id, metadata: { graph_id: "echo" } });
const assistant = new agentgraph.Assistant("assistant", { deploymentId: agent.id, graphId: "echo" });
const cron = new agentgraph.Cron("cron", { deploymentId: agent.id, assistantId: assistant.id, schedule: "0 3 1 1 *", input: { messages: [] } });
const before = [agent, thread, assistant, cron];
${others}
new agentgraph.Deployment("last", image, { dependsOn: before });`;

/** Runs an up, and kills it while it waits for the last deployment. */
async function killAtTheEnd(stack: CliStack): Promise<void> {
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
}

async function emptyStack(project: string): Promise<CliStack> {
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  return world.stack({ project, env });
}

const countOf = async (object: "threads" | "assistants" | "runs/crons") => {
  const [agent] = (await world.deployments()).filter(({ name }) => name === "agent");
  const path = object === "runs/crons" ? "runs/crons/search" : `${object}/search`;
  const response = await fetch(`${world.url}/agents/${agent?.id}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "a-key" },
    body: JSON.stringify({ limit: 100 }),
  });
  const found = (await response.json()) as { metadata?: Record<string, unknown> }[];
  return found.filter(({ metadata }) => Object.keys(metadata ?? {}).some((key) => key.startsWith("pulumi_"))).length;
};

test("deployments, threads, assistants and crons are found again, although nothing of them is in state", async () => {
  const stack = await emptyStack("found");
  await stack.program.write(program());
  stack.env = { ...stack.env, ...SKIP };
  await killAtTheEnd(stack);
  expect((await stack.resources()).size).toBe(0);

  const { PULUMI_SKIP_CHECKPOINTS: _, PULUMI_EXPERIMENTAL: __, ...usual } = stack.env;
  stack.env = usual as Record<string, string>;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect((await world.deployments()).map(({ name }) => name).sort()).toEqual(["agent", "last"]);
  for (const object of ["threads", "assistants", "runs/crons"] as const)
    expect([object, await countOf(object)]).toEqual([object, 1]);
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});

test("a destination is not found again: the next up stops with its ID and how to adopt it, and creates no second one", async () => {
  const stack = await emptyStack("stopped");
  const destination = destinationSource(world.emulator.bucket, "traces");
  await stack.program.write(program(`${destination}before.push(lake);`));
  stack.env = { ...stack.env, ...SKIP };
  await killAtTheEnd(stack);
  expect((await stack.resources()).size).toBe(0);

  const next = await stack.up();
  expect(next.code).not.toBe(0);
  expect(next.output).toMatch(/import: "|adoptExisting/);
  const destinations = await fetch(`${world.url}/api/v1/bulk-exports/destinations`, {
    headers: { "x-api-key": "a-key", "x-tenant-id": defaultTenantId },
  });
  expect(await destinations.json()).toHaveLength(1);
});
