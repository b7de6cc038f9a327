/** A deployment that the platform builds from a git repository. */
import { steps } from "../../engine/events.ts";
import { type Api, describe, ok, type Reply } from "../../target/http.ts";
import { expect, expectSteps, expectSuccess, type Run, type Story, type Told } from "../story.ts";

const [BRANCH, COMMIT, MOVED, COMMANDS] = [
  "2A.SourceConfig.repo_branch",
  "2A.SourceRevisionConfig.repo_ref:commit",
  "2A.SourceConfig.repo_url:moved",
  "2A.SourceConfig.install_command:revision",
];

export const repositoryLife: Story = {
  name: "repository",
  group: "deployments",
  lacks: ({ server, options }) =>
    !server.controlPlane ? "no AGENTGRAPH_URL" : options.repository ? undefined : "--repository was not given",
  creates: () => ({ text: "1 deployment", deployments: 1, rollouts: 1 }),
  looksAt: [BRANCH, COMMIT, MOVED, COMMANDS],
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
    await told.step("read and change the repository by direct requests", async () => {
      const id = (await stack.resources()).get("agent")?.id;
      if (told.run.server.controlPlane) await lookAtRepository(told, told.run.server.controlPlane, String(id));
    });
    await told.step("destroy", async () => expectSuccess(await stack.destroy(), "pulumi destroy"));
  },
};

/** Facts that only a deployment of a repository shows. It is deleted afterwards. */
async function lookAtRepository(told: Told, api: Api, id: string): Promise<void> {
  const path = `/v2/deployments/${id}`;
  const {
    source_config: source,
    source_revision_config: revision,
    latest_revision_id: latest,
  } = (await api.get(path)).body;
  told.saw(BRANCH, source.repo_branch === "main", `repo_branch is ${source.repo_branch}`);
  if (/^[0-9a-f]{40}$/.test(revision.repo_ref)) told.saw(COMMIT);
  else told.notSeen(COMMIT, `the response contains ${revision.repo_ref}`);
  const change = async (factId: string, source_config: object, holds: (body: Reply["body"]) => boolean) => {
    const reply = await api.patch(path, { source_config });
    const { body } = await api.get(path);
    if (ok(reply) && holds(body)) told.saw(factId);
    else told.notSeen(factId, ok(reply) ? "it has no such effect" : `the server returned ${describe(reply)}`);
  };
  // Another spelling of the same repository, which the server can therefore read.
  const moved = `${source.repo_url}.git`;
  await change(
    MOVED,
    { repo_url: moved },
    (body) => body.source_config.repo_url === moved && body.latest_revision_id === latest,
  );
  await change(COMMANDS, { install_command: "true" }, (body) => body.latest_revision_id !== latest);
}

async function findIntegration({ server }: Run): Promise<string> {
  const host = server.vocabulary.githost ?? "githost";
  const reply = await server.controlPlane?.get(`/v1/integrations/${host}/install`);
  expect(reply && ok(reply) && reply.body[0]?.id, "the platform has an integration of the git host");
  return reply.body[0].id;
}
