/** `agentgraph-emulator reset`: back to a fresh emulator. */
import type { Census } from "../admin/counts";
import { Client } from "./client";
import { counted, listed } from "./colors";
import { type Subcommand, tell } from "./subcommand";

export const reset: Subcommand = {
  name: "reset",
  summary: "Empty the running emulator, back to its first seed; says what was removed.",
  help: `
Also gone are faults, the journal and what is in the buckets. What an emulator begins with is there again (with --demo
the demo), and its clock runs with the time of the world.`,

  async run(_words, options, surroundings) {
    const client = await Client.find(options, surroundings);
    const { removed, left } = await client.ask<{ removed: Census; left: Census }>("POST", "reset");
    tell(options, surroundings, { url: client.url, removed, left }, () => {
      const first = inWords(left);
      const begins = first === "" ? "" : ` It begins again with ${first}.`;
      const gone = inWords(removed);
      const what = gone === "" ? "there was nothing to remove" : `removed ${gone}`;
      return `Emptied the emulator at ${client.url}: ${what}.${begins}`;
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
  objects: ["object in buckets", "objects in buckets"],
  faults: ["fault"],
  requests: ["request in the journal", "requests in the journal"],
};

function inWords(census: Census): string {
  const kinds = Object.keys(names) as (keyof Census)[];
  return listed(kinds.filter((kind) => census[kind] > 0).map((kind) => counted(census[kind], ...names[kind])));
}
