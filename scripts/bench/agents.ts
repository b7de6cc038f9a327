/** `npm run bench`: agents that the emulator runs as processes, and the way of requests to them. */
import { readFile, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { type Figure, median } from "./figures.ts";
import type { Sandbox } from "./sandbox.ts";

const ROLLOUTS = 9;
const REQUESTS = 2000;
const AGENTS = 20;

/** Responds with its version, and needs nothing. */
const SERVER = `
import { createServer } from "node:http";
createServer((_, response) => response.end(process.env.VERSION)).listen(process.env.PORT, "127.0.0.1");
`;

/**
 * Returns the results for agents. Simulated pauses take no time, so that what is measured is the work of the emulator.
 */
export async function agents({ node, folder, startEmulator }: Sandbox): Promise<Figure[]> {
  const server = join(folder, "server.mjs");
  const file = join(folder, "agents.yaml");
  await writeFile(server, SERVER);
  await writeFile(file, JSON.stringify({ agents: [{ start: [node, server], folder }] }));
  const emulator = await startEmulator("instant", ["--agents", file]);
  const id = await deploy(emulator, "one");
  await untilVersion(emulator, id, "1");
  const rollout = median(await rollouts(emulator, id));
  const { port } = (await describe(emulator, id)).process;
  const connections = new Agent({ keepAlive: true });
  const direct = await requestTime(`http://127.0.0.1:${port}/`, connections);
  const proxied = await requestTime(`${emulator}/agents/${id}/`, connections);
  connections.destroy();
  const { pid } = await send<{ pid: number }>(emulator, "GET", "/_emulator/health");
  const before = await memoryMb(pid);
  const { seconds, agentMb } = await twenty(emulator);
  const grown = (await memoryMb(pid)) - before;
  return [
    {
      ...{ what: "PATCH to the new agent's response", unit: "ms", most: 500, measured: rollout },
      how: `an agent of Node.js without dependencies, simulated pauses skipped, median of ${ROLLOUTS}`,
    },
    {
      ...{ what: "Proxy, per request", unit: "ms", most: 1, measured: proxied - direct },
      how:
        `median of ${REQUESTS} requests to /agents/ID/ (${proxied.toFixed(2)} ms) less that of the agent itself ` +
        `(${direct.toFixed(2)} ms)`,
    },
    {
      ...{ what: `${AGENTS} agents`, unit: "s", most: 10, measured: seconds },
      how:
        `from the first POST until all respond; each process has ${agentMb} MB, and the emulator grows by ` +
        `${grown} MB`,
    },
  ];
}

async function rollouts(emulator: string, id: string) {
  const times: number[] = [];
  for (let n = 2; n < 2 + ROLLOUTS; n++) {
    const begin = performance.now();
    await send(emulator, "PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "VERSION", value: `${n}` }] });
    await untilVersion(emulator, id, `${n}`);
    times.push(performance.now() - begin);
  }
  return times;
}

async function twenty(emulator: string) {
  const begin = performance.now();
  const ids = await Promise.all(Array.from({ length: AGENTS }, (_, n) => deploy(emulator, `agent-${n}`)));
  await Promise.all(ids.map((id) => untilVersion(emulator, id, "1")));
  const seconds = (performance.now() - begin) / 1000;
  const processes = await Promise.all(ids.map(async (id) => (await describe(emulator, id)).process.pid));
  return { seconds, agentMb: median(await Promise.all(processes.map(memoryMb))) };
}

async function deploy(emulator: string, name: string) {
  const { id } = await send<{ id: string }>(emulator, "POST", "/v2/deployments", {
    ...{ name, source: "external_docker", source_config: {}, source_revision_config: { image_uri: "agent:1" } },
    secrets: [{ name: "VERSION", value: "1" }],
  });
  return id;
}

const describe = (emulator: string, id: string) =>
  send<{ process: { port: number; pid: number } }>(emulator, "GET", `/_emulator/agents/${id}`);

async function untilVersion(emulator: string, id: string, version: string) {
  for (;;) {
    const response = await fetch(`${emulator}/agents/${id}/`);
    const text = await response.text();
    if (response.status === 200 && text === version) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Returns the median duration of requests on one connection, in milliseconds. */
async function requestTime(url: string, agent: Agent) {
  const times: number[] = [];
  for (let n = -200; n < REQUESTS; n++) {
    const begin = performance.now();
    await new Promise((resolve, reject) => {
      get(url, { agent }, (response) => response.resume().once("end", resolve)).once("error", reject);
    });
    if (n >= 0) times.push(performance.now() - begin);
  }
  return median(times);
}

/** Returns the resident memory of a process; only Linux has it in a file. */
async function memoryMb(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
}

async function send<T>(emulator: string, method: string, path: string, body?: object): Promise<T> {
  const headers = { "content-type": "application/json", "x-api-key": "bench-key" };
  const response = await fetch(`${emulator}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
