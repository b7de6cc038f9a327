/** The beginning of a run of tests, of whatever layer. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import buildWorker from "../../../emulator/test/support/bulk-export/build-worker";

/** What the beginning of a run hands to its end. */
interface Run {
  /** Ends what is left behind, even when the run is killed. */
  reaper?: ChildProcessByStdio<Writable, Readable, null>;
  /** The folder of what Node has compiled. */
  compileCache?: string;
}
export const run = globalThis as Run;

export default function setUp(): void {
  buildWorker();
  const id = randomUUID();
  const { TEST_RUN_ID: _, ...env } = process.env;
  const script = join(__dirname, "reaper.mjs");
  run.reaper = spawn(process.execPath, [script, id], { env, detached: true, stdio: ["pipe", "pipe", "inherit"] });
  // All that is started from here on has it: the workers of Jest, and what they start.
  process.env.TEST_RUN_ID = id;
  // The CLI starts a program, a provider and a command dozens of times: each module is compiled once for all of them.
  run.compileCache = mkdtempSync(join(tmpdir(), "agentgraph-compile-cache-"));
  process.env.NODE_COMPILE_CACHE = run.compileCache;
}
