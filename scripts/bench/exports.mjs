/** Benchmarks bulk exports: runs per second and memory of the emulator, compared with single-threaded DuckDB on the same rows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { ROOT } from "../setup/paths.mjs";
import { sampleRuns } from "./sample-runs.mjs";

/** A dependency of the emulator only. */
const { AwsClient } = createRequire(join(ROOT, "emulator", "package.json"))("aws4fetch");

const RUNS = 1_000_000;
const QUICK_RUNS = 100_000;
const DAYS = 8;
const BEGIN = Date.UTC(2026, 0, 1);
const BIG = ["inputs", "outputs"];
const KEY = { accessKeyId: "bench", secretAccessKey: "bench-secret" };
const EXPORTS = "/api/v1/bulk-exports";
const TENANT = "11111111-1111-4111-8111-111111111111";

/** Returns the results. Reports progress with `now`. @returns {Promise<import("./engine.ts").Figure[]>} */
export async function exportFigures({ node, env }, quick, now) {
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-bench-exports-"));
  let emulator = await startEmulator(node, env, join(folder, "data"));
  try {
    const count = quick ? QUICK_RUNS : RUNS;
    now(`loading ${count} runs`);
    const project = await emulator.load(sampleRuns(count, BEGIN, DAYS));
    // A new process, so that memory of loading is not counted.
    await emulator.stop();
    emulator = await startEmulator(node, env, join(folder, "data"));
    now("all fields");
    const all = await emulator.export(project);
    now("loading the same rows into DuckDB");
    const duck = await duckWith(folder, await emulator.download(all.files));
    now("all fields, by DuckDB");
    const duckAll = await duck.copy("*");
    now("without inputs and outputs");
    const short = await emulator.export(
      project,
      duck.columns.filter((name) => !BIG.includes(name)),
    );
    now("without inputs and outputs, by DuckDB");
    const duckShort = await duck.copy(`* EXCLUDE (${BIG})`);
    duck.close();
    for (const rows of [all.rows, short.rows, duck.rows])
      if (rows !== count) throw new Error(`${rows} rows instead of ${count}`);
    now(`${count} runs of ${DAYS} days`);
    return [
      ...figuresOf("all fields", count, all, duckAll),
      ...figuresOf("no inputs, outputs", count, short, duckShort),
    ];
  } finally {
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function figuresOf(what, count, ours, duckSeconds) {
  const [rate, duckRate] = [count / ours.seconds, count / duckSeconds].map(Math.round);
  const how = `from the request until the export is COMPLETED, ${DAYS} files in the bucket of the emulator, zstandard; single-threaded DuckDB writes the same rows from a table to one file at ${duckRate} runs/s`;
  return [
    { what: `Export, ${what}`, unit: "runs/s", least: 40_000, measured: rate, how },
    {
      what: `Memory, ${what}`,
      unit: "MB",
      most: 400,
      measured: Math.round(ours.memory),
      how: "maximum resident memory of the emulator, including its bucket, during the export",
    },
  ];
}

async function startEmulator(node, env, data) {
  const main = join(ROOT, "emulator", "dist", "main.js");
  const keys = ["--bucket-key", KEY.accessKeyId, "--bucket-secret", KEY.secretAccessKey];
  const args = [main, "--port", "0", "--bucket-port", "0", ...keys, "--data", data, "--speed", "instant"];
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", ...args], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url, bucket] = await addressesOf(child);
  const sendRequest = createClient(url);
  return {
    load: async (lines) => {
      const body = ReadableStream.from(lines).pipeThrough(new TextEncoderStream());
      return (await sendRequest("POST", "/_emulator/runs?project=bench", { body, duplex: "half" })).session_id;
    },
    export: (project, fields) => exportOf(sendRequest, child.pid, bucket, project, fields),
    download: (files) => Promise.all(files.map((file) => download(`${bucket}/${file}`))),
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** Returns the URLs of the server and of the bucket, which the emulator prints when it starts. */
async function addressesOf(child) {
  let printed = "";
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += text;
    const urls = /emulator .*?(http\S+)[\s\S]*?bucket .*?(http\S+)/i.exec(printed);
    if (urls) return urls.slice(1);
  }
  throw new Error(`The emulator ended: ${printed}`);
}

function createClient(url) {
  return async (method, path, request = {}) => {
    const headers = { "x-api-key": "bench", "x-tenant-id": TENANT, "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers, ...request });
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

async function exportOf(sendRequest, pid, endpoint_url, session_id, export_fields) {
  const post = (path, body) => sendRequest("POST", path, { body: JSON.stringify(body) });
  const credentials = { access_key_id: KEY.accessKeyId, secret_access_key: KEY.secretAccessKey };
  const config = { bucket_name: "exports", prefix: "bench", endpoint_url };
  const { id } = await post(`${EXPORTS}/destinations`, { display_name: "bench", config, credentials });
  const times = { start_time: iso(BEGIN), end_time: iso(BEGIN + DAYS * 86_400_000) };
  forgetPeak(pid);
  const begin = performance.now();
  const created = await post(EXPORTS, { bulk_export_destination_id: id, session_id, export_fields, ...times });
  await completed(sendRequest, created.id);
  const seconds = (performance.now() - begin) / 1000;
  const runs = await sendRequest("GET", `${EXPORTS}/${created.id}/runs`);
  const files = runs.flatMap(({ metadata }) => metadata.result.exported_files);
  const rows = runs.reduce((sum, { metadata }) => sum + metadata.result.rows_written, 0);
  return { seconds, memory: peakOf(pid), files, rows };
}

async function completed(sendRequest, id) {
  for (;;) {
    const { status } = await sendRequest("GET", `${EXPORTS}/${id}`);
    if (/^completed$/i.test(status)) return;
    if (!/^(created|running)$/i.test(status)) throw new Error(`The export ended with status ${status}`);
    await sleep(50);
  }
}

/** Resets the maximum resident memory of a process, which Linux records. */
function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Returns the maximum resident memory of a process in MB. */
function peakOf(pid) {
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

async function download(url) {
  const response = await new AwsClient({ ...KEY, service: "s3", region: "us-east-1" }).fetch(url);
  if (!response.ok) throw new Error(`The bucket responded with ${response.status} for ${url}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Loads the rows of these files into a table of single-threaded DuckDB. */
async function duckWith(folder, contents) {
  const files = contents.map((content, index) => {
    const file = join(folder, `${index}.parquet`);
    writeFileSync(file, content);
    return `'${file}'`;
  });
  const instance = await DuckDBInstance.create(join(folder, "runs.duckdb"), { threads: "1" });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE runs AS SELECT * FROM read_parquet([${files}])`);
  const result = await connection.runAndReadAll("SELECT count(*)::INTEGER FROM runs");
  const columns = (await connection.runAndReadAll("DESCRIBE runs")).getRows().map(([name]) => name);
  return {
    rows: result.getRows()[0][0],
    columns,
    /** Writes these columns to a file. Returns the duration in seconds. */
    copy: async (what) => {
      const begin = performance.now();
      const options = "FORMAT parquet, COMPRESSION zstd";
      await connection.run(`COPY (SELECT ${what} FROM runs) TO '${join(folder, "duck.parquet")}' (${options})`);
      return (performance.now() - begin) / 1000;
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const iso = (milliseconds) => new Date(milliseconds).toISOString();
