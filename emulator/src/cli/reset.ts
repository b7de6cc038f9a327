/** `agentgraph-emulator reset`: returns to a fresh emulator. */
import type { Census } from "../admin/counts";
import { Client } from "./client";
import { counted, listed } from "./colors";
import { type Subcommand, tell } from "./subcommand";

export const reset: Subcommand = {
  name: "reset",
  summary: "Reset the running emulator to its initial data and show what was removed.",
  help: `
Also removes faults, the request log and the contents of the buckets. The initial data is seeded again (with --demo, the
demo), and the clock returns to the real time.`,

  async run(_words, options, surroundings) {
    const client = await Client.find(options, surroundings);
    const { removed, left } = await client.ask<{ removed: Census; left: Census }>("POST", "reset");
    tell(options, surroundings, { url: client.url, removed, left }, () => {
      const first = inWords(left);
      const begins = first === "" ? "" : ` It now contains ${first}.`;
      const gone = inWords(removed);
      const what = gone === "" ? "it was already empty" : `removed ${gone}`;
      return `Reset the emulator at ${client.url}: ${what}.${begins}`;
    });
  },
};

const names: Readonly<Record<keyof Census, readonly [string, string?]>> = {
  deployments: ["deployment"],
  revisions: ["revision"],
  threads: ["thread"],
  projects: ["project"],
  trace_runs: ["trace run"],
  destinations: ["destination"],
  exports: ["export"],
  objects: ["bucket object"],
  faults: ["fault"],
  requests: ["logged request"],
};

function inWords(census: Census): string {
  const kinds = Object.keys(names) as (keyof Census)[];
  return listed(kinds.filter((kind) => census[kind] > 0).map((kind) => counted(census[kind], ...names[kind])));
}
