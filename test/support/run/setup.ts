/** The beginning of a run of tests, of whatever layer. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import buildWorker from "../../../emulator/test/support/bulk-export/build-worker";

/** What the beginning of a run hands to its end: the process that ends what is left behind, even when the run is killed. */
export const run = globalThis as { reaper?: ChildProcessByStdio<Writable, Readable, null> };

export default function setUp(): void {
  buildWorker();
  const id = randomUUID();
  const { TEST_RUN_ID: _, ...env } = process.env;
  const script = join(__dirname, "reaper.mjs");
  run.reaper = spawn(process.execPath, [script, id], { env, detached: true, stdio: ["pipe", "pipe", "inherit"] });
  // All that is started from here on has it: the workers of Jest, and what they start.
  process.env.TEST_RUN_ID = id;
}
