/**
 * Runs of the native provider that are stopped, or in which a process is killed: nothing is
 * lost. The tests of the Jest project "plugin" interrupt every request; here is what the engine and real processes add.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf } from "../support/cli/events";
import { killAll, type Role, waitUntilEnded } from "../support/cli/processes";
import { readTraces } from "../support/cli/trace-file";
import { World } from "../support/world";

const world = new World();
let stack: CliStack;

const image = (version: number) => `registry.example.com/agent:${version}`;
const writeImage = (version: number) =>
  stack.program.file(
    "index.js",
    `const { Deployment } = require("pulumi-agentgraph/native");
     const agent = { name: "agent", source: "external_docker" };
     new Deployment("agent", { ...agent, sourceRevisionConfig: { imageUri: "${image(version)}" } });`,
  );

/** Expects that an up continues with the deployment and the newest revision. */
async function expectResumed(version: number): Promise<void> {
  await world.emulator.faults.clear();
  await world.requests();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  const [{ id } = { id: "" }, ...others] = await world.deployments();
  expect(others).toEqual([]);
  const { revisions } = (await world.getDeployment(id)) ?? {};
  expect(revisions?.map(({ source_revision_config: { image_uri } }) => image_uri)).toEqual(
    Array.from({ length: version }, (_, index) => image(version - index)),
  );
}

beforeAll(async () => {
  stack = await world.stack({ project: "interrupted" });
  await stack.program.usePlugin();
});

test("after Ctrl-C, the run ends with the deployment in state and a trace, and the next up resumes", async () => {
  await writeImage(1);
  const traces = join(await world.createFolder("traces"), "native.json");
  stack.env.PULUMI_OPTION_OTEL_TRACES = pathToFileURL(traces).href;
  const running = await world.startUpAndHold(stack);
  running.pressCtrlC();
  const run = await running.waitForExit();
  delete stack.env.PULUMI_OPTION_OTEL_TRACES;
  const errors = new Map((await readTraces(traces)).ours.map(({ name, status }) => [name, status.message]));
  for (const name of ["wait for rollout", "Deployment create"]) expect(errors.get(name)).toMatch(/^Canceled after/);
  expect(run.code).not.toBe(0);
  expect(messagesOf(run, "agent").join()).toMatch(/Canceled after \d+ s of waiting for revision/);
  expect((await stack.resources()).get("agent")).toMatchObject({ initErrors: [expect.stringContaining("Canceled")] });
  await expectResumed(1);
});

test("after kill -9 of the CLI, the plugin ends, and the next up resumes the same revision", async () => {
  await writeImage(2);
  const running = await world.startUpAndHold(stack);
  const plugins = (await running.kill()).filter(({ role }) => role === "plugin");
  expect(plugins).not.toEqual([]);
  await waitUntilEnded(plugins);
  await stack.runOrThrow("cancel", "--yes");
  await expectResumed(2);
});

test.each<[Role, number]>([
  ["plugin", 3],
  ["language host", 4],
])(
  "after kill -9 of the %s, the run fails, no process remains, and the next up resumes the same revision",
  async (role, version) => {
    await writeImage(version);
    const running = await world.startUpAndHold(stack);
    const processes = await running.processes();
    const victims = processes.filter((process) => process.role === role);
    expect(victims).toHaveLength(1);
    killAll(victims);
    // The engine waits for the operation in progress.
    if (role !== "plugin") await world.emulator.faults.clear();
    expect((await running.waitForExit()).code).not.toBe(0);
    await waitUntilEnded(processes);
    await expectResumed(version);
  },
);
