/** A component of two deployments, one of which needs the other: a usual way to compose. */
import type { CliStack } from "./support/cli-stack";
import { steps } from "./support/events";
import { World } from "./support/world";

const world = new World();
let stack: CliStack;

/** Values of the first are inputs of the second, known only when the first is made. */
const team = (image: string) => `
  class Team extends pulumi.ComponentResource {
    constructor(name) {
      super("acme:index:Team", name);
      const of = (which, args) =>
        new agentgraph.Deployment(name + "-" + which, { source: "external_docker", ...args }, { parent: this });
      const front = of("front", { sourceRevisionConfig: { imageUri: "${image}" } });
      of("back", {
        sourceConfig: { resourceSpec: { labels: { "app.kubernetes.io/part-of": front.id } } },
        sourceRevisionConfig: { imageUri: "registry.example.com/back:1.0.0" },
        secrets: front.url.apply((url) => ({ FRONT_URL: url })),
        redeployTriggers: { front: front.activeRevisionId },
      });
    }
  }
  new Team("team");
`;

test("the children of a component wait for each other's outputs without a deadlock", async () => {
  stack = await world.stack({ project: "component" });
  await stack.program.write(team("registry.example.com/front:1.0.0"));
  const created = await stack.up();
  expect(created).toMatchObject({ code: 0 });
  expect(steps(created).sort()).toEqual(["create team-back", "create team-front"]);
  expect((await world.deployments()).map(({ name }) => name).sort()).toEqual(["team-back", "team-front"]);

  await world.requests();
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await world.requests()).toEqual([]);
});

test("a new revision of one child redeploys the other through its trigger and replaces nothing", async () => {
  await stack.program.write(team("registry.example.com/front:2.0.0"));
  const up = await stack.up();
  expect(steps(up).sort()).toEqual(["update team-back", "update team-front"]);
  const back = (await world.deployments()).find((deployment) => deployment.name === "team-back");
  expect((await world.getDeployment(back?.id ?? ""))?.revisions).toHaveLength(2);
});
