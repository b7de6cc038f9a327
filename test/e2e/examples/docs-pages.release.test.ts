/** Documentation pages are followed: their files are saved, their commands run, and the output must be as shown. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Emulator, type Seed, startEmulator } from "../../../emulator/src";
import { blocksOf, documents, SKILL } from "../../docs/support/markdown";
import { runEnvironment } from "../../support/run/environment";
import { freePorts } from "../../support/servers/ports";
import { ROOT } from "../support/packages/checkout";
import { npmSettings } from "../support/packages/npm-settings";
import { World } from "../support/world";
import { missingLines, runPage } from "./docs-page";

const world = new World();
const run = promisify(execFile);

/** Replaces the port of `agentgraph-emulator start`, since several emulators run at once, and speeds it up. */
async function portReplacements(): Promise<Record<string, string>> {
  const port = await freePorts();
  return {
    "127.0.0.1:7420": `127.0.0.1:${port}`,
    "agentgraph-emulator start": `agentgraph-emulator start --port ${port} --speed 10`,
  };
}

/** Packs the packages into the folder that the page uses. */
async function packPackages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const which of [[], ["-w", "emulator"]]) {
    const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder, ...which];
    await run("npm", args, { cwd: ROOT });
  }
}

/** Links the SDK of this checkout in place of a download. */
const linkSdk = `mkdir -p node_modules/@pulumi
ln -s ${ROOT}/node_modules/@pulumi/pulumi node_modules/@pulumi/`;
/** Links the compiler of this checkout in place of a download. */
const linkCompiler = `mkdir -p node_modules/@types && ln -s ${ROOT}/node_modules/typescript node_modules/
ln -s ${ROOT}/node_modules/@types/node node_modules/@types/`;
const installHere = "npm install --legacy-peer-deps --prefer-offline ";

let environment: Record<string, string | undefined>;
/** The packages, installed once for all pages but the first. */
let modules: string;
beforeAll(async () => {
  const home = await world.createFolder("reader");
  await packPackages(join(home, "packages"));
  environment = {
    ...runEnvironment(),
    ...{ HOME: home, NO_COLOR: "1", PULUMI_SKIP_UPDATE_CHECK: "true" },
    ...(await npmSettings()),
    ...{ npm_config_audit: "false", npm_config_fund: "false" },
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  const cwd = await world.createFolder("installed");
  await writeFile(join(cwd, "package.json"), '{ "private": true }\n');
  await run("bash", ["-ec", `${installHere} ~/packages/*.tgz\n${linkSdk}`], { cwd, env: environment });
  modules = join(cwd, "node_modules");
});

test("docs/getting-started.md can be followed from an empty folder, with the output that it shows", async () => {
  const page = "docs/getting-started.md";
  const folder = await world.createFolder("beginner");
  const replacements = {
    ...(await portReplacements()),
    "npm install @pulumi/pulumi ": installHere,
    "npm install --save-dev typescript @types/node": linkCompiler,
    "npx agentgraph-emulator start": `${linkSdk}\nnpx agentgraph-emulator start`,
    // Types are checked, as the mistake of which the page speaks shows; after that, runs save the time.
    "pulumi config set --secret agentgraph:apiKey any-key\n": `pulumi config set --secret agentgraph:apiKey any-key
sed -i.right 's/cpu: 0.5/cpu: "0.5"/' index.ts
if pulumi preview > mistake; then exit 1; fi
grep -F "Type 'string' is not assignable to type 'Input<number | undefined>'" mistake
mv index.ts.right index.ts
export PULUMI_NODEJS_TRANSPILE_ONLY=true\n`,
  };
  const pageRun = await runPage(page, { folder, replacements: replacements, env: environment });
  expect(missingLines(page, pageRun)).toEqual([]);
  // The picture of a rollout in the README shows the same runs.
  const printed = masked([...pageRun.outputs.values()].join("\n"));
  const picture = await readFile(join(ROOT, "docs/images/rollout.svg"), "utf8");
  const rows = Map.groupBy(picture.matchAll(/ y="(\d+)".*>([^<]+)<\/text>/g), ([, y]) => y).values();
  const shown = [...rows]
    .map((row) => row.map(([, , text = ""]) => masked(text.replace(/^\| /, ""))))
    .filter((row) => !row.some((text) => /^\$|^…$|^updating \(/.test(text)))
    .flat();
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((line) => !printed.includes(line))).toEqual([]);
});

/** Replaces what differs from run to run: IDs, durations and counts. */
const masked = (text: string) => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+(\.\d+)?/g, "#");

/** What a page assumes, besides a project with the packages and a stack. */
interface PageSetup {
  /** Objects on the server. */
  seed?: Seed;
  /** Commands that a reader has run before. */
  setup?: string;
  /** Replacements for texts of the page. */
  replacements?: (emulator: Emulator) => Record<string, string> | Promise<Record<string, string>>;
}

const TENANT = "11111111-1111-4111-8111-111111111111";
const image = (name: string) => ({ source_revision_config: { image_uri: `registry.example.com/${name}:1.4.2` } });

/** The key of the environment has expired, and there is a new one. */
const ROTATED_KEYS = {
  keys: [
    { key: "any-key", workspaces: [TENANT], expires_at: "2025-01-01T00:00:00Z" },
    { key: "new-key", workspaces: [TENANT] },
  ],
};

/** The program that `docs/getting-started.md` writes. */
const program = blocksOf("docs/getting-started.md").find(({ notes }) => notes.file === "index.ts");
const PROGRAM = `cat > index.ts <<'END_OF_FILE'\n${program?.text}END_OF_FILE`;

