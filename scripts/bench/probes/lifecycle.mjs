/** Prints the mean duration of check and diff of the built provider, without the engine. */
import { createRequire } from "node:module";

const CALLS = 2000;
const loadModule = createRequire(`${process.cwd()}/_`);
const { Deployment } = loadModule("pulumi-agentgraph/provider");
const settings = { "agentgraph:controlPlaneUrl": "http://127.0.0.1:1", "agentgraph:apiKey": "bench-key" };

const inputs = (i, tag = "1.0.0") => ({
  source: "external_docker",
  name: `agent-${i}`,
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: `registry.example.com/agents/agent-${i}:${tag}` },
  secrets: { MODEL_API_KEY: `model-key-${i}`, DATABASE_URL: `postgres://agent@db.example.com/agent_${i}` },
  __urn: `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/agentgraph:Deployment::agent-${i}`,
});
const outputs = (i) => ({
  ...inputs(i),
  status: "READY",
  __schema: 1,
  __server: { origin: "http://127.0.0.1:1", tenant: "t" },
});

async function mean(call) {
  for (let i = 0; i < 100; i++) await call(i);
  const begin = performance.now();
  for (let i = 0; i < CALLS; i++) await call(i);
  return (performance.now() - begin) / CALLS;
}

async function passed(i) {
  const { failures } = await Deployment.check({}, inputs(i));
  if (failures.length > 0) throw new Error(`check failed: ${JSON.stringify(failures)}`);
}

async function differs(i, tag, expected) {
  const { changes } = await Deployment.diff("id", outputs(i), inputs(i, tag));
  if (changes !== expected) throw new Error(`diff returned ${changes}`);
}

await Deployment.configure({ config: { get: (key) => settings[key] } });
const check = await mean(passed);
const same = await mean((i) => differs(i, "1.0.0", false));
const changed = await mean((i) => differs(i, "2.0.0", undefined));
console.log(JSON.stringify({ check, same, changed, calls: CALLS }));
