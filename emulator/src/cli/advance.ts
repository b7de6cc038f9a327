/** `agentgraph-emulator advance <duration>`: moves the virtual clock. */

import type { Ended } from "../admin/completed";
import type { ClockReading } from "../runtime/scheduling/clock";
import { Client } from "./client";
import { columns, counted, listed, type Paint, painter } from "./colors";
import { readDuration, showDuration } from "./duration";
import { type Subcommand, tell } from "./subcommand";

/** Lines of what happened; --json tells all. */
const mostLines = 20;

export const advance: Subcommand = {
  name: "advance",
  summary: "Move the emulator's clock; says what came to an end meanwhile.",
  word: { form: "<duration>", meaning: "how far: 500ms, 30s, 10m, 2h, 3d or a sum such as 1h30m" },
  help: `
What is due meanwhile happens in order, each at its own time, and files of exports are really written: it returns once
all of it is done. It works on a frozen clock too.

Examples:
  agentgraph-emulator advance 10s       until a deployment is live
  agentgraph-emulator advance 3d        three nights of a scheduled export`,

  async run([duration = ""], options, surroundings) {
    const advance_ms = readDuration(duration);
    const client = await Client.find(options, surroundings);
    const answer = await client.ask<Turned>("POST", "clock", { advance_ms });
    tell(options, surroundings, { url: client.url, ...answer }, () =>
      [
        `The clock of ${client.url} moved by ${showDuration(advance_ms)}: it is ${answer.now}${answer.frozen ? ", and stands still (frozen)" : ""}.`,
        ...told(answer.ended, painter(surroundings)),
      ].join("\n"),
    );
  },
};

type Turned = ClockReading & { jobs_run: number; ended: Ended[] };

function told(ended: readonly Ended[], paint: Paint): string[] {
  if (ended.length === 0) return ["No revision and no run of an export came to an end meanwhile."];
  const shown = ended.slice(-mostLines);
  const more = ended.length - shown.length;
  const cells = columns(shown.map((one) => [one.at, one.status, whatOf(one)]));
  const lines = cells.map((line, at) => {
    const { status = "" } = shown[at] ?? {};
    return `  ${line.replace(status, paint(isGood(status) ? "green" : "red", status))}`;
  });
  return [
    `${summary(ended)}:`,
    ...(more > 0 ? [`  … ${counted(more, "earlier one")}; --json tells all`] : []),
    ...lines,
  ];
}

const isGood = (status: string) => status === "DEPLOYED" || status === "COMPLETED";

function summary(ended: readonly Ended[]): string {
  const runs = ended.filter(({ kind }) => kind === "export_run").length;
  const revisions = ended.length - runs;
  const parts = [
    revisions > 0 ? counted(revisions, "revision") : "",
    runs > 0 ? counted(runs, "run of an export", "runs of exports") : "",
  ];
  return `${listed(parts.filter(Boolean))} came to an end`;
}

function whatOf(one: Ended): string {
  if (one.kind === "revision") return `revision ${one.id} of ${one.deployment}`;
  const day = one.day.slice(0, 10);
  const what = `day ${day} of ${one.project ?? "no project"}, export ${one.export_id}`;
  return one.error === null ? `${what}: ${counted(one.rows, "row")}` : `${what}: ${one.error}`;
}
