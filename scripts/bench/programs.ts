/** The measured programs, in JavaScript, so that no compiler is measured. */
import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";

/** Arguments like those of the quickstart, half of them with a second secret. */
const ARGUMENTS = `{
    source: "external_docker",
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 2, cpu: 0.5, memoryMb: 1024 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.0.0" },
    secrets: {
      MODEL_API_KEY: "not-a-real-key",
      ...(i % 2 && { DATABASE_URL: "postgres://agent@db.example.com/agent" }),
    },
  }`;

const deployments = (module: string) => `
const { Deployment } = require("${module}");
for (let i = 0; i < Number(process.env.BENCH_DEPLOYMENTS); i++) {
  new Deployment("agent-" + i, ${ARGUMENTS});
}
`;

const STUB = `exports.handler=()=>require("module").createRequire(process.cwd()+"/_")("bench-floor").Nothing`;

/** The baseline of the engine: as many resources with the same arguments, whose operations do nothing. */
const FLOOR = `
const pulumi = require("@pulumi/pulumi");
class Nothing extends pulumi.CustomResource {
  constructor(name, args) {
    super("pulumi-nodejs:dynamic/bench:Nothing", name, { name, ...args, __provider: ${JSON.stringify(STUB)} });
  }
}
for (let i = 0; i < Number(process.env.BENCH_DEPLOYMENTS); i++) {
  new Nothing("agent-" + i, ${ARGUMENTS});
}
`;

/** The provider of the baseline. It marks secrets, so that the engine encrypts as much, and does nothing else. */
const NOTHING = `
const { specialSigKey, specialSecretSig } = require("@pulumi/pulumi").runtime;
const marked = (bag) => ({
  ...bag,
  secrets: Object.fromEntries(
    Object.entries(bag.secrets).map(([name, value]) => [name, { [specialSigKey]: specialSecretSig, value }]),
  ),
});
exports.Nothing = {
  check: async (olds, news) => ({ inputs: marked(news), failures: [] }),
  diff: async () => ({ changes: false }),
  create: async (inputs) => ({ id: inputs.name, outs: marked(inputs) }),
  read: async (id, props) => ({ id, props: marked(props), inputs: marked(props) }),
  update: async (id, olds, news) => ({ outs: marked(news) }),
  delete: async () => {},
};
`;

export const writeDeployments = (folder: string) => writeProgram(folder, deployments("pulumi-agentgraph"));

/** The same with the native provider. @param plugin Folder of the plugin. */
export async function writeNative(folder: string, plugin: string) {
  await writeProgram(folder, deployments("pulumi-agentgraph/native"));
  const text = `plugins: { providers: [{ name: agentgraph, path: ${JSON.stringify(plugin)} }] }\n`;
  await appendFile(join(folder, "Pulumi.yaml"), text);
  return folder;
}

export async function writeFloor(folder: string) {
  await writeProgram(folder, FLOOR);
  const floor = join(folder, "node_modules", "bench-floor");
  await mkdir(floor);
  await writeFile(join(floor, "index.js"), NOTHING);
  return folder;
}

async function writeProgram(folder: string, text: string) {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@pulumi"), { recursive: true });
  await symlink(ROOT, join(modules, "pulumi-agentgraph"));
  await symlink(join(ROOT, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
  await writeFile(
    join(folder, "Pulumi.yaml"),
    "name: bench\nruntime: { name: nodejs, options: { typescript: false } }\n",
  );
  await writeFile(join(folder, "package.json"), '{ "name": "bench", "private": true, "main": "index.js" }\n');
  await writeFile(join(folder, "index.js"), text);
  return folder;
}
