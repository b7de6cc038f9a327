/** Warnings about inputs of a Deployment that the interface allows but that probably do not work. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { findings } from "../../../../support/deployments/previewed";

const image = (imageUri: string): PropertyMap => dockerDeployment({ sourceRevisionConfig: { imageUri } });
const githost = (repoUrl: string, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "githost", name: "agent", sourceConfig: { repoUrl } },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json", ...revision },
});
const repository = (revision: PropertyMap) => githost("https://git.example/acme/agent", revision);
const folder = (agentgraphConfigPath: string): PropertyMap => ({
  ...{ source: "internal_source", name: "agent", sourcePath: "." },
  sourceRevisionConfig: { agentgraphConfigPath },
});
const reference = { secretName: "s", secretKey: "k" };

describe("Deployment: a preview causes one warning and no error for", () => {
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
    ["a digest that is too long", image(`r.example/agent:1@sha512:${"0".repeat(129)}`), /sha512 has 128/],
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
    [
      "a reference BAD-NAME",
      dockerDeployment({ secretReferences: { "BAD-NAME": reference } }),
      /^secretReferences\.BAD-NAME /,
    ],
    ["a git@ URL", githost("git@git.example:acme/agent.git"), /repoUrl .*"https:\/\/git\.example\/acme\/agent\.git"$/],
    ["an ssh address", githost("ssh://git@git.example/acme/agent"), /repoUrl .*"https:\/\/git\.example\/acme\/agent"$/],
    ["a repository without a scheme", githost("git.example/acme/agent"), /repoUrl .*not a valid URL; expected https:/],
    [
      "an absolute configuration path",
      repository({ agentgraphConfigPath: "/app/a.json" }),
      /Path .*use "app\/a\.json"$/,
    ],
    ["an absolute path within a folder", folder("/a.json"), /agentgraphConfigPath .*use "a\.json"$/],
    ["a configuration path with backslashes", folder("app\\a.json"), /agentgraphConfigPath .*use "app\/a\.json"$/],
    ["a configuration path that leaves the source", folder("../a.json"), /agentgraphConfigPath .*outside/],
    ["a tag by half of its path", repository({ repoRef: "tags/v1" }), /repoRef .*"refs\/tags\/v1"/],
    ["a branch by half of its path", repository({ repoRef: "heads/main" }), /repoRef .*"main"/],
  ])("%s", (_what, inputs, expected) => {
    expect(findings(inputs)).toEqual([[], [expect.stringMatching(expected)]]);
  });
});

it.each<[string, PropertyMap]>([
  ["a name of 63 characters", dockerDeployment({ name: "a".repeat(63) })],
  ["an image with a port and a digest", image(`r.example:5000/team/agent@sha256:${"0".repeat(64)}`)],
  ["an image with a tag and a digest", image(`agent:v1.0-rc_1@sha256:${"0".repeat(64)}`)],
  ["an image without a registry", image("agent:1")],
  ["usual names of variables", dockerDeployment({ secrets: { A: "x", _b2: "x" }, secretReferences: { C: reference } })],
  ["a repository with a port and a path", githost("https://git.example:8443/acme/agent.git")],
  ["a branch with slashes", repository({ repoRef: "feature/tags/x" })],
  ["a tag", repository({ repoRef: "refs/tags/v1" })],
  ["a path below the repository", repository({ agentgraphConfigPath: "./apps/one/agentgraph.json" })],
])("Deployment: a preview causes no warning for %s", (_what, inputs) => {
  expect(findings(inputs)).toEqual([[], []]);
});

it.each<[string, PropertyMap, RegExp]>([
  [
    "a reference that is neither a branch nor a tag",
    repository({ repoRef: "refs/pull/1/head" }),
    /^sourceRevisionConfig\.repoRef /,
  ],
  [
    "a secret without a name",
    dockerDeployment({ secrets: { "": "a-secret-value" } }),
    /^secrets has an entry with an empty name/,
  ],
  [
    "a reference without a name",
    dockerDeployment({ secretReferences: { "": reference } }),
    /^secretReferences has an entry with an empty/,
  ],
])("Deployment: a preview rejects %s", (_what, inputs, expected) => {
  expect(findings(inputs)).toEqual([[expect.stringMatching(expected)], []]);
});
