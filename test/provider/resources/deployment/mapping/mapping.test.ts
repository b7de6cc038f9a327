/** The mapping of every field of a deployment (API `2A`) to the API and back. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../../../emulator/test/support/folder";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, LISTENER_ID, REPO_URL, repository, withImage } from "../../../../support/deployments/inputs";
import { type Platform, startPlatform } from "../../../../support/platform";
import { expectClean, Stack, stateOf } from "../../../../support/stack";

const integrationId = "33333333-3333-4333-8333-333333333333";

const folder = newFolder();
writeFileSync(join(folder, "agentgraph.json"), JSON.stringify({ graphs: { agent: "./agent.py:graph" } }));

const bodies = ({ emulator }: Platform, method: string) =>
  emulator.requestLog.entries({ method }).map(({ body }) => body as Record<string, unknown>);

const commands = { installCommand: "npm ci", buildCommand: "npm run build" };
const sentCommands = { install_command: "npm ci", build_command: "npm run build" };

/** Each source with all its fields and the expected request. */
const sources: Record<string, [declared: PropertyMap, config: PropertyMap, revision: PropertyMap]> = {
  githost: [
    repository({ integrationId, deploymentType: "prod", buildOnPush: true, ...commands }),
    {
      ...{ integration_id: integrationId, repo_url: REPO_URL, deployment_type: "prod", build_on_push: true },
      ...sentCommands,
    },
    { repo_ref: "main", agentgraph_config_path: "agentgraph.json" },
  ],
  external_docker: [
    dockerDeployment({
      sourceConfig: {
        ...{ listenerId: LISTENER_ID, listenerConfig: { k8sNamespace: "agents" }, customUrl: "https://a.example" },
        resourceSpec: { cpu: 1 },
      },
      secretReferences: { TOKEN: { secretName: "s", secretKey: "k" } },
    }),
    {
      ...{ listener_id: LISTENER_ID, listener_config: { k8s_namespace: "agents" }, custom_url: "https://a.example" },
      resource_spec: { cpu: 1 },
    },
    { image_uri: "registry.example.com/agent:1.0.0" },
  ],
  internal_docker: [
    { source: "internal_docker", name: "agent", ...withImage("1.0.0") },
    {},
    { image_uri: "registry.example.com/agent:1.0.0" },
  ],
  internal_source: [
    {
      ...{ source: "internal_source", name: "agent", sourcePath: folder, sourceConfig: commands },
      sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
    },
    sentCommands,
    { agentgraph_config_path: "agentgraph.json" },
  ],
  internal_template: [{ source: "internal_template", name: "agent" }, {}, {}],
};

// @covers 2A.Deployment.source, 2A.Deployment.source_config, 2A.Deployment.source_revision_config
// @covers 2A.Deployment.secrets, 2A.Deployment.secret_references, 2A.SourceConfig.integration_id
// @covers 2A.SourceConfig.repo_url, 2A.SourceConfig.deployment_type, 2A.SourceConfig.build_on_push
// @covers 2A.SourceConfig.custom_url, 2A.SourceConfig.resource_spec, 2A.SourceConfig.listener_id
// @covers 2A.SourceConfig.listener_config, 2A.SourceConfig.install_command, 2A.SourceConfig.build_command
// @covers 2A.SourceRevisionConfig.repo_ref, 2A.SourceRevisionConfig.agentgraph_config_path
// @covers 2A.SourceRevisionConfig.image_uri, 2A.Secret.name, 2A.Secret.value, 2A.SecretReference.name
// @covers 2A.ListenerConfig.k8s_namespace
it.each(Object.entries(sources))(
  "a Deployment of source %s is sent with all fields and has no drift",
  async (source, [declared, source_config, source_revision_config]) => {
    const { platform, stack } = await startDeployment();
    const inputs = { ...declared, secrets: { KEY: "a value" } };
    await stack.up(inputs);
    const [body] = bodies(platform, "POST");
    expect(body).toMatchObject({
      name: "agent",
      source,
      secrets: expect.arrayContaining([{ name: "KEY", value: expect.any(String) }]),
    });
    expect([body?.source_config, body?.source_revision_config]).toEqual([source_config, source_revision_config]);
    if (source === "external_docker")
      expect(body?.secret_references).toEqual([{ name: "TOKEN", secret_name: "s", secret_key: "k" }]);
    else expect(body).not.toHaveProperty("secret_references");
    await expectClean(stack, inputs);
  },
);

// @covers 2A.ResourceSpec:required
it("a Deployment of an image is sent with an empty resource spec if the program declares none", async () => {
  const platform = await startPlatform();
  await new Stack(platform).up(dockerDeployment());
  expect(bodies(platform, "POST")[0]?.source_config).toEqual({ resource_spec: {} });
});

// @covers 2A.SourceRevisionConfig.source_tarball_path:origin, 4A.POST /deployments/{deployment_id}/upload-url
// @covers 9.item 1:upload
it("a Deployment from a folder uses the path that the server returned for its upload", async () => {
  const platform = await startPlatform();
  await new Stack(platform).up(sources.internal_source?.[0] ?? {});
  const [remote] = await platform.deployments();
  expect(platform.requests({ method: "POST" })).toContain("POST /deployments/{id}/upload-url");
  const sent = bodies(platform, "PATCH")[0]?.source_revision_config as Record<string, string>;
  expect(sent.agentgraph_config_path).toBe(remote?.source_revision_config.agentgraph_config_path);
  expect(sent.source_tarball_path).toBe(remote?.source_revision_config.source_tarball_path);
  expect(sent.source_tarball_path).toContain(remote?.id);
});

// @covers 2A.SourceConfig.build_on_push:tag, 2A.SourceRevisionConfig.repo_ref:tag
it("a Deployment at a tag sends build_on_push as false, and buildOnPush alone creates no revision", async () => {
  const { platform, stack } = await startDeployment();
  await stack.up(repository({ buildOnPush: false }, { repoRef: "refs/tags/v1" }));
  expect(bodies(platform, "POST")[0]?.source_config).toMatchObject({ build_on_push: false });
  await stack.up(repository({ buildOnPush: false }));
  await stack.up(repository({ buildOnPush: true }));
  expect(bodies(platform, "PATCH").at(-1)).toEqual({ source_config: { build_on_push: true } });
  expect((await platform.getDeployment(stateOf(stack).id)).revisions).toHaveLength(2);
  await stack.up(repository({ buildOnPush: false }, { repoRef: "refs/tags/v2" }));
  expect(bodies(platform, "PATCH").at(-1)).toMatchObject({ source_config: { build_on_push: false } });
});

// @covers 2A.Deployment.tenant_id, 2A.Deployment.created_at, 2A.Deployment.updated_at
// @covers 2A.Deployment.latest_revision_id, 2A.Deployment.active_revision_id, 2A.Deployment.is_managed_deep_agent
// @covers 2A.SourceConfig.custom_url:githost
it("a Deployment has the server's fields as outputs", async () => {
  const { platform, stack, id, outputs } = await createDeployment(repository());
  const now = (await platform.call("GET", `/v2/deployments/${id}`)).body;
  expect(outputs).toMatchObject({
    ...{ status: now.status, url: now.source_config.custom_url, isManagedDeepAgent: false },
    ...{ latestRevisionId: now.latest_revision_id, activeRevisionId: now.active_revision_id },
    ...{ tenantId: "11111111-1111-4111-8111-111111111111", createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  await platform.updateOutOfBand(id, { is_managed_deep_agent: true });
  await stack.refresh();
  expect(stateOf(stack).outputs.isManagedDeepAgent).toBe(true);
});
