/**
 * Validation of a Deployment: what the interface forbids is an error with its path, limits of the cloud service are
 * warnings.
 */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { dockerDeployment, repository as githost, withImage } from "../../../../support/deployments/inputs";
import { findings, preview } from "../../../../support/deployments/previewed";

const uploaded = (revision: PropertyMap = {}, more: PropertyMap = {}): PropertyMap => ({
  ...{ source: "internal_source", name: "agent", sourcePath: ".", ...more },
  sourceRevisionConfig: { agentgraphConfigPath: "a.json", ...revision },
});
const pushed = (more: PropertyMap = {}) => ({ source: "internal_docker", name: "agent", ...withImage("1"), ...more });
const refersTo = (part: PropertyMap) => dockerDeployment({ secretReferences: { A: part } });
const template = (more: PropertyMap = {}) => ({ source: "internal_template", name: "agent", ...more });
const sources: Record<string, PropertyMap> = {
  ...{ githost: githost(), external_docker: dockerDeployment(), internal_docker: pushed() },
  ...{ internal_source: uploaded(), internal_template: template() },
};
const CONFIG_PATH = "sourceRevisionConfig.agentgraphConfigPath";
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
  [CONFIG_PATH]: ["a.json", "githost", "internal_source"],
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

// @covers 2A.SourceConfig.integration_id, 2A.SourceConfig.deployment_type, 2A.SecretReference.secret_name
// @covers 2A.SourceRevisionConfig.agentgraph_config_path:required
it.each<[string, PropertyMap, string]>([
  ["a githost without a config path", githost({}, { agentgraphConfigPath: undefined }), CONFIG_PATH],
  ["an internal_source without a config path", uploaded({ agentgraphConfigPath: undefined }), CONFIG_PATH],
  ["a githost without a repository", githost({ repoUrl: undefined }), "sourceConfig.repoUrl"],
  ["an integration that is not a UUID", githost({ integrationId: "x" }), "sourceConfig.integrationId"],
  ["a reference without its secret", refersTo({ secretKey: "k" }), "secretReferences.A.secretName"],
])("Deployment: a preview rejects %s", async (_what, declared, path) => {
  expect((await preview(declared)).refused).toEqual([path]);
});

const image = (imageUri: string): PropertyMap => dockerDeployment({ sourceRevisionConfig: { imageUri } });
const atUrl = (repoUrl: string, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "githost", name: "agent", sourceConfig: { repoUrl } },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json", ...revision },
});
const repository = (revision: PropertyMap) => atUrl("https://git.example/acme/agent", revision);
const folder = (agentgraphConfigPath: string): PropertyMap => ({
  ...{ source: "internal_source", name: "agent", sourcePath: "." },
  sourceRevisionConfig: { agentgraphConfigPath },
});
const reference = { secretName: "s", secretKey: "k" };

// @covers 10A.constraints
it.each<[string, PropertyMap, RegExp]>([
  ["a name of 80 characters", dockerDeployment({ name: "a".repeat(80) }), /^name has 80 characters; .*63/],
  ["a name with capitals", dockerDeployment({ name: "My_Agent" }), /^name "My_Agent" may be rejected/],
  ["an image with a scheme", image("https://r.example/agent:1"), /imageUri .*use "r\.example\/agent:1"$/],
  ["an image with the scheme docker", image("docker://r.example/agent:1"), /imageUri .*use "r\.example\/agent:1"$/],
  ["an image with spaces", image(" r.example/agent:1 "), /imageUri " r\.example\/agent:1 " is not a valid image/],
  ["an image with capitals", image("r.example/Agent:1"), /imageUri "r\.example\/Agent:1" is not a valid image/],
  ["an image with an empty tag", image("r.example/agent:"), /imageUri "r\.example\/agent:" is not a valid image/],
  ["a digest that is cut off", image("r.example/agent@sha256:12"), /digest of 2 hexadecimal digits, .*sha256 has 64/],
  ["a digest that is too long", image(`r.example/agent:1@sha256:${"0".repeat(65)}`), /digest of 65 /],
  ["an image without a tag", image("r.example:5000/agent"), /imageUri .*mutable reference/],
  ["the image latest", image("r.example/agent:latest"), /imageUri .*mutable reference/],
  ...["POSTGRES_URI", "REDIS_URI", "PORT", "PATH", "DATABASE_URI", "REDIS_CLUSTER"].flatMap(
    (name): [string, PropertyMap, RegExp][] => [
      [`a secret ${name}`, dockerDeployment({ secrets: { [name]: "x" } }), new RegExp(`^secrets.${name} is set by`)],
      [
        `a reference ${name}`,
        dockerDeployment({ secretReferences: { [name]: reference } }),
        new RegExp(`^secretReferences.${name} is set by the platform`),
      ],
    ],
  ),
  ["a secret that begins with a digit", dockerDeployment({ secrets: { "1A": "x" } }), /^secrets\.1A /],
  ["a reference", dockerDeployment({ secretReferences: { "BAD-NAME": reference } }), /^secretReferences\.BAD-NAME /],
  ["a git@ URL", atUrl("git@git.example:acme/agent.git"), /repoUrl .*"https:\/\/git\.example\/acme\/agent\.git"$/],
  ["an ssh address", atUrl("ssh://git@git.example/acme/agent"), /repoUrl .*"https:\/\/git\.example\/acme\/agent"$/],
  ["a repository without a scheme", atUrl("git.example/acme/agent"), /repoUrl .*not a valid URL; expected https:/],
  ["an absolute path", repository({ agentgraphConfigPath: "/app/a.json" }), /Path .*use "app\/a\.json"$/],
  ["an absolute path in a folder", folder("/a.json"), /agentgraphConfigPath .*use "a\.json"$/],
  ["a configuration path with backslashes", folder("app\\a.json"), /agentgraphConfigPath .*use "app\/a\.json"$/],
  ["a configuration path that leaves the source", folder("../a.json"), /agentgraphConfigPath .*outside/],
  ["a tag by half of its path", repository({ repoRef: "tags/v1" }), /repoRef .*"refs\/tags\/v1"/],
  ["a branch by half of its path", repository({ repoRef: "heads/main" }), /repoRef .*"main"/],
])("Deployment: a preview causes one warning and no error for %s", (_what, inputs, expected) => {
  expect(findings(inputs)).toEqual([[], [expect.stringMatching(expected)]]);
});

it.each<[string, PropertyMap]>([
  ["a name of 63 characters", dockerDeployment({ name: "a".repeat(63) })],
  ["an image with a port and a digest", image(`r.example:5000/team/agent@sha256:${"0".repeat(64)}`)],
  ["an image with a tag and a digest", image(`agent:v1.0-rc_1@sha256:${"0".repeat(64)}`)],
  ["an image without a registry", image("agent:1")],
  ["usual names of variables", dockerDeployment({ secrets: { A: "x", _b2: "x" }, secretReferences: { C: reference } })],
  ["a repository with a port and a path", atUrl("https://git.example:8443/acme/agent.git")],
  ["a branch with slashes", repository({ repoRef: "feature/tags/x" })],
  ["a tag", repository({ repoRef: "refs/tags/v1" })],
  ["a path below the repository", repository({ agentgraphConfigPath: "./apps/one/agentgraph.json" })],
])("Deployment: a preview causes no warning for %s", (_what, inputs) => {
  expect(findings(inputs)).toEqual([[], []]);
});
