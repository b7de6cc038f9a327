/** Renames that replace nothing, and replacements, requested or not: the preview shows what is lost, and one live deployment remains. */

import type { CliStack } from "./support/cli-stack";
import { changedProperties, messagesOf, steps } from "./support/events";
import { type AgentOptions, agentSource, IMAGE } from "./support/program";
import { World } from "./support/world";

const world = new World();
let stack: CliStack;
let id: string;

beforeAll(async () => {
  stack = await world.stack({ project: "replace" });
  await stack.program.write(agentSource());
  expect(await stack.up()).toMatchObject({ code: 0 });
  id = await expectOneLive();
});

/** Expects a single deployment that is live and in state. @returns Its ID. */
async function expectOneLive(): Promise<string> {
  const [one, ...others] = await world.deployments();
  expect(others).toEqual([]);
  expect(one).toMatchObject({ status: "READY", active_revision_id: one?.latest_revision_id });
  expect((await stack.resources()).get("agent")).toMatchObject({ id: one?.id });
  return one?.id ?? "";
}

test("a default name survives every rename, and only an explicit name replaces the deployment", async () => {
  const expectSame = async () => expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  const declared = (name: string, args: AgentOptions = {}) => agentSource(args).replace('"agent"', `"${name}"`);
  await world.requests();

  await stack.program.write(declared("helper", { options: '{ aliases: [{ name: "agent" }] }' }));
  await expectSame();

  await stack.runOrThrow("state", "rename", stack.urn("agent"), "helper", "--yes");
  await stack.program.write(declared("helper"));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: users write these placeholders in a setting.
  stack.env.AGENTGRAPH_NAME_TEMPLATE = "${name}-${stack}";
  await stack.runOrThrow("stack", "rename", "prod");
  await expectSame();

  await stack.program.write(declared("helper", { name: "helper-prod" }));
  const preview = await stack.preview();
  expect(steps(preview)).toContain("replace helper");
  expect(messagesOf(preview, "helper")).toEqual([
    "REPLACED, its database and threads are lost: name agent -> helper-prod",
  ]);
  expect(await world.requests()).toEqual([]);

  delete stack.env.AGENTGRAPH_NAME_TEMPLATE;
  await stack.runOrThrow("stack", "rename", "dev");
  await stack.runOrThrow("state", "rename", stack.urn("helper"), "agent", "--yes");
});

test("a changed name replaces the deployment, and the preview states what is lost", async () => {
  await stack.program.write(agentSource({ name: "renamed" }));
  const preview = await stack.preview();
  expect(steps(preview)).toEqual(["delete-replaced agent", "replace agent", "create-replacement agent"]);
  expect(changedProperties(preview)).toEqual(["name"]);
  expect(messagesOf(preview, "agent")).toEqual(["REPLACED, its database and threads are lost: name agent -> renamed"]);
  expect(preview.output).toContain("warning: REPLACED, its database and threads are lost: name agent -> renamed");

  await world.requests();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([`DELETE /v2/deployments/${id}`, "POST /v2/deployments"]);
  const before = id;
  id = await expectOneLive();
  expect(id).not.toBe(before);
});

test("up --replace ends with a live deployment", async () => {
  await world.requests();
  const run = await stack.up("--replace", stack.urn("agent"));
  expect(run).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([`DELETE /v2/deployments/${id}`, "POST /v2/deployments"]);
  const before = id;
  id = await expectOneLive();
  expect(id).not.toBe(before);
});

test("state taint followed by up ends with a live deployment", async () => {
  await stack.runOrThrow("state", "taint", stack.urn("agent"), "--yes");
  await world.requests();
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([`DELETE /v2/deployments/${id}`, "POST /v2/deployments"]);
  const before = id;
  id = await expectOneLive();
  expect(id).not.toBe(before);
});

test("a renamed resource is rejected with a hint to use an alias, and with an alias it stays unchanged", async () => {
  const renamedSource = (options: string, image = IMAGE) =>
    agentSource({ name: "renamed", image, options }).replace('Deployment("agent"', 'Deployment("helper"');
  await stack.program.write(renamedSource("{}"));
  await world.requests();
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(`error: Deployment "helper": the name "renamed" is taken by deployment ${id}`);
  expect(refused.output).toContain('add to its options:  aliases: [{ name: "agent" }]\n');
  expect(refused.output).toContain(`import: "${id}"`);

  await stack.program.write(renamedSource('{ aliases: [{ name: "agent" }] }'));
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  expect((await stack.resources()).get("helper")).toMatchObject({ id });

  const options = '{ aliases: [{ name: "agent" }], customTimeouts: { update: "20m" }, replaceOnChanges: ["waitFor"] }';
  await stack.program.write(renamedSource(options, "registry.example.com/agent:1.1.0"));
  const preview = await stack.preview("--diff");
  expect(preview.output).toContain(
    'imageUri: "registry.example.com/agent:1.0.0" => "registry.example.com/agent:1.1.0"',
  );
  expect(preview.output).not.toContain("__");
  expect(changedProperties(preview)).toEqual(["sourceRevisionConfig.imageUri"]);
});
