/**
 * Runs of the native provider that are stopped, or in which a process is killed, and creates that fail halfway: nothing is
 * lost. The tests of the Jest project "plugin" interrupt every request; here is what the engine and real processes add.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CliStack } from "./support/cli-stack";
import { messagesOf } from "./support/events";
import { killAll, type Role, waitUntilEnded } from "./support/processes";
import { readTraces } from "./support/trace-file";
import { World } from "./support/world";

const world = new World();
let stack: CliStack;

const image = (version: number) => `registry.example.com/agent:${version}`;
const writeImage = (version: number) =>
  stack.program.file(
    "index.js",
    `const { Deployment } = require("pulumi-agentgraph/native");
     new Deployment("agent", { name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: "${image(version)}" } });`,
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

test("after pressing Ctrl-C once, the run ends at once with the deployment in state and a complete trace, and the next up resumes it", async () => {
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

test("failed creates with states of 2 and 9 MB are stored, and the next up continues with them", async () => {
  const large = await world.stack({ project: "large" });
  await large.program.usePlugin();
  const sizes = { small: 2_000_000, large: 9_000_000 };
  await large.program.file(
    "index.js",
    `const pulumi = require("@pulumi/pulumi");
    for (const [name, bytes] of Object.entries(${JSON.stringify(sizes)})) {
      new pulumi.CustomResource("agentgraph:index:Deployment", name, {
        ...{ name, source: "external_docker", sourceRevisionConfig: { imageUri: "${image(1)}" } },
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
