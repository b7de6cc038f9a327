/** What a rejected Deployment says: the field, why, and what to write instead. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { dockerDeployment, withImage, withResourceSpec } from "../../../../support/deployments/inputs";
import { findings } from "../../../../support/deployments/previewed";

const githost = (config: PropertyMap = {}, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "githost", name: "agent", sourceConfig: { repoUrl: "https://git.example/a", ...config } },
  sourceRevisionConfig: { agentgraphConfigPath: "a.json", ...revision },
});
const uploaded = (more: PropertyMap = {}, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "internal_source", name: "agent", ...more },
  sourceRevisionConfig: { agentgraphConfigPath: "a.json", ...revision },
});
const SPEC = "sourceConfig.resourceSpec";
const spec = (resourceSpec: PropertyMap) => dockerDeployment(withResourceSpec(resourceSpec));
const container = (more: PropertyMap) => ({ name: "side", image: "x:1", ...more });

// @covers 2A.SourceConfig.build_on_push:tag, 2A.SourceRevisionConfig.repo_ref, 2A.SourceRevisionConfig.repo_ref:tag
// @covers 2A.Volume.name:unique, 2A.VolumeMount.name, 2A.Container.volumeMounts, 2A.EnvVar.valueFrom
// @covers 8.Self-hosted CPU and memory requests:cache
it.each(
  Object.entries<PropertyMap>({
    "sourceConfig.buildOnPush cannot be true with the tag refs/tags/v1; set it to false, or use a branch as repoRef.":
      githost({ buildOnPush: true }, { repoRef: "refs/tags/v1" }),
    'sourceRevisionConfig.repoRef must be the name of a branch without refs/heads/; use "feature/a".': githost(
      {},
      { repoRef: "refs/heads/feature/a" },
    ),
    ["sourceRevisionConfig.repoRef is neither a branch nor a tag; use the name of a branch, or refs/tags/ and " +
      "the name of a tag."]: githost({}, { repoRef: "refs/pull/1/refs/heads/a" }),
    "secrets.PULUMI_RESOURCE is reserved for the ownership marker; use another name.": dockerDeployment({
      secrets: { PULUMI_RESOURCE: "mine" },
    }),
    "sourcePath cannot be combined with sourceRevisionConfig.sourceTarballPath; specify one of the two.": uploaded(
      { sourcePath: "." },
      { sourceTarballPath: "x" },
    ),
    "sourceConfig.listenerConfig requires sourceConfig.listenerId, the listener that it configures.": dockerDeployment({
      sourceConfig: { listenerConfig: {} },
    }),
    [`${SPEC}.redisMemoryLimitMb must be at least redisMemoryMb (512), not 256.`]: spec({
      redisMemoryMb: 512,
      redisMemoryLimitMb: 256,
    }),
    [`${SPEC}.volumes.2.name "a" is used twice; volume names must be unique.`]: spec({
      volumes: [{ name: "a" }, { name: "b" }, { name: "a" }],
    }),
    [`${SPEC}.volumeMounts.0.name "c" is not in volumes; expected one of: a, b.`]: spec({
      volumes: [{ name: "a" }, { name: "b" }],
      volumeMounts: [{ name: "c", mountPath: "/c" }],
    }),
    [`${SPEC}.initContainers.1.volumeMounts.0.name "c" is not in volumes; expected one of: (none declared).`]: spec({
      initContainers: [container({}), container({ volumeMounts: [{ name: "c", mountPath: "/c" }] })],
    }),
    [`${SPEC}.sidecars.0.env.1 B has both value and valueFrom; specify one of the two.`]: spec({
      sidecars: [
        container({
          env: [
            { name: "A", value: "1" },
            { name: "B", value: "1", valueFrom: {} },
          ],
        }),
      ],
    }),
  }),
)("A Deployment is rejected: %s", (message, inputs) => {
  expect(findings(inputs)).toEqual([[message], []]);
});

const pushed = { source: "internal_docker", name: "agent" };
const atUrl = dockerDeployment({ sourceConfig: { customUrl: "https://a.example" } });

describe("A field that an update cannot remove", () => {
  it.each<[path: string, kept: string, before: PropertyMap, after: PropertyMap]>([
    ["sourceConfig.customUrl", '"https://a.example"', atUrl, dockerDeployment()],
    ["sourceConfig.buildOnPush", "false", githost({ buildOnPush: false }), githost()],
    ["sourceConfig.installCommand", '"make"', githost({ installCommand: "make" }), githost()],
    ["sourceConfig.buildCommand", '"make"', githost({ buildCommand: "make" }), githost()],
    ["sourceRevisionConfig.repoRef", '"dev"', githost({}, { repoRef: "dev" }), githost()],
    ["sourceRevisionConfig.imageUri", '"registry.example.com/agent:1"', { ...pushed, ...withImage("1") }, pushed],
    ["imageVersion", '"0.4.1"', dockerDeployment({ imageVersion: "0.4.1" }), dockerDeployment()],
    ["sourcePath", "the uploaded source", uploaded({ sourcePath: "." }), uploaded()],
    [
      "sourceRevisionConfig.sourceTarballPath",
      "the uploaded source",
      uploaded({}, { sourceTarballPath: "x" }),
      uploaded(),
    ],
  ])("is %s, of which the server keeps %s unless the deployment is replaced", (path, kept, before, after) => {
    const advice = kept.startsWith("the") ? "set another one" : "set another value";
    const message = `${path} cannot be removed: the server keeps ${kept}. Keep it, or ${advice}.`;
    expect(findings(after, before)[0]).toEqual([message]);
    expect(findings(before, before)[0]).toEqual([]);
    expect(findings(after)[0]).toEqual([]);
    expect(findings({ ...after, name: "other" }, before)[0]).toEqual([]);
  });

  // @covers 10A.no-removal
  it("is the last secret, where no ownership marker is among the secrets", () => {
    const before = dockerDeployment({ secrets: { A: "1" } });
    const message =
      "secrets cannot become empty without the ownership marker: the server keeps the last secrets. Keep one " +
      "secret, or an entry of environment, or set agentgraph:ownerMarker to true.";
    expect(findings(dockerDeployment(), before, false)[0]).toEqual([message]);
    expect(findings(dockerDeployment({ secrets: {} }), before, false)[0]).toEqual([message]);
    expect(findings(dockerDeployment(), before, true)[0]).toEqual([]);
    expect(findings(dockerDeployment({ name: "other" }), before, false)[0]).toEqual([]);
    expect(findings(dockerDeployment(), dockerDeployment(), false)[0]).toEqual([]);
    expect(findings(before, dockerDeployment({ secrets: { B: "1" } }), false)[0]).toEqual([]);
  });
});

describe("A warning states what is unusual", () => {
  it.each(
    Object.entries<PropertyMap | PropertyMap[]>({
      ["sourcePath no source is uploaded, so nothing runs until you declare sourcePath (a folder or a .tar.gz " +
        "file) or sourceRevisionConfig.sourceTarballPath."]: uploaded(),
      'sourceConfig.customUrl "agents" is not a valid URL; expected https://host/path.': dockerDeployment({
        sourceConfig: { customUrl: "agents" },
      }),
      "sourceConfig.buildOnPush is false, so pushes to main do not create revisions.": githost(
        { buildOnPush: false },
        { repoRef: "main" },
      ),
      ['sourceConfig.buildCommand may be rejected because of "|"; move the command into a script in the ' +
        "repository and call the script."]: githost({ buildCommand: "a | b" }),
      ['sourceConfig.installCommand may be rejected because of "&"; move the command into a script in the ' +
        "repository and call the script."]: githost({ installCommand: "a & b" }),
      "sourceConfig.buildCommand may have no effect, because only githost and internal_source are known to be built.":
        dockerDeployment({ sourceConfig: { buildCommand: "npm run build" } }),
      "sourceConfig.installCommand may have no effect, because only githost and internal_source are known to be built.":
        [
          { source: "internal_template", name: "agent", sourceConfig: { installCommand: "npm ci" } },
          { source: "internal_docker", name: "agent", sourceConfig: { installCommand: "npm ci" } },
        ],
      ["secrets.A-B is not a portable name of an environment variable; use letters, digits and underscores, " +
        "not starting with a digit."]: dockerDeployment({ secrets: { "A-B": "1" } }),
      "secretReferences.B is also in secrets; declare B in only one of the two.": dockerDeployment({
        secrets: { A: "1", B: "2" },
        secretReferences: { B: { secretName: "s", secretKey: "k" } },
      }),
      ['sourceConfig.deploymentType "serverless" is not a known type (dev_free, dev, prod, dev_zero, ' +
        "dev_free_zero); it is sent as it is, and the server decides."]: githost({ deploymentType: "serverless" }),
      [`${SPEC}.minScale 3 is above maxScale, which is 2.`]: spec({ minScale: 3, maxScale: 2 }),
      [`${SPEC}.queueMinScale 3 is above queueMaxScale, which is 2.`]: spec({ queueMinScale: 3, queueMaxScale: 2 }),
      [`${SPEC} is described for external images alone; it is sent as it is, and the server decides.`]: [
        githost({ resourceSpec: {} }),
        uploaded({ sourcePath: ".", sourceConfig: { resourceSpec: { cpu: 1 } } }),
      ],
    }),
  )("%s", (message, inputs) => {
    for (const one of [inputs].flat()) expect(findings(one)).toEqual([[], [message]]);
  });

  it.each<[PropertyMap]>([
    [githost({ buildOnPush: false }, { repoRef: "refs/tags/v1" })],
    [githost({ buildOnPush: false })],
    [githost({ buildOnPush: true }, { repoRef: "main" })],
    [githost({ deploymentType: "DEV_zero" })],
    [spec({})],
    [githost({ installCommand: "npm ci && npm run build", buildCommand: "" })],
    [spec({ minScale: 2, maxScale: 2, cpu: 1, cpuLimit: 1 })],
    [dockerDeployment({ sourceConfig: { customUrl: "https://agents.example/a" } })],
  ])("but not of %j", (inputs) => expect(findings(inputs)).toEqual([[], []]));
});
