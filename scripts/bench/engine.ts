/** Benchmarks with the real engine. The request log of the emulator counts requests. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cli, Sandbox } from "./sandbox.ts";

/** A result, with its target. */
export interface Figure {
  what: string;
  unit: string;
  most?: number;
  least?: number;
  measured: number;
  how: string;
}

/** A request in the log of the emulator. */
interface LoggedRequest {
  method: string;
  path: string;
  query: Record<string, unknown>;
}

interface StateResource {
  type: string;
  inputs: { secrets: object };
  outputs: { __provider: string };
}

const MANY = 100;
const ROLLOUTS = 8;
const TYPE = "pulumi-nodejs:dynamic/agentgraph:Deployment";

/** Measures one stack of 100 deployments: create, no-op update, preview, refresh and export. */
export async function manyDeployments(
  { startEmulator, stack }: Sandbox,
  now: (status: string) => void,
): Promise<Figure[]> {
  const emulator = await startEmulator("instant");
  const pulumi = await stack("many", emulator, MANY);
  const requestsOf = async (...command: string[]) => {
    now(`pulumi ${command[0]} of ${MANY} deployments`);
    await fetch(`${emulator}/_emulator/request-log`, { method: "DELETE" });
    await pulumi(...command);
    const log = (await (await fetch(`${emulator}/_emulator/request-log`)).json()) as { entries: LoggedRequest[] };
    return log.entries;
  };
  const created = await requestsOf("up", "--yes", "--skip-preview");
  const again = await requestsOf("up", "--yes", "--skip-preview", "--expect-no-changes");
  const previewed = await requestsOf("preview", "--expect-no-changes");
  const refreshed = await requestsOf("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  const exported = await pulumi("stack", "export");
  const all: StateResource[] = JSON.parse(exported).deployment.resources;
  const resources = all.filter(({ type }) => type === TYPE);
  if (resources.length !== MANY) throw new Error(`${resources.length} of ${MANY} deployments are in the state.`);
  const stub = Math.max(...resources.map(({ outputs }) => Buffer.byteLength(outputs.__provider)));
  const bytes = (secrets: number) => {
    const some = resources.filter(({ inputs }) => Object.keys(inputs.secrets).length === secrets);
    return Math.max(...some.map((resource) => Buffer.byteLength(JSON.stringify(resource))));
  };
  const lists = created.filter(({ method, path }) => method === "GET" && path === "/v2/deployments");
  const lookUps = lists.filter(({ query }) => !query.deployment_ids).length;
  const rest = `; with ${lists.length - lookUps} shared polls, ${created.length} requests in total`;
  return [
    figure("Bytes of __provider", "", 128, stub, "the longest in the exported state"),
    figure("Requests of a no-op update", "", 0, again.length, `request log, ${MANY} deployments`),
    figure("Requests of a preview", "", 0, previewed.length, `request log, ${MANY} deployments without changes`),
    figure("Requests of a refresh", "", 3, refreshed.length, `request log, ${MANY} deployments, all requests`),
    figure(
      "List requests of creates",
      "",
      5,
      lookUps,
      `request log, list requests by name while ${MANY} deployments are created${rest}`,
    ),
    figure(
      "State of a Deployment",
      "bytes",
      3000,
      bytes(1),
      `the largest resource with one secret in the exported state, as compact JSON; with two secrets ${bytes(2)}`,
    ),
  ];
}

/** Measures the delay between the end of a rollout of about three seconds and the event of the engine. */
export async function rollouts({ startEmulator, stack, program }: Sandbox): Promise<Figure[]> {
  const url = await startEmulator("1");
  const cli = await stack("rollouts", url, ROLLOUTS);
  const delays = await rolloutDelays({ cli, url, program });
  if (delays.length !== ROLLOUTS) throw new Error(`${delays.length} of ${ROLLOUTS} rollouts were seen to end.`);
  const how = `the slowest of ${ROLLOUTS} rollouts at real speed, from updated_at of the revision to the event of the engine (median ${Math.round(median(delays))} ms)`;
  return [figure("DEPLOYED to resource done", "ms", 1000, Math.max(...delays), how)];
}

/** Returns for each rollout of an `up` the milliseconds from its end until the engine is done with the resource. */
export async function rolloutDelays(
  { cli, url, program }: { cli: Cli; url: string; program: string },
  options: string[] = [],
) {
  const log = join(program, "events.json");
  const ends = await watchEvents(log, () => cli("up", "--yes", "--skip-preview", "--event-log", log, ...options));
  return Promise.all([...ends].map(([name, end]) => delayOf(url, name, end)));
}

async function delayOf(emulator: string, name: string, end: number) {
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response.
  const get = async (path: string): Promise<any> =>
    (await fetch(`${emulator}/v2/deployments${path}`, { headers: { "X-Api-Key": "bench-key" } })).json();
  const { resources } = await get(`?limit=100&name_contains=${name}`);
  const { id, latest_revision_id } = resources.find((deployment: { name: string }) => deployment.name === name);
  const revision = await get(`/${id}/revisions/${latest_revision_id}`);
  if (revision.status !== "DEPLOYED") throw new Error(`The revision of ${name} is ${revision.status}.`);
  return end - Date.parse(revision.updated_at);
}

/**
 * Runs `work` while the engine writes its events to a file. Returns the time at which each resource was done, by name.
 * Uses the wall clock, since timestamps of the engine are whole seconds.
 */
async function watchEvents(file: string, work: () => Promise<unknown>) {
  writeFileSync(file, "");
  const ends = new Map<string, number>();
  let readLines = 0;
  const readEvents = () => {
    const at = Date.now();
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    for (const line of lines.slice(readLines)) {
      const { op, urn, type } = JSON.parse(line).resOutputsEvent?.metadata ?? {};
      if (op === "create" && type === TYPE) ends.set(urn.split("::").pop(), at);
    }
    readLines = lines.length;
  };
  const timer = setInterval(readEvents, 20);
  try {
    await work();
    readEvents();
  } finally {
    clearInterval(timer);
  }
  return ends;
}

const figure = (what: string, unit: string, most: number, measured: number, how: string): Figure => {
  return { what, unit, most, measured, how };
};

export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
