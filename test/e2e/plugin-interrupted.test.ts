/** Interrupted runs of the native plugin: one Ctrl-C stops waiting at once, and a plugin never outlives its CLI. */
import type { RunningCommand } from "./support/cli";
import type { CliStack } from "./support/cli-stack";
import { messagesOf } from "./support/events";
import { stillRunning } from "./support/processes";
import { waitUntil } from "./support/wait-until";
import { World } from "./support/world";

const world = new World();

async function project(name: string): Promise<CliStack> {
  const stack = await world.stack({ project: name });
  await stack.program.usePlugin();
  await stack.program.file(
    "index.js",
    `const { Deployment } = require("pulumi-agentgraph/native");
     new Deployment("agent", { name: "${name}", source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" } });`,
  );
  return stack;
}

/** Starts an up and returns when the plugin waits for a rollout that the emulator has paused. */
async function startAndWait(stack: CliStack): Promise<RunningCommand> {
  await world.requests();
  await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
  const running = stack.startUp();
  await waitUntil(
    () => world.emulator.journal.count({ method: "GET", path: "/v2/deployments/*/revisions/*" }) > 0,
    () => "the plugin to look at the revision",
  );
  return running;
}

async function expectResumed(stack: CliStack): Promise<void> {
  await world.emulator.faults.clear();
  await world.requests();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  expect(await world.deployments()).toHaveLength(1);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
}

test("after pressing Ctrl-C once, the run ends at once with the deployment in state, and the next up resumes it", async () => {
  const stack = await project("canceled");
  const running = await startAndWait(stack);
  running.pressCtrlC();
  const run = await running.waitForExit();
  expect(run.code).not.toBe(0);
  expect(messagesOf(run, "agent").join()).toMatch(/Canceled after \d+ s of waiting for revision/);
  expect((await stack.resources()).get("agent")).toMatchObject({ initErrors: [expect.stringContaining("Canceled")] });
  await expectResumed(stack);
});

test("after kill -9 of the CLI, the plugin ends, and the next up resumes the same deployment", async () => {
  const stack = await project("killed");
  const running = await startAndWait(stack);
  const plugins = (await running.kill()).filter(({ role }) => role === "plugin");
  expect(plugins).not.toEqual([]);
  await waitUntil(
    async () => (await stillRunning(plugins)).length === 0,
    () => "the plugin to end",
  );
  await stack.runOrThrow("cancel", "--yes");
  await expectResumed(stack);
});
