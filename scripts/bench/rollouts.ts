/** Rollouts at real speed, with the real engine. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, median } from "./figures.ts";
import type { Sandbox } from "./sandbox.ts";

const TYPE = "pulumi-nodejs:dynamic/agentgraph:Deployment";

interface Deployment {
  id: string;
  name: string;
  latest_revision_id: string;
}

/** Measures, for each of these deployments, the time between the end of its rollout and the event of the engine. */
export async function rollouts({ startEmulator, stack, program }: Sandbox, count: number): Promise<Figure[]> {
  const url = await startEmulator("1");
  const cli = await stack(`rollouts-${count}`, url, count);
  const log = join(program, `events-${count}.json`);
  const begin = performance.now();
  const options = ["--event-log", log, "--parallel", String(count)];
  const ends = await watchEvents(log, () => cli("up", "--yes", "--skip-preview", ...options));
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  const delays = await Promise.all([...ends].map(([name, end]) => delayOf(url, name, end)));
  if (delays.length !== count) throw new Error(`${delays.length} of ${count} rollouts were seen to end.`);
  const how =
    `the slowest of ${count} rollouts of three seconds with one up, from updated_at of the revision to the ` +
    `event of the engine; median ${Math.round(median(delays))} ms, the whole up ${seconds} s`;
  return [{ what: "DEPLOYED to resource done", unit: "ms", most: 1000, measured: Math.max(...delays), how }];
}

async function delayOf(emulator: string, name: string, end: number) {
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${emulator}/v2/deployments${path}`, { headers: { "X-Api-Key": "bench-key" } });
    return (await response.json()) as T;
  };
  const { resources } = await get<{ resources: Deployment[] }>(`?limit=100&name_contains=${name}`);
  const found = resources.find((deployment) => deployment.name === name);
  const revision = await get<{ updated_at: string }>(`/${found?.id}/revisions/${found?.latest_revision_id}`);
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
