/**
 * The parts of the emulator that it loads by name: from files next to this one, or from an executable that contains
 * them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getAsset, isSea } from "node:sea";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Paths in the folder of compiled code. */
export const parts = {
  /** The page, which `npm run build` bundles from emulator/page/. */
  page: "page.html",
  parquetWorker: "bulk-export/parquet/worker.js",
  watchdog: "runtime/agents/watchdog.js",
} as const;
type Part = (typeof parts)[keyof typeof parts];

/** Tests run this file from source, but threads and processes load only compiled code. A test run compiles it first. */
const compiled = (part: Part) => join(__dirname, __filename.endsWith(".ts") ? "../../dist" : "..", part);

export function readPart(part: Part): string {
  return isSea() ? getAsset(part, "utf8") : readFileSync(compiled(part), "utf8");
}

export function startThread(part: Part, options: WorkerOptions): Worker {
  return isSea() ? new Worker(readPart(part), { ...options, eval: true }) : new Worker(compiled(part), options);
}

/** Returns the argument for Node, or for the executable, that runs a part: executable.ts reads its name. */
export function argumentOf(part: Part): string {
  return isSea() ? part : compiled(part);
}

/** Returns the arguments for Node, or for the executable, that run the command in this process again. */
export function ownArguments(): string[] {
  return isSea() ? [] : [...process.execArgv, process.argv[1] ?? ""];
}
