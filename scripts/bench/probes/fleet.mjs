/** Prints what creates, reads and deletes of many deployments cost the built provider and the emulator, without the engine. */
import { createRequire } from "node:module";
import { costOfProcess } from "../scale/usage.mjs";

const { FLEET_SIZE, FLEET_PARALLEL, FLEET_URL, FLEET_EMULATOR } = process.env;
const settings = { "agentgraph:controlPlaneUrl": FLEET_URL, "agentgraph:apiKey": "bench-key" };
const require = createRequire(`${process.cwd()}/_`);
const { specialSigKey } = require("@pulumi/pulumi").runtime;

/** Loads the provider again, as each command does. */
async function load() {
  for (const file of Object.keys(require.cache))
    if (/[\\/]dist[\\/]provider[\\/]/.test(file)) delete require.cache[file];
  const { Deployment } = require("pulumi-agentgraph/provider");
  await Deployment.configure({ config: { get: (key) => settings[key] } });
  return Deployment;
}

const inputsOf = (i) => ({
  source: "external_docker",
  name: `agent-${i}`,
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 2, cpu: 0.5, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.0.0" },
  secrets: { MODEL_API_KEY: "not-a-real-key" },
  __provider: "bench",
  __urn: `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/agentgraph:Deployment::agent-${i}`,
});

/** Returns a value with its secrets in plain text, as the engine passes them on. */
function plain(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (specialSigKey in value) return plain(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
}

async function measure(work) {
  const items = Array.from({ length: Number(FLEET_SIZE) }, (_, i) => i).values();
  const [begin, cpu, emulator] = [performance.now(), process.cpuUsage(), costOfProcess(FLEET_EMULATOR)];
  const worker = async () => {
    for (const i of items) await work(i);
  };
  await Promise.all(Array.from({ length: Number(FLEET_PARALLEL) }, worker));
  const { user, system } = process.cpuUsage(cpu);
  const after = costOfProcess(FLEET_EMULATOR);
  return {
    seconds: (performance.now() - begin) / 1000,
    cpu: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    emulator: { cpu: after.seconds - emulator.seconds, megabytes: after.megabytes },
  };
}

const [created, creator] = [[], await load()];
const create = await measure(async (i) => {
  const { inputs, failures } = await creator.check({}, inputsOf(i));
  if (failures.length > 0) throw new Error(`check failed: ${JSON.stringify(failures)}`);
  created[i] = await creator.create(plain(inputs));
});
const reader = await load();
const read = await measure((i) => reader.read(created[i].id, plain(created[i].outs)));
const deleter = await load();
const remove = await measure((i) => deleter.delete(created[i].id, plain(created[i].outs)));
console.log(JSON.stringify({ create, read, delete: remove }));
process.exit();
