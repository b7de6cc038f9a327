/** A failed revision: what the error shows, and how the next `pulumi up` continues. */

import type { CliStack } from "./support/cli-stack";
import { messagesOf, steps } from "./support/events";
import { agentSource } from "./support/program";
import { World } from "./support/world";

const world = new World();
let stack: CliStack;
let id: string;

const secret = "a-model-key-that-a-log-prints";
const second = "registry.example.com/agent:2.0.0";

beforeAll(async () => {
  stack = await world.stack({ project: "failure" });
});

const revisions = async () => (await world.getDeployment(id))?.revisions ?? [];

test("a failed first revision is reported with name, IDs, status, duration and log, and the deployment stays in state", async () => {
  await stack.program.write(agentSource({ secrets: { MODEL_KEY: secret } }));
  await world.emulator.faults.add({
    revision: { ends: "DEPLOY_FAILED", logs: [`the key ${secret} was refused by the model`] },
  });
  const run = await stack.up();
  expect(run.code).not.toBe(0);
  id = (await world.deployments())[0]?.id ?? "";
  const [failed] = await revisions();
  expect(failed).toMatchObject({ status: "DEPLOY_FAILED" });

  expect(run.output).toMatch(/Deployment "agent": revision rollout failed with DEPLOY_FAILED after \d+ s\./);
  expect(run.output).toContain(`deployment ${id}`);
  expect(run.output).toContain(`revision   ${failed?.id}`);
  expect(run.output).toContain("ERROR the key [secret] was refused by the model");
  expect(run.output).toContain("Fix the cause and run `pulumi up` again.");
  expect(run.output).not.toContain(secret);
  expect(run.output).not.toMatch(/\n\s+at /);
  expect((await stack.resources()).get("agent")).toMatchObject({ id, initErrors: [expect.stringContaining(id)] });
});

test("the next up makes one more attempt with the same deployment", async () => {
  await world.requests();
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  expect(world.writes()).toHaveLength(1);
  expect(messagesOf(run, "agent").join()).toContain("retrying it once with the same configuration");
  expect(await revisions()).toMatchObject([{ status: "DEPLOYED" }, { status: "DEPLOY_FAILED" }]);
  expect((await stack.resources()).get("agent")).toMatchObject({ id });
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("a failed update keeps the live revision, and the next up makes one more attempt", async () => {
  const serving = (await world.getDeployment(id))?.active_revision_id;
  await stack.program.write(agentSource({ secrets: { MODEL_KEY: secret }, image: second }));
  await world.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
  const run = await stack.up();
  expect(run.code).not.toBe(0);
  expect(run.output).toContain(`image      ${second}`);
  expect(await world.getDeployment(id)).toMatchObject({ active_revision_id: serving, revisions: { length: 3 } });

  const again = await stack.up();
  expect(again).toMatchObject({ code: 0 });
  expect(steps(again)).toEqual(["update agent"]);
  const [newest, ...older] = await revisions();
  expect(newest).toMatchObject({ status: "DEPLOYED", source_revision_config: { image_uri: second } });
  expect(older).toHaveLength(3);
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("a wait that times out keeps the deployment, and the next up keeps waiting for the same revision", async () => {
  const slow = await world.stack({ project: "slow" });
  await slow.program.write(agentSource({ name: "slow", options: '{ customTimeouts: { create: "1s" } }' }));
  await world.emulator.faults.add({ hold: { deployment: "slow", status: "DEPLOYING" } });
  const run = await slow.up();
  expect(run.code).not.toBe(0);
  expect(run.output).toMatch(/Deployment "slow": revision rollout did not finish within \d s \(DEPLOYING\)/);
  expect(run.output).toContain("Run `pulumi up` again to keep waiting");

  await world.emulator.faults.clear();
  await world.requests();
  const again = await slow.up();
  expect(again).toMatchObject({ code: 0 });
  expect(steps(again)).toEqual(["update agent"]);
  expect(world.writes()).toEqual([]);
  const { id = "" } = (await slow.resources()).get("agent") ?? {};
  expect((await world.getDeployment(id))?.revisions).toMatchObject([{ status: "DEPLOYED" }]);
});

test("a rejection by the server is reported in the server's words, and nothing is created", async () => {
  const refused = await world.stack({ project: "refused" });
  await refused.program.write(agentSource({ name: "refused" }));
  await world.emulator.faults.add({
    method: "POST",
    path: "/v2/deployments",
    status: 403,
    body: { detail: "The plan allows no more deployments" },
  });
  const run = await refused.up();
  expect(run.code).not.toBe(0);
  expect(run.output).toContain("POST /v2/deployments: 403: The plan allows no more deployments");
  expect(run.output).toMatch(/API key +from the environment variable AGENTGRAPH_API_KEY/);
  expect(run.output).not.toMatch(/\n\s+at /);
  expect((await refused.resources()).size).toBe(0);
});
