/** Waiting for an export to complete, with its progress, and why it did not (interface section 3, interface-notes section 3). */
import type { Export, ExportRun } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { PartialStateError } from "../../definition/results";
import { formatDuration, type PollResult, WaitTimeoutError } from "../../definition/wait";
import { HttpError } from "../../http/errors";
import { hasEnded } from "../shared/bulk-exports/mapping";
import { type Inputs, type State, toState } from "./fields";
import { filePrefixOf } from "./file-prefix";

/** How old what is known of the runs may be, since an export of a year has many. Milliseconds. */
const RUNS_AGE_MS = 15_000;
/** The longest time between two looks at an export of hours. Milliseconds. */
const SELDOM_MS = 60_000;
/** From how long on looks become that seldom, a tenth of the time waited. Milliseconds. */
const LONG_MS = 100_000;
/** So many causes are shown. */
const CAUSES = 5;

/** What the next `up` or the user does about each end. */
const ADVICE: Record<string, string> = {
  FAILED: "Mend the cause and run `pulumi up` again.",
  CANCELLED: "Somebody cancelled it. Run `pulumi up` again to start another one, or remove it from the program.",
  TIMEDOUT:
    "An export may run for 72 hours (interface section 8): make the window shorter, or leave out the fields inputs and outputs, and run `pulumi up` again.",
};

/**
 * Waits until the export is COMPLETED, when that is what is declared.
 * @throws PartialStateError with the state as it was last seen: FAILED, CANCELLED or TIMEDOUT, or out of time.
 */
export function untilCompleted(id: string, wanted: Inputs, state: State, ctx: Context): Promise<State> {
  return new Watch(id, wanted, state, ctx).wait();
}

/** What the runs of an export wrote, and where; nothing where the service does not show them, or not now. */
export async function totalsOf(id: string, ctx: Context): Promise<Partial<State>> {
  const runs = await runsOf(id, ctx);
  return Array.isArray(runs) ? { ...totals(runs), filePrefix: filePrefixOf(id, runs) } : {};
}

/** Runs only tell more of an export: whatever becomes of the request for them, it fails nothing. */
async function runsOf(id: string, ctx: Context): Promise<ExportRun[] | "not now" | "never"> {
  try {
    return await ctx.clients.tracing.listExportRuns(id);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.isRetryable ? "not now" : "never";
  }
}

function totals(runs: ExportRun[]): { rowsWritten: number; filesWritten: number } {
  const sum = (count: (run: ExportRun) => number) => runs.reduce((all, run) => all + count(run), 0);
  return {
    rowsWritten: sum(({ metadata }) => metadata?.result?.rowsWritten ?? 0),
    filesWritten: sum(({ metadata }) => metadata?.result?.exportedFiles?.length ?? 0),
  };
}

