/**
 * Functions in a real program: both forms, in preview and up, with the settings of the stack and of an explicit
 * Provider.
 */
import { fails, succeeds } from "../support/cli/cli";
import { API_KEY, World } from "../support/world";

const world = new World();
const red = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";

/** What is in red is copied here, and looked up when it is there. */
const program = (name: string) => `
const settings = { controlPlaneUrl: ${JSON.stringify(world.url)}, apiKey: pulumi.secret("key-of-red") };
const red = new agentgraph.Provider("red", { ...settings, tenantId: "${red}" });
const model = agentgraph.getDeploymentOutput({ name: ${JSON.stringify(name)} }, { provider: red });
const copy = new agentgraph.Deployment("copy", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: model.sourceRevisionConfig.imageUri },
  secrets: model.secrets,
});
const there = agentgraph.getDeploymentOutput({ id: copy.id });
const metadata = { graph_id: "agent", team: "support" };
const welcome = new agentgraph.Thread("welcome", { deploymentId: copy.id, metadata }, { deletedWith: copy });
const read = agentgraph.Deployment.get("read", copy.id);
const talk = agentgraph.Thread.get("talk", pulumi.concat(copy.id, "/", welcome.id));
exports.byName = agentgraph.getDeploymentOutput({ name: copy.name }).id;
exports.inRed = agentgraph.getDeployment({ name: ${JSON.stringify(name)} }, { provider: red })
  .then((found) => found.sourceRevisionConfig.imageUri);
exports.readImage = read.sourceRevisionConfig.imageUri;
exports.readSecret = read.secrets.MODEL_KEY;
exports.talk = pulumi.all([talk.id, talk.metadata, talk.deploymentId])
  .apply(([id, { team }, deploymentId]) => ({ id, team, deploymentId }));
exports.image = there.sourceRevisionConfig.imageUri;
exports.serves = pulumi.all([there.activeRevisionId, copy.activeRevisionId]).apply(([seen, held]) => seen === held);
exports.secret = there.secrets.MODEL_KEY;
exports.before = agentgraph.getDeployments().then((all) => all.map(({ name }) => name));
`;

test("a program uses results of functions in two workspaces, and an unknown name is an error", async () => {
  const { emulator } = world;
  await emulator.seed({
    workspaces: [{ id: red, name: "red" }],
    keys: [{ key: "key-of-red", workspaces: [red] }],
    deployments: [
      {
        ...{ name: "agent", tenant_id: red, source_revision_config: { image_uri: "registry.example.com/agent:3" } },
        secrets: [{ name: "MODEL_KEY", value: "the-value-of-red" }],
      },
    ],
  });
  const stack = await world.stack({ project: "copies" });
  await stack.program.write(program("agnet"));
  const unknown = await fails(stack.preview());
  expect(unknown.output).toContain(
    'getDeployment: No deployment with name "agnet" is visible to this API key. Available: "agent".',
  );
  expect(unknown.output).not.toMatch(/at .*provider\/functions|node:internal/);
  await world.requests();
  await stack.program.write(program("agent"));

  const preview = await succeeds(stack.preview());
  expect(preview.output).toContain("+ 4 to create");
  expect(await world.requests()).toEqual(["GET /v2/deployments", "GET /v2/deployments"]);

  const up = await succeeds(stack.up());
  const resources = await stack.resources();
  expect(resources.get("read")).toMatchObject({ id: resources.get("copy")?.id, external: true });
  expect(resources.get("talk")).toMatchObject({ id: resources.get("welcome")?.id, external: true });
  const outputs = JSON.parse(await stack.runOrThrow("stack", "output", "--json", "--show-secrets"));
  expect(outputs).toEqual({
    ...{ image: "registry.example.com/agent:3", serves: true, secret: "the-value-of-red", before: [] },
    ...{ readImage: "registry.example.com/agent:3", readSecret: "the-value-of-red" },
    ...{ byName: resources.get("copy")?.id, inRed: "registry.example.com/agent:3" },
    talk: { id: resources.get("welcome")?.id, team: "support", deploymentId: resources.get("copy")?.id },
  });
  expect(JSON.parse(await stack.runOrThrow("stack", "output", "--json"))).toMatchObject({
    ...{ image: "registry.example.com/agent:3", serves: true, secret: "[secret]", readSecret: "[secret]" },
  });
  for (const text of [await stack.readBackend(), preview.output, up.output]) {
    expect(text).not.toMatch(/the-value-of-red|key-of-red/);
    expect(text).not.toContain(API_KEY);
  }
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
  await world.requests();
  await succeeds(stack.destroy());
  // What is only read is neither deleted nor changed.
  expect(world.writes()).toEqual([`DELETE /v2/deployments/${resources.get("copy")?.id}`]);
});
