/** A Deployment on the platform of today, as published clients and pages report it. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../support/deployments/source-folder";
import { stateOf } from "../../../support/stack";

const today = { platform: "today" } as const;
const declare = (source: string, sourceConfig: PropertyMap, change: PropertyMap = {}): PropertyMap => ({
  ...{ name: "agent", source, sourceConfig, secrets: { KEY: "a value" } },
  ...change,
});
const revisionConfig = { agentgraphConfigPath: "agentgraph.json" };
const repository = (config: PropertyMap = {}, revision: PropertyMap = {}) =>
  declare(
    "githost",
    { repoUrl: "https://git.example/team/agent", deploymentType: "dev", buildOnPush: false, ...config },
    { sourceRevisionConfig: { ...revisionConfig, ...revision } },
  );

// @covers 2A.SourceConfig.deployment_type:sources, 2A.SourceConfig.deployment_type:free, 2A.SourceConfig.custom_url:image
// @covers 2A.SourceRevisionConfig.repo_ref:commit, 2A.Deployment.url, 2A.Deployment.tracer_session_id, 4A.upload:range
it.each<[string, () => PropertyMap]>([
  ["a repository", () => repository({}, { repoRef: "main" })],
  ["a repository in a free slot", () => repository({ deploymentType: "dev_zero" })],
  ["an image of another registry", () => dockerDeployment({ secrets: { KEY: "a value" } })],
  ["an image of the platform", () => declare("internal_docker", { deploymentType: "prod" }, withImage("1"))],
  ["no image yet", () => declare("internal_docker", { deploymentType: "dev" })],
  [
    "a folder",
    () => declare("internal_source", { deploymentType: "dev" }, internalSource({ sourcePath: createAgentFolder() })),
  ],
  ["a template", () => declare("internal_template", { deploymentType: "dev", templateId: "chat" })],
  ["a type that is new", () => declare("internal_docker", { deploymentType: "serverless" }, withImage("1"))],
])("Deployment: %s is created, stays as it is, and is deleted at once", async (_what, inputs) => {
  const declared = inputs();
  const { platform, stack, id } = await createDeployment(declared, { server: today });
  const { outputs } = stateOf(stack);
  const isEmpty = declared.source === "internal_docker" && declared.sourceRevisionConfig === undefined;
  expect(outputs.url).toBe(isEmpty ? undefined : `${platform.url}/agents/${id}`);
  expect(outputs.tracingProjectId).toEqual(expect.any(String));
  await stack.refresh();
  expect(await stack.up(declared)).toBe("same");
  await stack.destroy();
  expect(stack.messages.at(-1)).toContain("is being deleted: the server has accepted it");
});

// @covers 2A.Deployment.secrets:hidden
it("Deployment: secrets that the server hides until the first revision are no difference, and are changed", async () => {
  const declared = declare("internal_docker", { deploymentType: "dev" });
  const { platform, stack, id } = await createDeployment(declared, { server: today });
  expect(await stack.refresh()).toBe("same");
  await stack.up({ ...declared, ...withImage("1"), secrets: { KEY: "another value" } });
  expect((await platform.getDeployment(id)).secrets).toContainEqual({ name: "KEY", value: "another value" });
});

// @covers 2A.Deployment.display_name
it("Deployment: a display name is set after the create and changed in place, without a revision", async () => {
  const { platform, stack, id } = await createDeployment(dockerDeployment({ displayName: "Support" }), {
    server: today,
  });
  const shown = async () => (await platform.call("GET", `/v2/deployments/${id}`)).body as object;
  expect(await shown()).toMatchObject({ display_name: "Support" });
  await stack.up(dockerDeployment({ displayName: "Support agent" }));
  expect(await shown()).toMatchObject({ display_name: "Support agent" });
  expect((await platform.getDeployment(id)).revisions).toHaveLength(1);
});
