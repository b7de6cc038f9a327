/** examples/operator: its programs run with the settings of its stacks. No cluster is needed, and none is tested. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { version } from "../../../package.json";
import { describeWithTools } from "../../support/tools";
import { succeeds } from "../support/cli/cli";
import { steps } from "../support/cli/events";
import { EXAMPLES } from "../support/programs/examples";
import { pathWith } from "../support/programs/languages";
import { Program } from "../support/programs/program";
import { API_KEY, World } from "../support/world";

interface EnvRef {
  literal?: { value: string };
  secret?: { name: string; key: string };
}
interface Manifest {
  kind: string;
  metadata: { name: string; namespace: string };
  program?: { resources: Record<string, object> };
  spec?: {
    image?: string;
    serviceAccountName?: string;
    programRef?: { name: string };
    prerequisites?: { name: string }[];
    envRefs?: Record<string, EnvRef>;
    env?: { name: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
    workspaceTemplate?: { spec: { image: string } };
  };
}

const textOf = (name: string) => readFileSync(join(EXAMPLES, "operator", name), "utf8");
const manifests = ["service-account.yaml", "stacks.yaml", "workspace.yaml"].flatMap((name) =>
  parseAllDocuments(textOf(name)).map((document) => document.toJS() as Manifest),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const stacks = ofKind("Stack");

test("the manifests refer to programs, stacks, accounts and images that exist", () => {
  const names = (kind: string) => ofKind(kind).map(({ metadata }) => metadata.name);
  const images = manifests.flatMap(({ spec }) => spec?.workspaceTemplate?.spec.image ?? spec?.image ?? []);
  expect([...new Set(images)]).toEqual([`registry.example.com/pulumi-agentgraph:${version}`]);
  expect(stacks.map(({ spec }) => spec?.programRef?.name)).toEqual(names("Program"));
  for (const { spec } of stacks)
    for (const { name } of spec?.prerequisites ?? []) expect(names("Stack")).toContain(name);
  for (const { spec } of [...stacks, ...ofKind("Workspace")])
    expect(names("ServiceAccount")).toContain(spec?.serviceAccountName);
  for (const { kind, metadata } of manifests)
    if (kind !== "ClusterRoleBinding") expect(metadata.namespace).toBe("agents");
});

test("each secret that the manifests read is created by the command in their comment", () => {
  const fromStacks = stacks.flatMap(({ spec }) =>
    Object.values(spec?.envRefs ?? {}).flatMap(({ secret }) => secret ?? []),
  );
  const fromWorkspaces = ofKind("Workspace").flatMap(
    ({ spec }) => spec?.env?.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []) ?? [],
  );
  const read = [...fromStacks, ...fromWorkspaces];
  expect(read.length).toBeGreaterThan(3);
  const command = textOf("stacks.yaml").split("apiVersion")[0] ?? "";
  for (const { name, key } of read) {
    expect(command).toContain(`kubectl create secret generic ${name} `);
    expect(command).toContain(`--from-literal=${key}=`);
  }
});

test("the image installs the archive that a release contains", () => {
  const archive = `pulumi-resource-agentgraph-v${version}-linux-amd64.tar.gz`;
  expect(textOf("Dockerfile")).toContain(`COPY ${archive} `);
  expect(textOf("Dockerfile")).toContain(`pulumi plugin install resource agentgraph ${version} --file `);
  expect(readFileSync(join(EXAMPLES, "../docs/plugin.md"), "utf8")).toContain(archive);
});

const world = new World();

describeWithTools("A program of the operator", ["pulumi-language-yaml"], (tools) => {
  test.each(stacks.map(({ metadata, spec }) => [metadata.name, spec] as const))(
    "%s is deployed with the settings of its stack, and shows no drift",
    async (name, spec) => {
      const { program } = ofKind("Program").find(({ metadata }) => metadata.name === spec?.programRef?.name) ?? {};
      const project = await Program.create(await world.createFolder(name), name);
      await project.file("Pulumi.yaml", stringify({ name, runtime: "yaml", ...program }));
      await project.usePlugin();
      // What this test passes is what the manifest names, with the values of the emulator.
      const values: Record<string, string> = { AGENTGRAPH_CONTROL_PLANE_URL: world.url, AGENTGRAPH_API_KEY: API_KEY };
      const settings = Object.keys(spec?.envRefs ?? {}).filter((key) => key.startsWith("AGENTGRAPH_"));
      expect(settings.sort()).toEqual(Object.keys(values).sort());
      const env = { ...values, ...pathWith(tools["pulumi-language-yaml"]) };
      const stack = await world.stack({ project: name, program: project, env });
      const created = await succeeds(stack.up());
      expect(steps(created)).toEqual(Object.keys(program?.resources ?? {}).map((resource) => `create ${resource}`));
      expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    },
  );
});
