/** `agentgraph-emulator advance <duration>`: advances the virtual clock. */
import type { Completed } from "../admin/completed";
import type { ClockReading } from "../runtime/descriptions";
import { Client } from "./client";
import { columns, createPaint, formatCount, joinWithAnd, type Paint } from "./colors";
import { formatDuration, parseDuration } from "./duration";
import { type ClientOutput, printResult, type Subcommand } from "./subcommand";

/** Maximum number of events in the text output; --json lists all. */
const MAX_LINES = 20;

export const advance: Subcommand = {
  name: "advance",
  summary: "Advance the emulator's clock and show what finished meanwhile.",
  argument: { form: "<duration>", meaning: "how far: 500ms, 30s, 10m, 2h, 3d, or a sum such as 1h30m" },
  help: `
Jobs that become due run in order, each at its own time, and export files are really written. The command returns when
all of them are done. It also works while the clock is frozen.

Examples:
  agentgraph-emulator advance 10s       until a deployment is live
  agentgraph-emulator advance 3d        three nights of a scheduled export`,

  async run([duration = ""], options, io) {
    const advance_ms = parseDuration(duration);
    const client = await Client.find(options, io);
    const result = await client.request<Omit<AdvanceOutput, keyof ClientOutput>>("POST", "clock", { advance_ms });
    printResult<AdvanceOutput>(options, io, { url: client.url, ...result }, ({ now, frozen, ended }) =>
      [
        `Advanced the clock of ${client.url} by ${formatDuration(advance_ms)} to ${now}${frozen ? " (frozen)" : ""}.`,
        ...formatCompleted(ended, createPaint(io)),
      ].join("\n"),
    );
  },
};

interface AdvanceOutput extends ClientOutput, ClockReading {
  jobs_run: number;
  /** What finished meanwhile, in order. */
  ended: Completed[];
}

function formatCompleted(ended: readonly Completed[], paint: Paint): string[] {
  if (ended.length === 0) return ["No revision or export run finished meanwhile."];
  const visible = ended.slice(-MAX_LINES);
  const hiddenCount = ended.length - visible.length;
  const cells = columns(visible.map((event) => [event.at, event.status, describeEvent(event)]));
  const lines = cells.map((line, at) => {
    const { status = "" } = visible[at] ?? {};
    return `  ${line.replace(status, paint(isGood(status) ? "green" : "red", status))}`;
  });
  return [
    `${summary(ended)}:`,
    ...(hiddenCount > 0 ? [`  … ${formatCount(hiddenCount, "earlier event")}; use --json to list all`] : []),
    ...lines,
  ];
}

const isGood = (status: string) => status === "DEPLOYED" || status === "COMPLETED";

function summary(ended: readonly Completed[]): string {
  const runs = ended.filter(({ kind }) => kind === "export_run").length;
  const revisions = ended.length - runs;
  const parts = [
    revisions > 0 ? formatCount(revisions, "revision") : "",
    runs > 0 ? formatCount(runs, "export run") : "",
  ];
  return `${joinWithAnd(parts.filter(Boolean))} finished`;
}

function describeEvent(event: Completed): string {
  if (event.kind === "revision") return `revision ${event.id} of ${event.deployment}`;
  const day = event.day.slice(0, 10);
  const description = `day ${day} of ${event.project ?? "no project"}, export ${event.export_id}`;
  return event.error === null ? `${description}: ${formatCount(event.rows, "row")}` : `${description}: ${event.error}`;
}
