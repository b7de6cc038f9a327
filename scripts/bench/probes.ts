/** `node probes.ts NAME` measures in a fresh process, and prints the milliseconds as JSON. */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";

type Provider = typeof import("../../dist/provider/index.js");

const CALLS = 2000;
const settings: Record<string, string> = { "agentgraph:apiKey": "bench-key" };
const config = { config: { get: (key: string) => settings[key], require: (key: string) => settings[key] ?? "" } };

/** Modules of this checkout, loaded as CommonJS like those of a program. */
const load = createRequire(import.meta.url);

/** The SDK, after @pulumi/pulumi. */
function sdk() {
  load("@pulumi/pulumi");
  const begin = performance.now();
  load("../../dist/sdk/nodejs/index.js");
  return { load: performance.now() - begin };
}

/** The provider in its host, and then the time until its first request arrives. */
async function provider() {
  // What the host of dynamic resources loads before it evaluates the first stub.
  load("@pulumi/pulumi/runtime");
  load("@pulumi/pulumi/proto/provider_grpc_pb");
  const { stubOf }: typeof import("../../dist/sdk/nodejs/stub.js") = load("../../dist/sdk/nodejs/stub.js");
  const arrived = Promise.withResolvers<number>();
  const server = createServer((_, response) => {
    arrived.resolve(performance.now());
    response.writeHead(404, { "content-type": "application/json", connection: "close" }).end('{"detail":"Not Found"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  settings["agentgraph:controlPlaneUrl"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const begin = performance.now();
  const host: { handler?: () => Provider["Deployment"] } = {};
  new Function("exports", "require", stubOf("Deployment"))(host, load);
  const deployment = host.handler?.();
  await deployment?.configure(config);
  const loaded = performance.now();
  // The result is irrelevant.
  await deployment?.read("11111111-1111-4111-8111-111111111111", { source: "external_docker" }).catch(() => undefined);
  const request = (await arrived.promise) - loaded;
  server.close();
  return { load: loaded - begin, request };
}

/** One call of check and of diff, without the engine. */
async function lifecycle() {
  const { Deployment }: Provider = load("../../dist/provider/index.js");
  settings["agentgraph:controlPlaneUrl"] = "http://127.0.0.1:1";
  await Deployment.configure(config);
  const check = await mean(async (i) => {
    const { failures = [] } = await Deployment.check({}, inputs(i));
    if (failures.length > 0) throw new Error(`check failed: ${JSON.stringify(failures)}`);
  });
  const differ = (tag: string, expected?: boolean) => async (i: number) => {
    const { changes } = await Deployment.diff("id", outputs(i), inputs(i, tag));
    if (changes !== expected) throw new Error(`diff returned ${changes}`);
  };
  return { check, same: await mean(differ("1.0.0", false)), changed: await mean(differ("2.0.0")) };
}

const inputs = (i: number, tag = "1.0.0") => ({
  source: "external_docker",
  name: `agent-${i}`,
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: `registry.example.com/agents/agent-${i}:${tag}` },
  secrets: { MODEL_API_KEY: `model-key-${i}`, DATABASE_URL: `postgres://agent@db.example.com/agent_${i}` },
  __urn: `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/agentgraph:Deployment::agent-${i}`,
});

const outputs = (i: number) => ({
  ...inputs(i),
  status: "READY",
  __schema: 1,
  __server: { origin: "http://127.0.0.1:1", tenant: "t" },
});

async function mean(call: (i: number) => Promise<unknown>) {
  for (let i = 0; i < 100; i++) await call(i);
  const begin = performance.now();
  for (let i = 0; i < CALLS; i++) await call(i);
  return (performance.now() - begin) / CALLS;
}

const probes: Record<string, () => object | Promise<object>> = { sdk, provider, lifecycle };
console.log(JSON.stringify(await probes[process.argv[2] ?? ""]?.()));
process.exit();
