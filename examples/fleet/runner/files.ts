// What a run leaves behind, in the folder results: the output and the events of each stack, and the review of all.
import { spawnSync } from "node:child_process";
import { mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { agentsOf, type Fleet } from "../fleet.ts";

/** Empties the folder, and writes what the program of each stack reads. Returns its path. */
export function prepareFolder(fleet: Fleet, stacks: readonly string[]): string {
  const folder = join(import.meta.dirname, "../results");
  rmSync(folder, { recursive: true, force: true });
  const agents = join(folder, "agents");
  mkdirSync(agents, { recursive: true });
  for (const stack of stacks) writeFileSync(join(agents, `${stack}.json`), JSON.stringify(agentsOf(fleet, stack)));
  // index.ts reads the agents there. With its cache, Node.js does not compile Pulumi again for each stack.
  process.env.FLEET_AGENTS = agents;
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "node-compile-cache");
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
