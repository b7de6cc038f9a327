/** `agentgraph-emulator advance <duration>`: advances the virtual clock. */

import type { Ended } from "../admin/completed";
import type { ClockReading } from "../runtime/scheduling/clock";
import { Client } from "./client";
import { columns, counted, listed, type Paint, painter } from "./colors";
import { readDuration, showDuration } from "./duration";
import { type Subcommand, tell } from "./subcommand";

/** Maximum number of events in the text output; --json lists all. */
const mostLines = 20;

export const advance: Subcommand = {
  name: "advance",
  summary: "Advance the emulator's clock and show what finished meanwhile.",
  word: { form: "<duration>", meaning: "how far: 500ms, 30s, 10m, 2h, 3d, or a sum such as 1h30m" },
  help: `
Jobs that become due run in order, each at its own time, and export files are really written. The command returns when
all of them are done. It also works while the clock is frozen.

Examples:
  agentgraph-emulator advance 10s       until a deployment is live
  agentgraph-emulator advance 3d        three nights of a scheduled export`,

  async run([duration = ""], options, surroundings) {
    const advance_ms = readDuration(duration);
    const client = await Client.find(options, surroundings);
    const answer = await client.ask<Turned>("POST", "clock", { advance_ms });
    tell(options, surroundings, { url: client.url, ...answer }, () =>
      [
        `Advanced the clock of ${client.url} by ${showDuration(advance_ms)} to ${answer.now}${answer.frozen ? " (frozen)" : ""}.`,
        ...told(answer.ended, painter(surroundings)),
      ].join("\n"),
    );
  },
};

type Turned = ClockReading & { jobs_run: number; ended: Ended[] };

function told(ended: readonly Ended[], paint: Paint): string[] {
  if (ended.length === 0) return ["No revision or export run finished meanwhile."];
  const shown = ended.slice(-mostLines);
  const more = ended.length - shown.length;
  const cells = columns(shown.map((one) => [one.at, one.status, whatOf(one)]));
  const lines = cells.map((line, at) => {
    const { status = "" } = shown[at] ?? {};
    return `  ${line.replace(status, paint(isGood(status) ? "green" : "red", status))}`;
  });
  return [
    `${summary(ended)}:`,
    ...(more > 0 ? [`  … ${counted(more, "earlier event")}; use --json to list all`] : []),
    ...lines,
  ];
}

const isGood = (status: string) => status === "DEPLOYED" || status === "COMPLETED";

function summary(ended: readonly Ended[]): string {
  const runs = ended.filter(({ kind }) => kind === "export_run").length;
  const revisions = ended.length - runs;
  const parts = [revisions > 0 ? counted(revisions, "revision") : "", runs > 0 ? counted(runs, "export run") : ""];
  return `${listed(parts.filter(Boolean))} finished`;
}

function whatOf(one: Ended): string {
  if (one.kind === "revision") return `revision ${one.id} of ${one.deployment}`;
  const day = one.day.slice(0, 10);
  const what = `day ${day} of ${one.project ?? "no project"}, export ${one.export_id}`;
  return one.error === null ? `${what}: ${counted(one.rows, "row")}` : `${what}: ${one.error}`;
}