const pages: Record<string, PageSetup> = {
  "docs/backups.md": {},
  "docs/deployment.md": {
    setup: `mkdir agent && echo '{"graphs": {"agent": "./agent.py:graph"}}' > agent/agentgraph.json
pulumi config set-all --plaintext listenerId=22222222-2222-4222-8222-222222222222 \
  --plaintext integrationId=33333333-3333-4333-8333-333333333333 \
  --secret modelApiKey=a-key`,
  },
  "docs/assistant.md": {},
  "docs/cron.md": {},
  "docs/thread.md": {},
  "docs/exports.md": {
    setup: `curl --silent --fail -X PUT "$AGENTGRAPH_URL/_emulator/buckets/traces"
pulumi config set-all --secret accessKeyId="$BUCKET_KEY" --secret secretAccessKey="$BUCKET_SECRET"
pulumi config set exportsSince $(date -u +%Y-%m-%dT00:00:00Z)`,
    replacements: ({ bucket }) => ({ 'region: "eu-central-1"': `endpointUrl: "${bucket.url}"` }),
  },
  "docs/functions.md": {
    seed: {
      deployments: [{ name: "support-agent", ...image("support-agent") }],
      listeners: [{ compute_type: "k8s", compute_id: "eu-west", compute_config: { k8s_namespaces: ["agents"] } }],
    },
  },
  "docs/adopting.md": {
    seed: {
      deployments: [
        {
          ...{ id: "29f2d92c-1c20-4e9d-9d8c-4db3ec535942", name: "support-agent", ...image("support-agent") },
          secrets: [{ name: "MODEL_API_KEY", value: "a-key" }],
        },
      ],
    },
    setup: "pulumi config set --secret modelApiKey a-key",
    replacements: ({ urls }) => ({
      "https://agents.example.com AGENTGRAPH_API_KEY=…": `${urls.controlPlane} AGENTGRAPH_API_KEY=any-key`,
      "npm install": "ln -s ../node_modules node_modules",
      "pulumi import": "pulumi config set --secret supportAgentModelApiKey a-key\npulumi import",
      "pulumi preview --refresh": "pulumi preview --refresh --expect-no-changes",
    }),
  },
  "docs/testing.md": {},
  "docs/day-2.md": {
    setup: "pulumi config set --secret agentgraph:apiKey any-key",
    replacements: ({ urls }) => ({
      // What it shows is what previews say; those of its updates would only cost time.
      "pulumi up": "pulumi up --skip-preview",
      "pulumi config set --secret agentgraph:apiKey <new key>": `data='${JSON.stringify(ROTATED_KEYS)}'
curl --fail --silent --output /dev/null --data "$data" ${urls.admin}/seed
pulumi config set --secret agentgraph:apiKey new-key`,
    }),
  },
  "docs/pipelines.md": { setup: PROGRAM },
  "docs/troubleshooting.md": { setup: PROGRAM },
  "docs/emulator.md": { setup: PROGRAM, replacements: portReplacements },
  "docs/verified-rollouts.md": {
    setup: `curl --silent --fail --output /dev/null "$AGENTGRAPH_URL/_emulator/faults" --data '{"method": "POST",
"path": "/agents/*/runs/wait", "skip": 1, "times": 3, "status": 200,
"body": {"messages": [{"type": "ai", "content": "I am sorry, I do not know."}]}}'`,
  },
  // It begins in the project of a user, with nothing in the environment.
  [SKILL]: {
    setup: "unset AGENTGRAPH_URL AGENTGRAPH_API_KEY PULUMI_BACKEND_URL PULUMI_CONFIG_PASSPHRASE",
    replacements: portReplacements,
  },
  "docs/settings.md": {
    setup: "export STAGING_API_KEY=a-key",
    replacements: ({ urls }) => ({ "https://agents.example.com": urls.controlPlane, "<key>": "a-key" }),
  },
};

/**
 * Creates a project with the packages in a new folder. It uses ES modules, since the programs of the pages use
 * top-level await.
 */
async function project(name: string): Promise<string> {
  const folder = await world.createFolder(`${name}/my-agents`);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await writeFile(join(folder, "Pulumi.yaml"), "name: my-agents\nruntime: nodejs\n");
  await symlink(modules, join(folder, "node_modules"));
  return folder;
}

test.concurrent.each(Object.keys(pages))(
  "the commands and programs of %s run and print the output that it shows",
  async (page) => {
    const { seed, setup = "", replacements } = pages[page] ?? {};
    const emulator = await startEmulator({ strict: true, speed: "instant" });
    try {
      if (seed) await emulator.seed(seed);
      const name = page.replace(/\W/g, "-");
      const env = {
        ...environment,
        ...{
          PULUMI_BACKEND_URL: `file://${await world.createFolder(`${name}/state`)}`,
          PULUMI_CONFIG_PASSPHRASE: "try",
        },
        ...{ AGENTGRAPH_URL: emulator.urls.controlPlane },
        ...{ AGENTGRAPH_API_KEY: "any-key", AGENTGRAPH_TENANT_ID: TENANT, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
        ...{ BUCKET_KEY: emulator.bucket.accessKeyId, BUCKET_SECRET: emulator.bucket.secretAccessKey },
      };
      const pageRun = await runPage(page, {
        folder: await project(name),
        env,
        setup: `pulumi stack init production\n${setup}`,
        replacements: await replacements?.(emulator),
      });
      expect(pageRun.outputs.size).toBeGreaterThan(0);
      expect(missingLines(page, pageRun)).toEqual([]);
    } finally {
      await emulator.stop();
    }
  },
);

test("every page with commands to run is tested", () => {
  const followed = ["docs/getting-started.md", ...Object.keys(pages)];
  const withCommands = documents().filter((file) => blocksOf(file).some(({ notes }) => notes.run !== undefined));
  expect(withCommands.sort()).toEqual(followed.sort());
});
