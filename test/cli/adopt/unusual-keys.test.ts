/** `agentgraph adopt` with keys that have a meaning in JavaScript, or look like internal ones. */
import { runInNewContext } from "node:vm";
import { type AdoptionResult, discoverResources } from "../../../cli/adopt/adopt-resource";
import { declareAll } from "../../../cli/adopt/program/declarations";
import { formatDynamicImportFile } from "../../../cli/adopt/program/import-file";
import { formatSources, typescript } from "../../../cli/adopt/program/typescript";
import { type Platform, startPlatform } from "../../support/platform";
import { startRewritingProxy } from "../../support/servers/rewriting-proxy";

const KEYS = ["constructor", "toString", "__token"];
const map = (value: string): Record<string, string> => Object.fromEntries(KEYS.map((key) => [key, value]));

async function create(platform: Platform, name: string, secretNames: string[], labels: object): Promise<string> {
  const { body, status } = await platform.call("POST", "/v2/deployments", {
    ...{ name, source: "external_docker" },
    source_config: { resource_spec: { labels } },
    source_revision_config: { image_uri: "registry.example.com/agent:1" },
    secrets: secretNames.map((secret) => ({ name: secret, value: "1" })),
  });
  expect(status).toBe(201);
  return body.id;
}

/** Adopts all deployments, and the threads of some that have these metadata. */
async function adopt(platform: Platform, threadsOf: string[] = [], metadata = {}): Promise<AdoptionResult> {
  const only = ["deployments", "threads"] as const;
  const filter = { only, includeEnded: false, includeOwned: false, agentUrls: [], threadsOf, metadata };
  const config = { "agentgraph:controlPlaneUrl": platform.url, "agentgraph:apiKey": "the-key" };
  return discoverResources(filter, undefined, config, typescript);
}

it("adopt declares secrets, labels and metadata with such keys, and keeps them in the import file", async () => {
  const platform = await startPlatform();
  const id = await create(platform, "agent", KEYS, map("x"));
  await platform.advance(60_000);
  await platform.call("POST", `/agents/${id}/threads`, { metadata: { graph_id: "echo", ...map("x") } });
  const { all, skipped, names } = await adopt(platform, [id], { constructor: "x" });
  expect(skipped).toEqual([]);
  const [deployment, thread] = all;
  expect(deployment?.inputs).toMatchObject({ sourceConfig: { resourceSpec: { labels: map("x") } } });
  expect(Object.keys(deployment?.inputs.secrets as object).sort()).toEqual(KEYS.toSorted());
  expect(thread?.inputs).toMatchObject({ metadata: { graph_id: "echo", ...map("x") } });

  const { declarations, secrets } = declareAll(all, names);
  const files = formatSources(declarations);
  expect(secrets.map(({ path }) => path).sort()).toEqual(KEYS.map((key) => `secrets.${key}`).sort());
  const created: { args: { secrets?: object; metadata?: object } }[] = [];
  const code = (files["index.ts"] ?? "").replace(/^import .*$/gm, "").replaceAll("export ", "");
  runInNewContext(code, {
    pulumi: {
      Config: class {
        requireSecret = (key: string) => key;
      },
    },
    agentgraph: Object.fromEntries(
      ["Deployment", "Thread"].map((kind) => [
        kind,
        class {
          constructor(_name: string, args: object) {
            created.push({ args });
          }
        },
      ]),
    ),
  });
  expect(Object.keys(created[0]?.args.secrets ?? {}).sort()).toEqual(KEYS.toSorted());
  expect(Object.keys(created[1]?.args.metadata ?? {})).toEqual(expect.arrayContaining(KEYS));

  const [imported] = JSON.parse(formatDynamicImportFile(all)).resources;
  expect(Object.keys(imported.inputs.secrets).sort()).toEqual(KEYS.toSorted());
  expect(imported.inputs.sourceConfig.resourceSpec.labels).toEqual(map("x"));
});

it("adopt skips a deployment with a key that Pulumi would drop, and names the key", async () => {
  const platform = await startPlatform();
  await create(platform, "agent", ["A", "__proto__"], {});
  const { all, skipped } = await adopt(platform);
  expect(all).toEqual([]);
  expect(skipped).toMatchObject([
    { title: "agent", reason: expect.stringContaining("secrets.__proto__ is not supported") },
  ]);
});

it("adopt declares the agent of a deployment without a name, and skips one whose agent is hidden", async () => {
  const platform = await startPlatform();
  const names = ["nameless", "bound", "agent"] as const;
  const [nameless, bound, named] = await Promise.all(names.map((name) => create(platform, name, [], {})));
  await platform.advance(60_000);
  const proxy = await startRewritingProxy(platform, (remote) => {
    if (remote.id !== named) remote.name = null as never;
    if (remote.id === bound) Object.assign(remote, { agent: { agent_id: "checkout", environment: "production" } });
  });
  const { all, skipped, names: used } = await adopt({ ...platform, url: proxy.url });
  expect(all.map(({ id }) => id).sort()).toEqual([bound, named].sort());
  const { variable } = all.find(({ id }) => id === bound) ?? {};
  const declared = declareAll(all, used).declarations.find((one) => one.variable === variable);
  expect(declared?.inputs).toMatchObject({ agent: { agentId: "checkout", environment: "production" } });
  expect(declared?.inputs).not.toHaveProperty("name");
  expect(skipped).toMatchObject([{ id: nameless }]);
  expect(JSON.stringify(skipped)).toContain("it has no name, and the server does not show the agent that it runs");
});
