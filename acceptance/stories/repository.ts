/** A deployment that the platform builds from a git repository. */
import { steps } from "../engine/events.ts";
import { ok } from "../target/http.ts";
import { expect, expectSteps, expectSuccess, type Run, type Story } from "./story.ts";

export const repositoryLife: Story = {
  name: "repository",
  group: "deployments",
  lacks: ({ server, options }) =>
    !server.controlPlane
      ? "no AGENTGRAPH_CONTROL_PLANE_URL"
      : options.repository
        ? undefined
        : "--repository was not given",
  creates: () => ({ text: "1 deployment", deployments: 1, rollouts: 1 }),
  tell: async (told) => {
    const { options } = told.run;
    const integrationId = await told.step("find an integration", () => findIntegration(told.run));
    const stack = await told.stack("deployment");
    const inputs = {
      source: "githost",
      sourceConfig: { integrationId, repoUrl: options.repository, deploymentType: "dev", buildOnPush: false },
      sourceRevisionConfig: { repoRef: "main", agentgraphConfigPath: "agentgraph.json" },
    };
    await stack.configure({ name: told.name, inputs, secret: "", timeout: `${options.timeoutMinutes}m` });
    await told.step("build and deploy", async () => {
      const up = await stack.up();
      expectSuccess(up, "pulumi up");
      expectSteps(steps(up.events), ["create agent"], up.output);
    });
    await told.step("preview without changes", async () => {
      const preview = await stack.preview("--refresh", "--expect-no-changes");
      expectSuccess(preview, "pulumi preview --refresh --expect-no-changes");
    });
    await told.step("destroy", async () => expectSuccess(await stack.destroy(), "pulumi destroy"));
  },
};

async function findIntegration({ server }: Run): Promise<string> {
  const host = server.vocabulary.githost ?? "githost";
  const reply = await server.controlPlane?.get(`/v1/integrations/${host}/install`);
  expect(reply && ok(reply) && reply.body[0]?.id, "the platform has an integration of the git host");
  return reply.body[0].id;
}
