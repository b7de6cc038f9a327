/** `agentgraph-emulator reset`: returns to a fresh emulator. */
import type { ObjectCounts } from "../admin/counts";
import { Client } from "./client";
import { formatCount, joinWithAnd } from "./colors";
import { type ClientOutput, printResult, type Subcommand } from "./subcommand";

export const reset: Subcommand = {
  name: "reset",
  summary: "Reset the running emulator to its initial data and show what was removed.",
  help: `
Also removes faults, the request log and the contents of the buckets. The initial data is seeded again (with --demo, the
demo), and the clock returns to the real time.`,

  async run(_args, options, io) {
    const client = await Client.find(options, io);
    const { removed, left } = await client.request<Pick<ResetOutput, "removed" | "left">>("POST", "reset");
    printResult<ResetOutput>(options, io, { url: client.url, removed, left }, () => {
      const remaining = formatCounts(left);
      const contents = remaining === "" ? "" : ` It now contains ${remaining}.`;
      const removedText = formatCounts(removed);
      const outcome = removedText === "" ? "it was already empty" : `removed ${removedText}`;
      return `Reset the emulator at ${client.url}: ${outcome}.${contents}`;
    });
  },
};

interface ResetOutput extends ClientOutput {
  removed: ObjectCounts;
  /** The initial data. */
  left: ObjectCounts;
}

const names: Readonly<Record<keyof ObjectCounts, readonly [string, string?]>> = {
  deployments: ["deployment"],
  revisions: ["revision"],
  assistants: ["assistant"],
  crons: ["cron"],
  threads: ["thread"],
  projects: ["project"],
  trace_runs: ["trace run"],
  destinations: ["destination"],
  exports: ["export"],
  objects: ["bucket object"],
  faults: ["fault"],
  requests: ["logged request"],
};

function formatCounts(counts: ObjectCounts): string {
  const kinds = Object.keys(names) as (keyof ObjectCounts)[];
  return joinWithAnd(kinds.filter((kind) => counts[kind] > 0).map((kind) => formatCount(counts[kind], ...names[kind])));
}
