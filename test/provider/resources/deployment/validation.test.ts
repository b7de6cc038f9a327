/** Validation of a Deployment: what the interface forbids is an error with its path, limits of the cloud service are warnings. */
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
const references = { secretReferences: { A: { secretName: "s", secretKey: "k" } } };

describe("Deployment: a preview rejects a field of another source:", () => {
  const uuid = "22222222-2222-4222-8222-222222222222";
  // @covers 2A.Deployment.secret_references:source, 2A.SourceConfig.integration_id, 2A.SourceConfig.repo_url
  // @covers 2A.SourceConfig.deployment_type, 2A.SourceConfig.build_on_push, 2A.SourceConfig.custom_url
  // @covers 2A.SourceConfig.listener_id, 2A.SourceConfig.listener_config, 2A.SourceRevisionConfig.repo_ref
  // @covers 2A.SourceRevisionConfig.agentgraph_config_path:others, 2A.SourceRevisionConfig.image_uri
  // @covers 2A.SourceRevisionConfig.source_tarball_path, 2A.ResourceSpec:source
  it.each<[string, PropertyMap, string]>([
    [
      "integrationId of external_docker",
      dockerDeployment({ sourceConfig: { integrationId: uuid } }),
      "sourceConfig.integrationId",
    ],
    ["repoUrl of external_docker", dockerDeployment({ sourceConfig: { repoUrl: "x" } }), "sourceConfig.repoUrl"],
    [
      "deploymentType of external_docker",
      dockerDeployment({ sourceConfig: { deploymentType: "dev" } }),
      "sourceConfig.deploymentType",
    ],
    [
      "buildOnPush of external_docker",
      dockerDeployment({ sourceConfig: { buildOnPush: false } }),
      "sourceConfig.buildOnPush",
    ],
    ["customUrl of githost", githost({ customUrl: "https://a.example" }), "sourceConfig.customUrl"],
    ["resourceSpec of githost", githost({ resourceSpec: {} }), "sourceConfig.resourceSpec"],
    [
      "resourceSpec of internal_source",
      uploaded({}, { sourceConfig: { resourceSpec: {} } }),
      "sourceConfig.resourceSpec",
    ],
    ["listenerId of githost", githost({ listenerId: uuid }), "sourceConfig.listenerId"],
    ["listenerConfig of githost", githost({ listenerConfig: {} }), "sourceConfig.listenerConfig"],
    ["imageUri of githost", githost({}, { imageUri: "x:1" }), "sourceRevisionConfig.imageUri"],
    ["imageUri of internal_source", uploaded({ imageUri: "x:1" }), "sourceRevisionConfig.imageUri"],
    ["repoRef of internal_source", uploaded({ repoRef: "main" }), "sourceRevisionConfig.repoRef"],
    ["sourceTarballPath of githost", githost({}, { sourceTarballPath: "x" }), "sourceRevisionConfig.sourceTarballPath"],
    [
      "a config path of external_docker",
      dockerDeployment({ sourceRevisionConfig: { imageUri: "x:1", agentgraphConfigPath: "a" } }),
      "sourceRevisionConfig.agentgraphConfigPath",
    ],
    ["secretReferences of githost", { ...githost(), ...references }, "secretReferences"],
    ["secretReferences of internal_docker", pushed(references), "secretReferences"],
    ["secretReferences of internal_source", uploaded({}, references), "secretReferences"],
    ["secretReferences of internal_template", template(references), "secretReferences"],
    ["buildOnPush of internal_docker", pushed({ sourceConfig: { buildOnPush: true } }), "sourceConfig.buildOnPush"],
    [
      "repoUrl of internal_template",
      template({ sourceConfig: { repoUrl: "https://a.example" } }),
      "sourceConfig.repoUrl",
    ],
    ["sourceRevisionConfig of internal_template", template({ sourceRevisionConfig: {} }), "sourceRevisionConfig"],
  ])("%s", async (_what, declared, path) => {
    expect((await preview(declared)).refused).toEqual([path]);
  });
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
    ["an unknown deployment type", githost({ deploymentType: "big" }), "sourceConfig.deploymentType"],
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
