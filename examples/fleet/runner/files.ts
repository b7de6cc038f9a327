// What a run leaves behind, in the folder results: the output and the events of each stack, and the review of all.
import { spawnSync } from "node:child_process";
import { mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

/** Empties the folder. Returns its path. */
export function prepareFolder(): string {
  const folder = join(import.meta.dirname, "../results");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}

/** Writes one comment over all stacks that were run to review.md. Returns whether the review has found no problem. */
export function writeReview(folder: string, failOn: string | undefined): boolean {
  const events = readdirSync(folder).filter((name) => name.endsWith(".json"));
  if (events.length === 0) return true;
  const path = join(folder, "review.md");
  const args = ["agentgraph", "review", ...(failOn ? ["--fail-on", failOn] : []), ...events];
  const { status } = spawnSync("npx", args, { cwd: folder, stdio: ["ignore", openSync(path, "w"), "inherit"] });
  console.log(`Review: ${relative(process.cwd(), path)}`);
  return status === 0;
}
