/** Teardown of a test run: stops and reports processes that are still running. */
import { rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { run } from "./setup";

/** Time for processes that were just told to stop. */
const PATIENCE_MS = 5000;

export default async function tearDown(): Promise<void> {
  const { reaper, compileCache } = run;
  if (!reaper) return;
  reaper.stdin.end(String(PATIENCE_MS));
  const left = (await text(reaper.stdout)).trim();
  if (compileCache) await rm(compileCache, { recursive: true, force: true });
  if (left !== "") throw new Error(`Tests left these processes running (they are ended now):\n${left}`);
}
