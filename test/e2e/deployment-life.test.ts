/** The life of one deployment, from the first `pulumi up` to `pulumi destroy`. Each test continues where the previous one ended. */

import type { CliStack } from "./support/cli-stack";
import { changedProperties, messagesOf, steps } from "./support/events";
import { agentSource } from "./support/program";
import { World } from "./support/world";

const world = new World();
let stack: CliStack;
let id: string;

/** Some keys mean something to JavaScript, or look like those that the engine hides. */
const unusual = { constructor: "a-constructor", toString: "a-text", __token: "a-token" };
const secrets = { MODEL_KEY: "a-first-model-key", OTHER_KEY: "another-key", ...unusual };
const declared = { secrets: { ...secrets, __token: "another-token" }, image: "registry.example.com/agent:2.0.0" };

beforeAll(async () => {
  stack = await world.stack({ project: "life" });
});

test("the first up creates the deployment and ends when it is live", async () => {
  await stack.program.write(agentSource({ secrets }));
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  expect(steps(run)).toEqual(["create agent"]);

  const [created, ...others] = await world.deployments();
  expect(others).toEqual([]);
  id = created?.id ?? "";
  expect(await world.getDeployment(id)).toMatchObject({
    name: "agent",
    status: "READY",
    revisions: [{ status: "DEPLOYED" }],
  });
  expect(run.output).toContain(`id              : "${id}"`);
  expect(run.output).toContain(`url             : "${world.url}/agents/${id}"`);
  expect(run.output).toContain(`activeRevisionId: "${created?.active_revision_id}"`);
});

test("a second up changes nothing and sends no request", async () => {
  await world.requests();
  const run = await stack.up("--expect-no-changes");
  expect(run).toMatchObject({ code: 0 });
  expect(steps(run)).toEqual([]);
  expect(await world.requests()).toEqual([]);
});

test("a preview sends no request and shows only the name of a changed secret", async () => {
  await stack.program.write(
    agentSource({ ...declared, secrets: { ...declared.secrets, MODEL_KEY: "a-second-model-key" } }),
  );
  const run = await stack.preview("--diff");
  expect(run).toMatchObject({ code: 0 });
  expect(changedProperties(run)).toEqual(["secrets.MODEL_KEY", "secrets.__token", "sourceRevisionConfig.imageUri"]);
  expect(run.output).toContain("~ MODEL_KEY: [secret] => [secret]");
  expect(run.output).not.toMatch(/model-key|OTHER_KEY/);
  expect(messagesOf(run, "agent")).toEqual([
    "new revision: secrets.MODEL_KEY, secrets.__token, imageUri 1.0.0 -> 2.0.0",
  ]);
  expect(await world.requests()).toEqual([]);
});

test("a changed image creates exactly one revision", async () => {
  await stack.program.write(agentSource(declared));
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  expect(steps(run)).toEqual(["update agent"]);
  expect(world.writes()).toEqual([`PATCH /v2/deployments/${id}`]);
  const [newest, oldest, ...others] = (await world.getDeployment(id))?.revisions ?? [];
  expect(others).toEqual([]);
  expect(newest).toMatchObject({ status: "DEPLOYED", source_revision_config: { image_uri: declared.image } });
  expect(oldest).toMatchObject({ status: "DEPLOYED" });
  const remoteSecrets = (await world.deployments())[0]?.secrets.filter(({ name }) => name !== "PULUMI_RESOURCE") ?? [];
  expect(Object.fromEntries(remoteSecrets.map(({ name, value }) => [name, value]))).toEqual(declared.secrets);
  expect(run.output).toContain(`=> "${newest?.id}"`);
});

test("a refresh after an out-of-band update shows only that change, and the next up reverts it", async () => {
  await world.updateOutOfBand(id, { source_revision_config: { image_uri: "registry.example.com/agent:hotfix" } });
  const refreshed = await stack.refresh("--diff");
  expect(refreshed).toMatchObject({ code: 0 });
  expect(changedProperties(refreshed)).toEqual(["sourceRevisionConfig.imageUri"]);
  expect(refreshed.output).toContain('"registry.example.com/agent:2.0.0" => "registry.example.com/agent:hotfix"');

  const run = await stack.up();
  expect(steps(run)).toEqual(["update agent"]);
  expect((await world.getDeployment(id))?.revisions[0]?.source_revision_config).toMatchObject({
    image_uri: declared.image,
  });
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("a refresh detects a deployment deleted out of band, and the next up creates it again", async () => {
  await world.deleteOutOfBand(id);
  const refreshed = await stack.refresh();
  expect(refreshed).toMatchObject({ code: 0 });
  expect((await stack.resources()).get("agent")).toBeUndefined();

  const run = await stack.up();
  expect(steps(run)).toEqual(["create agent"]);
  expect(await world.deployments()).toMatchObject([{ name: "agent", status: "READY" }]);
});

test("a destroy waits until the deployment is deleted", async () => {
  await world.requests();
  const run = await stack.destroy();
  expect(run).toMatchObject({ code: 0 });
  expect(steps(run)).toEqual(["delete agent"]);
  expect(await world.deployments()).toEqual([]);
  expect(world.writes()).toHaveLength(1);
});
