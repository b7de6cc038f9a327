/** Interrupted runs: killed, or stopped with Ctrl-C. The next `pulumi up` resumes with the same deployment. */
import type { CliStack } from "./support/cli-stack";
import { messagesOf, steps } from "./support/events";
import { waitUntilEnded } from "./support/processes";
import { agentSource } from "./support/program";
import { World } from "./support/world";

const world = new World();

/** Expects a single deployment of this name, with a single, live revision. @returns Its ID. */
async function onlyDeployment(name: string): Promise<string> {
  const matches = (await world.deployments()).filter((deployment) => deployment.name === name);
  expect(matches).toHaveLength(1);
  const [{ id } = { id: "" }] = matches;
  expect(await world.getDeployment(id)).toMatchObject({ status: "READY", revisions: [{ status: "DEPLOYED" }] });
  expect((await world.getDeployment(id))?.revisions).toHaveLength(1);
  return id;
}

async function expectResumed(stack: CliStack, name: string): Promise<void> {
  await world.emulator.faults.clear();
  await world.requests();
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  const id = await onlyDeployment(name);
  expect(steps(run)).toEqual(["create agent"]);
  expect(messagesOf(run, "agent")).toContain(
    `Resuming Deployment ${id}: this resource created it in an earlier run that was interrupted, or retainOnDelete kept it.`,
  );
  expect((await stack.resources()).get("agent")).toMatchObject({ id });
}

test("after kill -9 of the CLI, the host ends, and cancel and up resume the same deployment and its only revision", async () => {
  const stack = await world.stack({ project: "killed" });
  await stack.program.write(agentSource({ name: "killed" }));
  const running = await world.startUpAndHold(stack);
  const hosts = (await running.kill()).filter(({ role }) => role === "host" || role === "launcher");
  expect(hosts).not.toEqual([]);
  await waitUntilEnded(hosts);

  const locked = await stack.up();
  expect(locked.code).not.toBe(0);
  expect(locked.output).toContain("pulumi cancel");
  await stack.runOrThrow("cancel", "--yes");
  await expectResumed(stack, "killed");
  const { deployment } = await stack.state();
  expect(deployment.pending_operations ?? []).toMatchObject([{ type: "creating" }]);
  expect(await stack.refresh("--clear-pending-creates")).toMatchObject({ code: 0 });
  expect((await stack.state()).deployment.pending_operations ?? []).toEqual([]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});

test("after pressing Ctrl-C twice, an up resumes the same deployment and its only revision", async () => {
  const stack = await world.stack({ project: "left" });
  await stack.program.write(agentSource({ name: "left" }));
  const running = await world.startUpAndHold(stack);
  running.pressCtrlC();
  await running.waitForOutput("^C received");
  running.pressCtrlC();
  expect((await running.waitForExit()).code).not.toBe(0);
  await expectResumed(stack, "left");
});

test("pressing Ctrl-C once waits for the running deployment and saves it", async () => {
  const stack = await world.stack({ project: "waited" });
  await stack.program.write(agentSource({ name: "waited" }));
  const running = await world.startUpAndHold(stack);
  running.pressCtrlC();
  await running.waitForOutput("^C received");
  await world.emulator.faults.clear();
  expect((await running.waitForExit()).code).not.toBe(0);
  const id = await onlyDeployment("waited");
  expect((await stack.resources()).get("agent")).toMatchObject({ id });
});

test("a second backend with the same project and stack is rejected and changes nothing", async () => {
  const env = { AGENTGRAPH_RESUME_WITHIN: "0s" };
  const first = await world.stack({ project: "twice", env });
  await first.program.write(agentSource({ name: "twice" }));
  expect(await first.up()).toMatchObject({ code: 0 });
  const id = await onlyDeployment("twice");

  const second = await world.stack({ project: "twice", backend: "other", program: first.program, env });
  await world.requests();
  const run = await second.up();
  expect(run.code).not.toBe(0);
  expect(run.output).toContain(
    `the name "twice" is taken by deployment ${id}, which this resource created in an earlier run`,
  );
  expect(run.output).toContain("Either retainOnDelete kept it, another Pulumi backend manages it");
  expect(run.output).toContain(`import: "${id}"`);
  expect(world.writes()).toEqual([]);
  expect((await second.resources()).size).toBe(0);
  expect(await first.up("--expect-no-changes")).toMatchObject({ code: 0 });
});
