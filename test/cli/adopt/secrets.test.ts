/** `agentgraph adopt` writes no secret to disk, and leaves out nothing that the program would then remove. */
import { discoverResources } from "../../../cli/adopt/adopt-resource";
import { declareAll } from "../../../cli/adopt/program/declarations";
import { formatDynamicImportFile } from "../../../cli/adopt/program/import-file";
import { formatSources, typescript } from "../../../cli/adopt/program/typescript";
import { replaceSecrets } from "../../../cli/adopt/secrets";
import { Secret } from "../../../cli/adopt/types";
import { SECRET_SIGNATURE, SIGNATURE } from "../../../provider/plan/property-values";
import { UNKNOWN_SECRET } from "../../../provider/schema/mapping";
import type { PropertyMap } from "../../../provider/schema/schema";
import { definitionOf } from "../../provider/plan/plans";
import { startAgents } from "../../support/agents/threads";
import { startPlatform } from "../../support/platform";

const SECRET = "sk-very-secret";

/** Adopts as the command does; also returns the text of the files that it writes. */
async function adopt(config: Record<string, string>, agentUrls: string[] = []) {
  const only = agentUrls.length > 0 ? ["assistants", "crons"] : ["deployments"];
  const filter = { only, includeEnded: false, includeOwned: false, agentUrls, threadsOf: [], metadata: {} };
  const found = await discoverResources(filter, undefined, config, typescript);
  const program = declareAll(found.all, found.names);
  const files = Object.values(formatSources(program.declarations)).join("\n");
  const importFile = formatDynamicImportFile(found.all);
  expect(files + importFile).not.toContain(SECRET);
  const { resources } = JSON.parse(importFile) as { resources: { inputs: Record<string, unknown> }[] };
  return { ...found, keys: program.secrets.map(({ key }) => key), files, inputs: resources.map((one) => one.inputs) };
}

/** A secret in the form of the CLI, so that the state encrypts it and what a refresh reads in its place. */
const ENCRYPTED = { [SIGNATURE]: SECRET_SIGNATURE, plaintext: JSON.stringify(UNKNOWN_SECRET) };

test("adopt reads a secret in the context of an assistant from the configuration", async () => {
  const { callAgentServer, url, basePath } = await startAgents();
  const context = { model: "small", api_key: SECRET, max_tokens: 100, header: { name: "token", value: "plain" } };
  await callAgentServer("POST", "/assistants", { graph_id: "echo", name: "support", context });
  const { keys, files, inputs } = await adopt({}, [url + basePath]);
  expect(keys).toEqual(["supportApiKey"]);
  expect(files).toContain('api_key: config.requireSecret("supportApiKey")');
  expect(inputs).toMatchObject([{ context: { ...context, api_key: ENCRYPTED } }]);
});

test("adopt skips a cron whose webhook contains a secret, and declares any other webhook", async () => {
  const { callAgentServer, url, basePath } = await startAgents();
  const host = "https://hooks.example.com";
  const queries = ["token", "a=1&X-Signature", "code"].map((name) => `?${name}=${SECRET}`);
  const withSecret = [...queries, "/T0/B0/XyZ0123456789abcdefghijk"];
  const uuid = "3f2b8c1e-5d7a-4f60-9e1b-2c3d4e5f6a7b";
  const withoutSecret = ["", "?page=2", `/teams/${uuid}`, "/a-long-name-of-a-hook-of-team-42"];
  for (const path of [...withSecret, ...withoutSecret]) {
    const cron = { assistant_id: "echo", schedule: "0 3 * * *", input: {}, webhook: `${host}/runs${path}` };
    await callAgentServer("POST", "/runs/crons", cron);
  }
  const { inputs, skipped } = await adopt({}, [url + basePath]);
  expect(inputs.map(({ webhook }) => webhook).sort()).toEqual(
    withoutSecret.map((path) => `${host}/runs${path}`).sort(),
  );
  expect(skipped.map(({ reason }) => reason)).toEqual(
    withSecret.map(() => "webhook contains a secret, which would be written to disk in plain text"),
  );
});

test("adopt reads secrets of containers from the configuration, and skips a repository whose URL has one", async () => {
  const platform = await startPlatform();
  const upstream = `postgres://user:${SECRET}@db/app`;
  const env = [
    { name: "DB_PASSWORD", value: SECRET },
    { name: "UPSTREAM", value: upstream },
    { name: "MONKEY", value: "bars" },
  ];
  const sidecars = [{ name: "proxy", image: "registry.example.com/proxy:1", env }];
  const source_revision_config = { image_uri: "registry.example.com/agent:1" };
  await platform.emulator.seed({
    deployments: [
      { name: "agent", source_config: { resource_spec: { sidecars } }, source_revision_config },
      {
        ...{ name: "cloned", source: "githost" },
        source_config: { repo_url: `https://${SECRET}@git.example/team/agent` },
        source_revision_config: { agentgraph_config_path: "agentgraph.json" },
      },
    ],
  });
  const settings = { "agentgraph:controlPlaneUrl": platform.url, "agentgraph:apiKey": "the-key" };
  const { inputs, keys, files, skipped } = await adopt(settings);
  const reason = "sourceConfig.repoUrl contains a secret, which would be written to disk in plain text";
  expect(skipped).toMatchObject([{ title: "cloned", reason }]);
  expect(keys).toEqual(["agentDbPassword", "agentUpstream"]);
  expect(files).toContain('value: config.requireSecret("agentDbPassword")');
  expect(files).toContain('{ name: "MONKEY", value: "bars" }');
  const { env: imported } = (inputs[0] as never as { sourceConfig: { resourceSpec: { sidecars: [{ env: unknown }] } } })
    .sourceConfig.resourceSpec.sidecars[0];
  expect(imported).toEqual([
    { name: "DB_PASSWORD", value: ENCRYPTED },
    { name: "UPSTREAM", value: ENCRYPTED },
    { name: "MONKEY", value: "bars" },
  ]);
});

/** Returns the paths of the secrets among inputs; those that the server does not return are called empty. */
const secretsIn = (value: unknown): string[] =>
  value instanceof Secret
    ? [value.path.join(".") + (value.placeholder === "" ? " (empty)" : "")]
    : Object.values(value ?? {}).flatMap((part) => (typeof part === "object" ? secretsIn(part) : []));

test.each<[string, string, PropertyMap, string[]]>([
  ["variables", "Deployment", { secrets: { A: SECRET, B: "" } }, ["secrets.A", "secrets.B (empty)"]],
  ["headers", "Assistant", { context: { "x-api-key": SECRET, key: "plain", token: "" } }, ["context.x-api-key"]],
  ["items of lists", "Assistant", { context: { tools: [{ accessToken: SECRET }] } }, ["context.tools.0.accessToken"]],
  ["none of metadata", "Assistant", { metadata: { api_key: "plain" } }, []],
  ["none of names and values outside of env", "Assistant", { context: { list: { name: "API_KEY", value: "a" } } }, []],
])("adopt takes for secrets %s", (_what, kind, inputs, secrets) => {
  expect(secretsIn(replaceSecrets(definitionOf(kind), inputs))).toEqual(secrets);
});