class Watch {
  private readonly startedAt: number;
  private runs: ExportRun[] = [];
  private areShown = true;
  private runsSeenAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly id: string,
    private readonly wanted: Inputs,
    private state: State,
    private readonly ctx: Context,
  ) {
    this.startedAt = ctx.clock.monotonic();
  }

  async wait(): Promise<State> {
    const { ctx, id } = this;
    try {
      const what = `export ${id} to be COMPLETED`;
      const leaving = "the export goes on by itself";
      await ctx.waitUntil({ what, poll: () => this.look(), onInterruptHint: leaving });
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error;
      const hint =
        "The export goes on by itself. Run `pulumi up` again to go on waiting; a longer wait: the resource option customTimeouts.";
      throw this.held(`${error.message}\n${hint}`);
    }
    const seen = await this.lookAtRuns();
    ctx.log.progress(
      `COMPLETED${seen ? this.progress() : ""}, ${formatDuration(ctx.clock.monotonic() - this.startedAt)}`,
    );
    return { ...this.state, ...(seen && { ...totals(this.runs), filePrefix: filePrefixOf(id, this.runs) }) };
  }

  private async look(): Promise<PollResult<true>> {
    const seen = await this.ctx.clients.tracing.getExport(this.id);
    this.state = toState(seen, this.ctx, this.state);
    if (seen.status === "COMPLETED") return { done: true };
    if (hasEnded(seen.status)) throw await this.failure(seen);
    // Of one that waits for its turn there are no runs yet.
    const old = this.ctx.clock.monotonic() - this.runsSeenAt >= RUNS_AGE_MS;
    if (old && seen.status === "RUNNING") await this.lookAtRuns();
    const waited = this.ctx.clock.monotonic() - this.startedAt;
    const nextIn = waited < LONG_MS ? undefined : Math.min(waited / 10, SELDOM_MS);
    return { pending: `${seen.status}${this.progress()}`, retryAfterMs: nextIn };
  }

  /** Returns whether the runs are known as they are now. A service that does not show them is not asked again. */
  private async lookAtRuns(): Promise<boolean> {
    const runs = this.areShown ? await runsOf(this.id, this.ctx) : "never";
    this.runsSeenAt = this.ctx.clock.monotonic();
    this.areShown = runs !== "never";
    if (Array.isArray(runs)) this.runs = runs;
    return Array.isArray(runs);
  }

  /** One run is a day of a project. */
  private progress(): string {
    if (this.runs.length === 0) return "";
    const { rowsWritten, filesWritten } = totals(this.runs);
    const done = this.runs.filter(({ status }) => status === "COMPLETED").length;
    const what = this.wanted.allExperiments ? "days of projects" : "days";
    return `, ${done} of ${this.runs.length} ${what}, ${rowsWritten} rows, ${filesWritten} files`;
  }

  private async failure({ status }: Export): Promise<PartialStateError> {
    const seen = await this.lookAtRuns();
    const word = status ?? "";
    return this.held(
      [
        `Export ${this.id} ended ${word} after ${formatDuration(this.ctx.clock.monotonic() - this.startedAt)}${this.progress()}.`,
        ...(seen ? causesOf(this.runs) : ["  This service does not show why: look at the export in its console."]),
        `${ADVICE[word] ?? ADVICE.FAILED} An export that ended cannot be resumed, so that makes a new one.`,
      ].join("\n"),
    );
  }

  private held(message: string): PartialStateError {
    return new PartialStateError(message, this.wanted, this.state);
  }
}

/** The last error of each run that has one, the same ones told once with the first day they happened on. */
function causesOf(runs: ExportRun[]): string[] {
  const failed = runs.flatMap((run) => {
    const cause = run.status === "COMPLETED" ? undefined : lastError(run);
    return cause === undefined ? [] : [{ cause, run }];
  });
  const groups = [...Map.groupBy(failed, ({ cause }) => cause)];
  const lines = groups.slice(0, CAUSES).map(([cause, held]) => {
    const { retryNumber } = held[0]?.run ?? {};
    const more = held.length > 1 ? ` and ${held.length - 1} more` : "";
    return `  ${dayOf(held[0]?.run)}${more}${retryNumber ? ` (${retryNumber} retries)` : ""}: ${cause}`;
  });
  return groups.length > CAUSES ? [...lines, `  and ${groups.length - CAUSES} other causes`] : lines;
}

const dayOf = (run: ExportRun | undefined) => run?.metadata?.startTime?.slice(0, 10) ?? `run ${run?.id}`;

/** Errors stand by attempt: `retry_0` is the first. */
function lastError({ errors }: ExportRun): string | undefined {
  const attempts = Object.entries(errors ?? {}).map(([key, error]) => ({
    number: Number(/\d+/.exec(key)?.[0]),
    error,
  }));
  const last = attempts.sort((a, b) => b.number - a.number)[0]?.error;
  return last == null ? undefined : typeof last === "string" ? last : JSON.stringify(last);
}
