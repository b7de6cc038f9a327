/** Several workspaces in one program: explicit providers, on resources and on components. */
import { succeeds } from "../support/cli/cli";
import { drifted, steps } from "../support/cli/events";
import { World } from "../support/world";

const world = new World({ strict: true, speed: "instant" });

const [red, blue] = ["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];

/**
 * A component, as a platform team writes it: what it makes goes where its provider says, and depends on another agent.
 */
const program = (url: string, image: string) => `
const settings = (key) => ({ controlPlaneUrl: ${JSON.stringify(url)}, apiKey: key });
pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) =>
  type.endsWith("agentgraph:Deployment")
    ? { props: { ...props, name: pulumi.getProject() + "-" + name }, opts }
    : undefined);
const red = new agentgraph.Provider("red", settings("key-of-red"));
const blue = new agentgraph.Provider("blue", { ...settings("key-of-the-organization"), tenantId: "${blue}" });

const args = (imageUri) => ({ source: "external_docker", sourceRevisionConfig: { imageUri } });
class Team extends pulumi.ComponentResource {
  constructor(name, front, options) {
    super("company:index:Team", name, {}, options);
    this.agent = new agentgraph.Deployment(name + "-agent", {
      ...args("registry.example.com/team:1"),
      secrets: front.url.apply((url) => ({ FRONT_URL: url })),
      redeployTriggers: { front: front.activeRevisionId },
    }, { parent: this });
  }
}
const plain = new agentgraph.Deployment("plain", args("${image}"), { provider: red });
const team = new Team("team", plain, { providers: [blue] });
exports.ids = [plain.id, team.agent.id];
`;

test("two providers, one of a component, work in separate workspaces, and one triggers the other", async () => {
  await world.emulator.seed({
    workspaces: [
      { id: red, name: "red" },
      { id: blue, name: "blue" },
    ],
    keys: [
      { key: "key-of-red", workspaces: [red] },
      { key: "key-of-the-organization", organization: true },
    ],
  });
  const stack = await world.stack({ project: "teams" });
  // An explicit provider ignores the stack configuration and the environment.
  stack.env.AGENTGRAPH_CONTROL_PLANE_URL = "https://elsewhere.example.com";
  stack.env.AGENTGRAPH_API_KEY = "no-key-of-theirs";
  await stack.program.write(program(world.url, "registry.example.com/agent:1"));
  const run = await succeeds(stack.up());
  expect(steps(run).sort()).toEqual(["create plain", "create team-agent"]);

  const inRed = await world.deployments({ "x-api-key": "key-of-red" });
  const inBlue = await world.deployments({ "x-api-key": "key-of-the-organization", "x-tenant-id": blue });
  expect(inRed).toMatchObject([{ name: "teams-plain", tenant_id: red, status: "READY" }]);
  expect(inBlue).toMatchObject([{ name: "teams-team-agent", tenant_id: blue, status: "READY" }]);
  expect((await stack.resources()).get("plain")).toMatchObject({ id: inRed[0]?.id, outputs: { tenantId: red } });
  expect(await stack.readBackend()).not.toMatch(/key-of-red|key-of-the-organization/);

  await stack.program.write(program(world.url, "registry.example.com/agent:2"));
  const next = await stack.up("--refresh");
  expect(drifted(next)).toEqual([]);
  const changes = steps(next).filter((step) => !step.startsWith("refresh "));
  expect(changes.sort()).toEqual(["update plain", "update team-agent"]);
  const inBlueNow = { "x-api-key": "key-of-the-organization", "x-tenant-id": blue };
  expect(await world.deployments(inBlueNow)).not.toMatchObject([{ active_revision_id: inBlue[0]?.active_revision_id }]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments({ "x-api-key": "key-of-red" })).toEqual([]);
});
