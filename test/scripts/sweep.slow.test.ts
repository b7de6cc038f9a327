/** Which servers a sweep of the acceptance suite asks, and that it is never green where it could not look. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { runEnvironment } from "../support/run/environment";

type Routes = Readonly<Record<string, readonly [status: number, json: object]>>;

/** Sweeps a server that is a website at other paths than these. */
async function sweep(routes: Routes, path: string, options: string[] = []) {
  const removed: string[] = [];
  const server = createServer(({ method, url = "" }, response) => {
    if (method === "DELETE") removed.push(url);
    const [status, json] = routes[url.replace(/\?.*/, "")] ?? [method === "DELETE" ? 202 : 200, "<html>"];
    const body = JSON.stringify(/offset=[1-9]/.test(url) ? { resources: [] } : json);
    response.writeHead(status).end(body.replaceAll("BASE", base));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const main = join(__dirname, "../../acceptance/main.ts");
  const env = { ...runEnvironment(), AGENTGRAPH_URL: base + path };
  const args = [main, "--sweep", "--yes", ...options.map((option) => option.replace("BASE", base))];
  const child = spawn(process.execPath, args, { env });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  server.close();
  return { code: child.exitCode, removed, output: (output + errors).replaceAll(base, "") };
}

const deployments = { resources: [{ id: "1", name: "acceptance-200101000000-abcd-life" }] };
const DESTINATIONS = "/api/v1/bulk-exports/destinations";

it.each(["/", "/api/v1", "/api-host/v2"])("A sweep finds a control plane below a base URL: %s", async (path) => {
  const routes: Routes = { "/api-host/v2/deployments": [200, deployments], [DESTINATIONS]: [200, []] };
  expect(await sweep(routes, path)).toMatchObject({ code: 0, removed: ["/api-host/v2/deployments/1"] });
});

const LIMITED: Routes = { "/v2/deployments": [200, deployments], [DESTINATIONS]: [403, {}] };
const agent = { id: "2", name: "agent", source_config: { custom_url: "BASE/agent" } };
const CLOSED: Routes = { "/v2/deployments": [200, { resources: [agent] }], [DESTINATIONS]: [200, []] };
it.each<[string, Routes, string[], string]>([
  ["of a website removes nothing and fails", {}, [], "Set AGENTGRAPH_CONTROL_PLANE_URL and AGENTGRAPH_TRACING_API_URL"],
  ["fails where that of --agent-url lists nothing", CLOSED, [], "server /agent"],
  ["succeeds where only that of others, where no run stores anything, lists nothing", CLOSED, [], "server /agent"],
  ["fails also where only the exports cannot be listed", LIMITED, ["/v2/deployments/1"], DESTINATIONS],
])("A sweep %s", async (what, routes, deleted, message) => {
  const { code, removed, output } = await sweep(routes, "/", /-url/.test(what) ? ["--agent-url", "BASE/agent"] : []);
  expect([code === 0, removed, output]).toEqual([/^succeeds/.test(what), deleted, expect.stringContaining(message)]);
});
