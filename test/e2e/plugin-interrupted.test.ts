/** Interrupted runs of the native plugin: one Ctrl-C stops waiting at once, and a kill of any process loses nothing. */
import type { CliStack } from "./support/cli-stack";
import { messagesOf } from "./support/events";
import { killAll, type Role, waitUntilEnded } from "./support/processes";
import { World } from "./support/world";

const world = new World();

async function project(name: string): Promise<CliStack> {
  const stack = await world.stack({ project: name });
  await stack.program.usePlugin();
  await writeImage(stack, name, 1);
  return stack;
}

const writeImage = (stack: CliStack, name: string, version: number) =>
  stack.program.file(
    "index.js",
    `const { Deployment } = require("pulumi-agentgraph/native");
     new Deployment("agent", { name: "${name}", source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:${version}" } });`,
  );

async function expectResumed(stack: CliStack): Promise<void> {
  await world.emulator.faults.clear();
  await world.requests();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  expect(await world.deployments()).toHaveLength(1);
}

test("after pressing Ctrl-C once, the run ends at once with the deployment in state, and the next up resumes it", async () => {
  const stack = await project("canceled");
  const running = await world.startUpAndHold(stack);
  running.pressCtrlC();
  const run = await running.waitForExit();
  expect(run.code).not.toBe(0);
  expect(messagesOf(run, "agent").join()).toMatch(/Canceled after \d+ s of waiting for revision/);
  expect((await stack.resources()).get("agent")).toMatchObject({ initErrors: [expect.stringContaining("Canceled")] });
  await expectResumed(stack);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

describe("After kill -9", () => {
  let stack: CliStack;
  beforeAll(async () => {
    stack = await project("killed");
  });

  test("of the CLI, the plugin ends, and the next up resumes the same deployment", async () => {
    const running = await world.startUpAndHold(stack);
    const plugins = (await running.kill()).filter(({ role }) => role === "plugin");
    expect(plugins).not.toEqual([]);
    await waitUntilEnded(plugins);
    await stack.runOrThrow("cancel", "--yes");
    await expectResumed(stack);
  });

  const victims: [Role, number][] = [
    ["plugin", 2],
    ["language host", 3],
  ];
  test.each(victims)(
    "of the %s, the run fails, no process remains, and the next up resumes the same revision",
    async (role, version) => {
      await writeImage(stack, "killed", version);
      const running = await world.startUpAndHold(stack);
      const processes = await running.processes();
      const victims = processes.filter((process) => process.role === role);
      expect(victims).toHaveLength(1);
      killAll(victims);
      // The engine waits for the operation in progress.
      if (role !== "plugin") await world.emulator.faults.clear();
      expect((await running.waitForExit()).code).not.toBe(0);
      await waitUntilEnded(processes);
      await expectResumed(stack);
      const [{ id } = { id: "" }] = await world.deployments();
      const { revisions } = (await world.getDeployment(id)) ?? {};
      expect(revisions?.map(({ source_revision_config: { image_uri } }) => image_uri)).toEqual(
        Array.from({ length: version }, (_, index) => `registry.example.com/agent:${version - index}`),
      );
    },
  );
});
