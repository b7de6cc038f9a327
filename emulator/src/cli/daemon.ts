import { spawn } from "node:child_process";
import { openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BucketKey } from "../bucket/requests/signature";
import { UsageError } from "../runtime/errors";
import type { EmulatorOptions } from "../runtime/options";
import { ownArguments } from "../runtime/parts";
import { createFolder, isAlive } from "../runtime/storage/data-folder";
import { printable, printableJson } from "../runtime/text/printable";
import type { Output } from "./subcommand";

/** The background process of a data folder. */
interface PidFile {
  pid: number;
  url: string;
  /** Absent in files of earlier versions. */
  bucket?: Bucket;
}

/** The bucket server and its credentials. */
type Bucket = BucketKey & { url: string };

/** Describes how to access the bucket with any S3 client. */
export function describeBucket({ url, accessKeyId, secretAccessKey }: Bucket): string {
  return `The bucket is at ${url} (access key ID ${accessKeyId}, secret access key ${secretAccessKey})`;
}

/** Returns the default data folder of a background emulator. */
export function defaultFolder(): string {
  return join(".agentgraph", "emulator");
}

/** Writes the PID file of this process. Returns a function that deletes it. */
export function writePidFile(folder: string, url: string, bucket: Bucket): () => void {
  const path = pidPath(folder);
  writeFileSync(path, JSON.stringify({ pid: process.pid, url, bucket } satisfies PidFile), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** How a command prints what it found or did. */
export interface OutputFormat {
  json?: boolean;
}

/** Prints facts as JSON, or as text. */
function print<R extends Output>({ json }: OutputFormat, facts: Omit<R, "version">, lines: readonly string[]): void {
  console.log(json ? printableJson({ version: 1, ...facts }, 2) : lines.map(printable).join("\n"));
}

interface StatusOutput extends Output {
  running: boolean;
  /** The data folder. */
  data: string;
  url?: string;
  pid?: number;
  bucket?: { url: string; access_key_id: string; secret_access_key: string };
}

interface StartOutput extends StatusOutput {
  /** False if it was already running. */
  started: boolean;
  /** The file of its log; absent if it was already running. */
  log?: string;
}

interface StopOutput extends Output {
  /** False if none was running. */
  stopped: boolean;
  data: string;
  url?: string;
}

/** Returns the facts of an emulator that runs in the background. */
function factsOf({ pid, url, bucket }: PidFile, folder: string): Omit<StatusOutput, "version"> {
  return {
    running: true,
    url,
    pid,
    data: folder,
    ...(bucket && {
      bucket: { url: bucket.url, access_key_id: bucket.accessKeyId, secret_access_key: bucket.secretAccessKey },
    }),
  };
}

/** Starts a background process and waits until it responds. Only reports one that is already running. */
export async function startInBackground(
  options: EmulatorOptions & { data: string },
  format: OutputFormat,
): Promise<void> {
  const folder = resolve(options.data);
  const running = await findRunning(folder);
  if (running) {
    const text = `The emulator is already running at ${running.url} (process ${running.pid}, data in ${folder})`;
    print<StartOutput>(format, { started: false, ...factsOf(running, folder) }, [text, ...bucketLines(running)]);
    return;
  }
  createFolder(folder);
  const log = join(folder, "emulator.log");
  const output = openSync(log, "w");
  const child = spawn(process.execPath, [...ownArguments(), ...toArguments({ ...options, data: folder })], {
    detached: true,
    windowsHide: true,
    stdio: ["ignore", output, output],
  });
  const started = await waitUntilReady(folder, child);
  child.unref();
  if (!started) throw new UsageError(readFileSync(log, "utf8").trim() || `The emulator did not start; see ${log}.`);
  print<StartOutput>(format, { started: true, ...factsOf(started, folder), log }, [
    `The emulator is running at ${started.url} (process ${started.pid}, data in ${folder}, log in ${log})`,
    `Open ${started.url} in a browser to see what it does`,
    ...bucketLines(started),
  ]);
}

function bucketLines({ bucket }: PidFile): string[] {
  return bucket ? [describeBucket(bucket)] : [];
}

/** Converts options to the command line of the child process. */
function toArguments(options: EmulatorOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    if (name === "graphs") {
      const pairs = Object.entries(value).map((pair) => pair.join("="));
      return [flag, pairs.join(",")];
    }
    return [
      flag,
      Array.isArray(value) ? value.join(",") : typeof value === "object" ? JSON.stringify(value) : String(value),
    ];
  });
}

/** Waits until the child responds. Returns undefined if it exits or takes longer than 15 s. */
async function waitUntilReady(folder: string, child: ReturnType<typeof spawn>): Promise<PidFile | undefined> {
  const deadline = Date.now() + 15_000;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const running = await findRunning(folder);
    if (running && running.pid === child.pid) return running;
    await sleep(25);
  }
  if (child.exitCode === null) child.kill();
  return undefined;
}

export async function stopBackground({ data: folder }: { data: string }, format: OutputFormat): Promise<void> {
  const data = resolve(folder);
  const running = await findRunning(folder);
  if (!running) {
    rmSync(pidPath(folder), { force: true });
    print<StopOutput>(format, { stopped: false, data }, [notRunning(data)]);
    return;
  }
  process.kill(running.pid, "SIGTERM");
  const deadline = Date.now() + 10_000;
  while (isAlive(running.pid)) {
    if (Date.now() > deadline)
      throw new UsageError(`Process ${running.pid} did not stop within 10 s. Stop it manually.`);
    await sleep(25);
  }
  rmSync(pidPath(folder), { force: true });
  print<StopOutput>(format, { stopped: true, url: running.url, data }, [`Stopped the emulator at ${running.url}`]);
}

export async function status({ data: folder }: { data: string }, format: OutputFormat): Promise<void> {
  const data = resolve(folder);
  const running = await findRunning(folder);
  if (running) {
    const text = `The emulator is running at ${running.url} (process ${running.pid}, data in ${data})`;
    print<StatusOutput>(format, factsOf(running, data), [text, ...bucketLines(running)]);
  } else {
    print<StatusOutput>(format, { running: false, data }, [notRunning(data)]);
    process.exitCode = 1;
  }
}

function notRunning(data: string): string {
  return `No emulator is running with the data folder ${data}`;
}

/** Returns the emulator of a folder if it responds with the expected PID: an old PID file may name another process. */
export async function findRunning(folder: string): Promise<PidFile | undefined> {
  let pidFile: PidFile;
  try {
    pidFile = JSON.parse(readFileSync(pidPath(folder), "utf8"));
    const response = await fetch(`${pidFile.url}/_emulator/health`, { signal: AbortSignal.timeout(2000) });
    const health = (await response.json()) as { pid?: unknown };
    return health.pid === pidFile.pid ? pidFile : undefined;
  } catch {
    return undefined;
  }
}

function pidPath(folder: string): string {
  return join(folder, "emulator.pid");
}
