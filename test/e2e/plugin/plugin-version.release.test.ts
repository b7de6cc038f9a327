/**
 * The version that programs name of the plugin: one for the classes of `pulumi-agentgraph/native` and the generated
 * SDKs.
 */
import { version } from "../../../package.json";
import type { CliStack } from "../support/cli/cli-stack";
import { World } from "../support/world";

const world = new World();

const AGENT = 'source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" }';

const VERSIONED_DEFAULT = `default_${version.replace(/\W/g, "_")}`;

const HEAD = `const pulumi = require("@pulumi/pulumi");
const agentgraph = require("pulumi-agentgraph/native");
`;

/** A thread as a generated SDK registers it. */
const generated = (options: object) =>
  `new pulumi.CustomResource("agentgraph:index:Thread", "talk", { deploymentId: agent.id }, ` +
  `${JSON.stringify(options)});`;

/** Returns the names of the providers in state. */
async function providers(stack: CliStack): Promise<string[]> {
  const { resources = [] } = (await stack.state()).deployment;
  return resources
    .filter(({ type }) => type === "pulumi:providers:agentgraph")
    .map(({ urn }) => urn.split("::").at(-1) ?? "")
    .sort();
}

const MIXED = `${HEAD}const agent = new agentgraph.Deployment("agent", { ${AGENT} });
${generated({ version })}
exports.count = agentgraph.getDeployments().then(({ length }) => length);`;

test("a program that mixes the classes, a generated SDK and functions has one provider", async () => {
  const stack = await world.stack({ project: "mixed" });
  await stack.program.usePlugin();
  await stack.program.file("index.js", MIXED);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await providers(stack)).toEqual([VERSIONED_DEFAULT]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

const SETTINGS =
  "{ apiKey: process.env.AGENTGRAPH_API_KEY, controlPlaneUrl: process.env.AGENTGRAPH_CONTROL_PLANE_URL }";

test.each([
  ["no version", "{}", "default"],
  ["a version", `{ version: "${version}" }`, VERSIONED_DEFAULT],
])(
  "the resources of a component that the plugin constructs use its provider when a program names %s",
  async (_what, options, name) => {
    const stack = await world.stack({ project: `constructed-${name}` });
    await stack.program.usePlugin();
    await stack.program.file(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
    const args = { deployment: { ${AGENT} }, assistants: { main: { graphId: "echo" } } };
    new pulumi.ComponentResource("agentgraph:index:AgentService", "support", args, ${options}, true);`,
    );
    expect(await stack.preview()).toMatchObject({ code: 0 });
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await providers(stack)).toEqual([name]);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  },
);

/** The same program as with classes of before, which named no version. */
const UNVERSIONED = `const pulumi = require("@pulumi/pulumi");
const options = { deleteBeforeReplace: true };
const agent = new pulumi.CustomResource("agentgraph:index:Deployment", "agent", { ${AGENT} }, options);
${generated({ deleteBeforeReplace: true })}
const provider = new pulumi.ProviderResource("agentgraph", "other", ${SETTINGS});
new pulumi.CustomResource("agentgraph:index:Deployment", "elsewhere", { ${AGENT} }, { ...options, provider });`;

const VERSIONED = `${HEAD}const agent = new agentgraph.Deployment("agent", { ${AGENT} });
new agentgraph.Thread("talk", { deploymentId: agent.id });
const provider = new agentgraph.Provider("other", ${SETTINGS});
new agentgraph.Deployment("elsewhere", { ${AGENT} }, { provider });`;

test("a stack of classes without a version is refreshed and updated without a change, and destroyed", async () => {
  const stack = await world.stack({ project: "unversioned" });
  await stack.program.usePlugin();
  await stack.program.file("index.js", UNVERSIONED);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await providers(stack)).toEqual(["default", "other"]);
  await stack.program.file("index.js", VERSIONED);
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  await world.requests();
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  expect(await providers(stack)).toEqual([VERSIONED_DEFAULT, "other"]);
  await world.destroyCompletely(stack);
});
