/**
 * Benchmarks bulk exports: runs per second and memory of the emulator, compared with single-threaded DuckDB on the same
 * rows.
 */
import { once } from "node:events";
import { openAsBlob, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDuckDb } from "./duckdb.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import type { Figure } from "./figures.ts";

const RUNS = 1_000_000;
const QUICK_RUNS = 100_000;
const DAYS = 8;
const BEGIN = Date.UTC(2026, 0, 1);
const BIG = ["inputs", "outputs"];
const EXPORTS = "/api/v1/bulk-exports";
const TENANT = "11111111-1111-4111-8111-111111111111";

interface Export {
  seconds: number;
  /** Maximum resident memory of the emulator in MB. */
  memory: number;
  rows: number;
}

/** Returns the results. Reports progress with `now`. */
export async function exportFigures(
  { node, env }: { node: string; env: NodeJS.ProcessEnv },
  quick: boolean,
  now: (status: string) => void,
): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-bench-exports-"));
  const data = join(folder, "data");
  const duck = await openDuckDb(folder);
  const start = () => startEmulator(node, env, ["--data", data, "--speed", "instant"]);
  let emulator = await start();
  try {
    const count = quick ? QUICK_RUNS : RUNS;
    now(`making ${count} runs`);
    await duck.makeRuns("runs.ndjson", count, BEGIN, DAYS);
    now(`loading ${count} runs`);
    const body = await openAsBlob(join(folder, "runs.ndjson"));
    const { session_id } = await request<{ session_id: string }>(emulator, "/_emulator/runs?project=bench", body);
    // A new process, so that memory of loading is not counted.
    await stop(emulator);
    emulator = await start();
    now("all fields");
    const all = await exportOf(emulator, session_id);
    now("loading the same rows into DuckDB");
    const loaded = await duck.load(join(data, "bucket", "objects", "*"));
    now("all fields, by DuckDB");
    const duckAll = await duck.export("*");
    now("without inputs and outputs");
    const fields = loaded.columns.filter((name) => !BIG.includes(name));
    const short = await exportOf(emulator, session_id, fields);
    now("without inputs and outputs, by DuckDB");
    const duckShort = await duck.export(`* EXCLUDE (${BIG})`);
    for (const rows of [all.rows, short.rows, loaded.count])
      if (rows !== count) throw new Error(`${rows} rows instead of ${count}`);
    now(`${count} runs of ${DAYS} days`);
    return [
      ...figuresOf("all fields", count, all, duckAll),
      ...figuresOf("no inputs, outputs", count, short, duckShort),
    ];
  } finally {
    duck.close();
    await stop(emulator);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function figuresOf(what: string, count: number, { seconds, memory }: Export, duckSeconds: number): Figure[] {
  const how =
    `from the request until the export is COMPLETED, ${DAYS} files in the bucket of the emulator, zstandard; ` +
    `single-threaded DuckDB writes the same rows from a table to one file at ${Math.round(count / duckSeconds)} ` +
    "runs/s";
  const peak = "maximum resident memory of the emulator, including its bucket, during the export";
  return [
    { what: `Export, ${what}`, unit: "runs/s", least: 40_000, measured: Math.round(count / seconds), how },
    { what: `Memory, ${what}`, unit: "MB", most: 400, measured: Math.round(memory), how: peak },
  ];
}

async function stop({ process: child }: Emulator) {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Sends a GET request, or a POST request if there is a body. */
async function request<T>({ url }: Emulator, path: string, body?: Blob | object): Promise<T> {
  const headers = { "x-api-key": "bench", "x-tenant-id": TENANT, "content-type": "application/json" };
  const sent = body && { method: "POST", body: body instanceof Blob ? body : JSON.stringify(body) };
  const response = await fetch(url + path, { headers, ...sent });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function exportOf(emulator: Emulator, session_id: string, export_fields?: string[]): Promise<Export> {
  const { endpoint_url, ...credentials } = emulator.bucket;
  const config = { bucket_name: "exports", prefix: "bench", endpoint_url };
  const destination = { display_name: "bench", config, credentials };
  const { id } = await request<{ id: string }>(emulator, `${EXPORTS}/destinations`, destination);
  const [start_time, end_time] = [BEGIN, BEGIN + DAYS * 86_400_000].map((time) => new Date(time).toISOString());
  const wanted = { bulk_export_destination_id: id, session_id, export_fields, start_time, end_time };
  const process = `/proc/${emulator.process.pid}`;
  // Resets the maximum that Linux records.
  writeFileSync(`${process}/clear_refs`, "5");
  const begin = performance.now();
  const created = await request<{ id: string }>(emulator, EXPORTS, wanted);
  await completed(emulator, created.id);
  const seconds = (performance.now() - begin) / 1000;
  const memory = Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`${process}/status`, "utf8"))?.[1]) / 1024;
  const runs = await request<ExportRun[]>(emulator, `${EXPORTS}/${created.id}/runs`);
  return { seconds, memory, rows: runs.reduce((sum, { metadata }) => sum + metadata.result.rows_written, 0) };
}

interface ExportRun {
  metadata: { result: { rows_written: number } };
}

async function completed(emulator: Emulator, id: string) {
  for (;;) {
    const { status } = await request<{ status: string }>(emulator, `${EXPORTS}/${id}`);
    if (/^completed$/i.test(status)) return;
    if (!/^(created|running)$/i.test(status)) throw new Error(`The export ended with status ${status}`);
    await sleep(50);
  }
}
