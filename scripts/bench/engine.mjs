/** Benchmarks with the real engine. The request log of the emulator counts requests. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MANY = 100;
const ROLLOUTS = 8;
const TYPE = "pulumi-nodejs:dynamic/agentgraph:Deployment";

/** Measures one stack of 100 deployments: create, no-op update, preview, refresh and export. */
export async function manyDeployments({ startEmulator, stack }, now) {
  const emulator = await startEmulator("instant");
  const pulumi = await stack("many", emulator, MANY);
  const requestsOf = async (...command) => {
    now(`pulumi ${command[0]} of ${MANY} deployments`);
    await fetch(`${emulator}/_emulator/journal`, { method: "DELETE" });
    await pulumi(...command);
    return (await (await fetch(`${emulator}/_emulator/journal`)).json()).entries;
  };
  const created = await requestsOf("up", "--yes", "--skip-preview");
  const again = await requestsOf("up", "--yes", "--skip-preview", "--expect-no-changes");
  const previewed = await requestsOf("preview", "--expect-no-changes");
  const refreshed = await requestsOf("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  const exported = await pulumi("stack", "export");
  const resources = JSON.parse(exported).deployment.resources.filter(({ type }) => type === TYPE);
  if (resources.length !== MANY) throw new Error(`${resources.length} of ${MANY} deployments are in the state.`);
  const stub = Math.max(...resources.map(({ outputs }) => Buffer.byteLength(outputs.__provider)));
  const bytes = (secrets) => {
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
export async function rollouts({ startEmulator, stack, program }) {
  const url = await startEmulator("1");
  const cli = await stack("rollouts", url, ROLLOUTS);
  const delays = await rolloutDelays({ cli, url, program });
  if (delays.length !== ROLLOUTS) throw new Error(`${delays.length} of ${ROLLOUTS} rollouts were seen to end.`);
  const how = `the slowest of ${ROLLOUTS} rollouts at real speed, from updated_at of the revision to the event of the engine (median ${Math.round(median(delays))} ms)`;
  return [figure("DEPLOYED to resource done", "ms", 1000, Math.max(...delays), how)];
}

/** Returns for each rollout of an `up` the milliseconds from its end until the engine is done with the resource. */
export async function rolloutDelays({ cli, url, program }, options = []) {
  const log = join(program, "events.json");
  const ends = await watchEvents(log, () => cli("up", "--yes", "--skip-preview", "--event-log", log, ...options));
  return Promise.all([...ends].map(([name, end]) => delayOf(url, name, end)));
}

async function delayOf(emulator, name, end) {
  const get = async (path) =>
    (await fetch(`${emulator}/v2/deployments${path}`, { headers: { "X-Api-Key": "bench-key" } })).json();
  const { resources } = await get(`?limit=100&name_contains=${name}`);
  const { id, latest_revision_id } = resources.find((deployment) => deployment.name === name);
  const revision = await get(`/${id}/revisions/${latest_revision_id}`);
  if (revision.status !== "DEPLOYED") throw new Error(`The revision of ${name} is ${revision.status}.`);
  return end - Date.parse(revision.updated_at);
}

/**
 * Runs `work` while the engine writes its events to a file. Returns the time at which each resource was done, by name.
 * Uses the wall clock, since timestamps of the engine are whole seconds.
 */
async function watchEvents(file, work) {
  writeFileSync(file, "");
  const ends = new Map();
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

const figure = (what, unit, most, measured, how) => ({ what, unit, most, measured, how });

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
