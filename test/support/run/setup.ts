/** Setup of a test run of any layer. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import buildWorker from "../../../emulator/test/support/bulk-export/build-worker";

/** Values that the setup passes to the teardown. */
interface Run {
  /** Stops processes that are left running, even when the run is killed. */
  reaper?: ChildProcessByStdio<Writable, Readable, null>;
  /** Folder of Node's compile cache. */
  compileCache?: string;
}
export const run = globalThis as Run;

export default function setUp(): void {
  buildWorker();
  const id = randomUUID();
  const { TEST_RUN_ID: _, ...env } = process.env;
  const script = join(__dirname, "reaper.mjs");
  run.reaper = spawn(process.execPath, [script, id], { env, detached: true, stdio: ["pipe", "pipe", "inherit"] });
  // All processes started from here on inherit it: Jest workers and their children.
  process.env.TEST_RUN_ID = id;
  // The tests start the same programs hundreds of times; with a shared cache each module is compiled once.
  run.compileCache = mkdtempSync(join(tmpdir(), "agentgraph-compile-cache-"));
  process.env.NODE_COMPILE_CACHE = run.compileCache;
  process.env.NODE_OPTIONS = `--require=${JSON.stringify(join(__dirname, "lazy-sdk.cjs"))}`;
  // The Pulumi CLI is written in Go and ends before its memory needs to be freed.
  process.env.GOGC = "off";
  process.env.GOMEMLIMIT = "1GiB";
}
