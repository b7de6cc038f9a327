/**
 * Validation of a Deployment: what the interface forbids is an error with its path, limits of the cloud service are
 * warnings.
 */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import { preview } from "../../../support/deployments/previewed";

const githost = (config: PropertyMap = {}, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "githost", name: "agent", sourceConfig: { repoUrl: "https://git.example/a", ...config } },
  sourceRevisionConfig: { agentgraphConfigPath: "a.json", ...revision },
});
const uploaded = (revision: PropertyMap = {}, more: PropertyMap = {}): PropertyMap => ({
  ...{ source: "internal_source", name: "agent", sourcePath: ".", ...more },
  sourceRevisionConfig: { agentgraphConfigPath: "a.json", ...revision },
});
const pushed = (more: PropertyMap = {}): PropertyMap => ({
  source: "internal_docker",
  name: "agent",
  ...withImage("1"),
  ...more,
});
const template = (more: PropertyMap = {}): PropertyMap => ({ source: "internal_template", name: "agent", ...more });
const sources: Record<string, PropertyMap> = {
  ...{ githost: githost(), external_docker: dockerDeployment(), internal_docker: pushed() },
  ...{ internal_source: uploaded(), internal_template: template() },
};
const uuid = "22222222-2222-4222-8222-222222222222";
/** Inputs that not every source has: a value, and the sources. */
const OF_SOURCES: Record<string, [value: unknown, ...sources: string[]]> = {
  "sourceConfig.integrationId": [uuid, "githost"],
  "sourceConfig.repoUrl": ["https://git.example/b", "githost"],
  "sourceConfig.deploymentType": ["dev", "githost", "internal_docker", "internal_source", "internal_template"],
  "sourceConfig.buildOnPush": [false, "githost"],
  "sourceConfig.customUrl": ["https://a.example", "external_docker"],
  "sourceConfig.templateId": ["t", "internal_template"],
  "sourceConfig.listenerId": [uuid, "external_docker"],
  "sourceConfig.listenerConfig": [{}, "external_docker"],
  "sourceRevisionConfig.imageUri": ["x:1", "external_docker", "internal_docker"],
  "sourceRevisionConfig.repoRef": ["main", "githost"],
  "sourceRevisionConfig.sourceTarballPath": ["x", "internal_source"],
  "sourceRevisionConfig.agentgraphConfigPath": ["a.json", "githost", "internal_source"],
  secretReferences: [{ A: { secretName: "s", secretKey: "k" } }, "external_docker"],
};
const misplaced = Object.entries(OF_SOURCES).flatMap(([path, [value, ...own]]) =>
  Object.keys(sources).flatMap((source) => (own.includes(source) ? [] : [[path, source, value] as const])),
);

// @covers 2A.Deployment.secret_references:source, 2A.SourceConfig.integration_id, 2A.SourceConfig.repo_url
// @covers 2A.SourceConfig.deployment_type, 2A.SourceConfig.build_on_push, 2A.SourceConfig.custom_url
// @covers 2A.SourceConfig.listener_id, 2A.SourceConfig.listener_config, 2A.SourceRevisionConfig.repo_ref
// @covers 2A.SourceRevisionConfig.agentgraph_config_path:others, 2A.SourceRevisionConfig.image_uri
// @covers 2A.SourceRevisionConfig.source_tarball_path, 2A.ResourceSpec:source
it.each(misplaced)("Deployment: a preview rejects %s of %s", async (path, source, value) => {
  const [group = "", field] = path.split(".");
  const declared = sources[source] ?? {};
  const part = field ? { ...(declared[group] as PropertyMap), [field]: value } : value;
  // A template has no configuration of revisions at all.
  const expected = source === "internal_template" && group === "sourceRevisionConfig" ? group : path;
  expect((await preview({ ...declared, [group]: part })).refused).toEqual([expected]);
});

describe("Deployment: a preview rejects", () => {
  // @covers 2A.Deployment.name, 2A.Deployment.source, 2A.SourceConfig.integration_id, 2A.SourceConfig.deployment_type
  // @covers 2A.SourceRevisionConfig.agentgraph_config_path:required, 2A.Secret.value, 2A.SecretReference.secret_name
  // @covers 2A.SecretReference.secret_key
  it.each<[string, PropertyMap, string]>([
    [
      "a githost without a config path",
      githost({}, { agentgraphConfigPath: undefined }),
      "sourceRevisionConfig.agentgraphConfigPath",
    ],
    [
      "an internal_source without a config path",
      uploaded({ agentgraphConfigPath: undefined }),
      "sourceRevisionConfig.agentgraphConfigPath",
    ],
    ["a githost without a repository", githost({ repoUrl: undefined }), "sourceConfig.repoUrl"],
    ["an integration that is not a UUID", githost({ integrationId: "x" }), "sourceConfig.integrationId"],
    ["a source that the interface does not know", dockerDeployment({ source: "docker" }), "source"],
    ["a deployment without a name", dockerDeployment({ name: undefined }), "name"],
    ["a secret without a text", dockerDeployment({ secrets: { A: 1 } }), "secrets.A"],
    [
      "a reference without its secret",
      dockerDeployment({ secretReferences: { A: { secretKey: "k" } } }),
      "secretReferences.A.secretName",
    ],
    [
      "a reference without its key",
      dockerDeployment({ secretReferences: { A: { secretName: "s" } } }),
      "secretReferences.A.secretKey",
    ],
  ])("%s", async (_what, declared, path) => {
    expect((await preview(declared)).refused).toEqual([path]);
  });
});
