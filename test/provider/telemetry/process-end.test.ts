/** The end of a provider's process, as the engine ends it: what a collector still receives. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startCollector } from "../../support/servers/collector";
import { closedPort, TestServer } from "../../support/servers/server";

const provider = JSON.stringify(join(__dirname, "../../../dist/provider"));

/**
 * Starts a provider that reads a deployment from a server that never responds, and interrupts it during the request.
 */
async function interrupt(endpoint: string) {
  const received = Promise.withResolvers<void>();
  const server = await TestServer.start([() => received.resolve()]);
  const settings = { controlPlaneUrl: server.url.origin, apiKey: "canary-of-the-api-key" };
  const program = `
    const { Deployment } = require(${provider});
    const settings = ${JSON.stringify(settings)};
    Deployment.configure({ config: { get: (key) => settings[key.replace("agentgraph:", "")] } });
    Deployment.read("id", { __urn: "urn:pulumi:dev::p::t::agent", __schema: 1 });`;
  const child = spawn(process.execPath, ["-e", program, "--", "host", "127.0.0.1:9"], {
    env: { ...process.env, PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const stderr: string[] = [];
  child.stderr.on("data", (data) => stderr.push(String(data)));
  await received.promise;
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  return { code, stderr: stderr.join("") };
}

test("An interrupted provider exports the spans that have not ended, as failed ones", async () => {
  const collector = await startCollector();
  expect(await interrupt(collector.endpoint)).toEqual({ code: 0, stderr: "" });
  const error = "The process ended before.";
  expect(collector.spans).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "Deployment refresh", error }),
      expect.objectContaining({ name: "GET /v2/deployments/id", error }),
    ]),
  );
  expect(collector.received.join()).not.toContain("canary");
});

test("An interrupted provider ends also when the collector is unreachable, with a warning", async () => {
  const { code, stderr } = await interrupt(`127.0.0.1:${await closedPort()}`);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: Traces are incomplete: the collector .+\n$/);
});
