/** Prints the load time of the provider in its host, and the time until its first request arrives. */
import { createServer } from "node:http";
import { createRequire } from "node:module";

const loadModule = createRequire(`${process.cwd()}/_`);
// Modules that the host of dynamic resources loads before it evaluates the first stub.
loadModule("@pulumi/pulumi/runtime");
loadModule("@pulumi/pulumi/proto/provider_grpc_pb");
const { stubOf } = loadModule(loadModule.resolve("pulumi-agentgraph").replace(/index\.js$/, "stub.js"));

const arrived = Promise.withResolvers();
const server = createServer((_, response) => {
  arrived.resolve(performance.now());
  response.writeHead(404, { "content-type": "application/json", connection: "close" }).end('{"detail":"Not Found"}');
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const settings = {
  "agentgraph:controlPlaneUrl": `http://127.0.0.1:${server.address().port}`,
  "agentgraph:apiKey": "bench-key",
};

const begin = performance.now();
const host = { exports: {} };
new Function("exports", "require", stubOf("Deployment"))(host.exports, loadModule);
const deployment = host.exports.handler();
await deployment.configure({ config: { get: (key) => settings[key] } });
const loaded = performance.now();
// The result is irrelevant.
await deployment.read("11111111-1111-4111-8111-111111111111", { source: "external_docker" }).catch(() => undefined);
console.log(JSON.stringify({ load: loaded - begin, request: (await arrived.promise) - loaded }));
server.close();
process.exit();
