/** The component AgentService in TypeScript, of dynamic and of native resources. */
import { succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { changedProperties, steps } from "../support/cli/events";
import { RESOURCES, SECRETS, ServiceWorld } from "./service-world";

const world = new ServiceWorld();
let stack: CliStack;

test("a service creates its resources, and no state contains its secrets", async () => {
  stack = await world.serviceStack("typescript");
  await world.writeService(stack.program, "dynamic");
  const created = await succeeds(stack.up());
  expect(steps(created).sort()).toEqual([...RESOURCES, "support"].map((name) => `create ${name}`).sort());
  for (const secret of SECRETS) expect(await stack.readBackend()).not.toContain(secret);
});

test("a changed prompt is one version of one assistant", async () => {
  await world.writeService(stack.program, "dynamic", { prompt: "You are the night porter." });
  await world.requests();
  const up = await stack.up();
  expect(steps(up)).toEqual(["update support-concierge"]);
  expect(world.writes()).toEqual([expect.stringMatching(/^PATCH .*\/assistants\//)]);
});

test.each(["native", "dynamic"] as const)("a service moves to %s resources without a change", async (language) => {
  await world.writeService(stack.program, language, { prompt: "You are the night porter." });
  await world.requests();
  const move = await succeeds(stack.up());
  expect(steps(move)).toEqual([]);
  expect(changedProperties(move)).toEqual([]);
  expect(world.writes()).toEqual([]);
});

test("a service continues resources that were declared one by one, and is renamed, without a change", async () => {
  const single = await world.stack({ project: "single" });
  const image = { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/single:1" } };
  await single.program.write(`const agent = new agentgraph.Deployment("agent", ${JSON.stringify(image)});
new agentgraph.Assistant("concierge", { deploymentId: agent.id, graphId: "agent" });`);
  expect(await single.up()).toMatchObject({ code: 0 });
  const args = JSON.stringify({ deployment: image, assistants: { concierge: { graphId: "agent" } } });
  await single.program.write(`const names = { single: "agent", "single-concierge": "concierge" };
new agentgraph.AgentService("single", ${args}, {
  transforms: [({ name, props, opts }) => {
    const aliases = names[name] ? [{ name: names[name], parent: pulumi.rootStackResource }] : [];
    return { props, opts: pulumi.mergeOptions(opts, { aliases }) };
  }],
});`);
  await world.requests();
  expect(steps(await single.up())).toEqual(["create single"]);
  await single.program.write(`new agentgraph.AgentService("renamed", ${args}, { aliases: [{ name: "single" }] });`);
  expect(steps(await single.up())).toEqual([]);
  expect(world.writes()).toEqual([]);
  expect(await single.destroy()).toMatchObject({ code: 0 });
});

test("a destroyed service leaves nothing, and sends no requests for what the deployment contains", async () => {
  await world.requests();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(world.writes().filter((line) => /assistants|threads|crons/.test(line))).toEqual([]);
  expect(await world.deployments()).toEqual([]);
});
