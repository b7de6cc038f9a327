/** Waiting for an export to complete, with its progress, and why it did not (interface section 3, interface-notes section 3). */
import type { Export, ExportRun } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { PartialStateError } from "../../definition/results";
import { formatDuration, type PollResult, WaitTimeoutError } from "../../definition/wait";
import { HttpError } from "../../http/errors";
import { hasEnded } from "../shared/bulk-exports/mapping";
import { type Inputs, type State, toState } from "./fields";
import { findFilePrefix } from "./file-prefix";

/** How old what is known of the runs may be, since an export of a year has many. Milliseconds. */
const RUNS_MAX_AGE_MS = 15_000;
/** The longest time between two looks at an export of hours. Milliseconds. */
const MAX_POLL_INTERVAL_MS = 60_000;
/** From how long on looks become that seldom, a tenth of the time waited. Milliseconds. */
const BACKOFF_AFTER_MS = 100_000;
/** So many causes are shown. */
const MAX_CAUSES = 5;

/** What the next `up` or the user does about each end. */
const HINTS: Record<string, string> = {
  FAILED: "Mend the cause and run `pulumi up` again.",
  CANCELLED: "Somebody cancelled it. Run `pulumi up` again to start another one, or remove it from the program.",
  TIMEDOUT:
    "An export may run for 72 hours (interface section 8): make the window shorter, or leave out the fields inputs and outputs, and run `pulumi up` again.",
};

/**
 * Waits until the export is COMPLETED, when that is what is declared.
 * @throws PartialStateError with the state as it was last seen: FAILED, CANCELLED or TIMEDOUT, or out of time.
 */
export function waitUntilCompleted(id: string, desired: Inputs, state: State, ctx: Context): Promise<State> {
  return new CompletionWatcher(id, desired, state, ctx).wait();
}

/** What the runs of an export wrote, and where; nothing where the service does not show them, or not now. */
export async function getTotals(id: string, ctx: Context): Promise<Partial<State>> {
  const runs = await listRuns(id, ctx);
  return Array.isArray(runs) ? { ...sumTotals(runs), filePrefix: findFilePrefix(id, runs) } : {};
}

/** Runs only tell more of an export: whatever becomes of the request for them, it fails nothing. */
async function listRuns(id: string, ctx: Context): Promise<ExportRun[] | "not now" | "never"> {
  try {
    return await ctx.clients.tracing.listExportRuns(id);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.isRetryable ? "not now" : "never";
  }
}

function sumTotals(runs: ExportRun[]): { rowsWritten: number; filesWritten: number } {
  const sum = (count: (run: ExportRun) => number) => runs.reduce((total, run) => total + count(run), 0);
  return {
    rowsWritten: sum(({ metadata }) => metadata?.result?.rowsWritten ?? 0),
    filesWritten: sum(({ metadata }) => metadata?.result?.exportedFiles?.length ?? 0),
  };
}

class CompletionWatcher {
  private readonly startedAt: number;
  private runs: ExportRun[] = [];
  private isRunListAvailable = true;
  private runsRefreshedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly id: string,
    private readonly desired: Inputs,
    private state: State,
    private readonly ctx: Context,
  ) {
    this.startedAt = ctx.clock.monotonic();
  }

  async wait(): Promise<State> {
    const { ctx, id } = this;
    try {
      const unit = `export ${id} to be COMPLETED`;
      const onInterruptHint = "the export goes on by itself";
      await ctx.waitUntil({ what: unit, poll: () => this.poll(), onInterruptHint: onInterruptHint });
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error;
      const hint =
        "The export goes on by itself. Run `pulumi up` again to go on waiting; a longer wait: the resource option customTimeouts.";
      throw this.toPartialStateError(`${error.message}\n${hint}`);
    }
    const seen = await this.refreshRuns();
    ctx.log.progress(
      `COMPLETED${seen ? this.progress() : ""}, ${formatDuration(ctx.clock.monotonic() - this.startedAt)}`,
    );
    return { ...this.state, ...(seen && { ...sumTotals(this.runs), filePrefix: findFilePrefix(id, this.runs) }) };
  }

  private async poll(): Promise<PollResult<true>> {
    const seen = await this.ctx.clients.tracing.getExport(this.id);
    this.state = toState(seen, this.ctx, this.state);
    if (seen.status === "COMPLETED") return { done: true };
    if (hasEnded(seen.status)) throw await this.failure(seen);
    // Of one that waits for its turn there are no runs yet.
    const areRunsStale = this.ctx.clock.monotonic() - this.runsRefreshedAt >= RUNS_MAX_AGE_MS;
    if (areRunsStale && seen.status === "RUNNING") await this.refreshRuns();
    const waited = this.ctx.clock.monotonic() - this.startedAt;
    const retryAfterMs = waited < BACKOFF_AFTER_MS ? undefined : Math.min(waited / 10, MAX_POLL_INTERVAL_MS);
    return { pending: `${seen.status}${this.progress()}`, retryAfterMs: retryAfterMs };
  }

  /** Returns whether the runs are known as they are now. A service that does not show them is not asked again. */
  private async refreshRuns(): Promise<boolean> {
    const runs = this.isRunListAvailable ? await listRuns(this.id, this.ctx) : "never";
    this.runsRefreshedAt = this.ctx.clock.monotonic();
    this.isRunListAvailable = runs !== "never";
    if (Array.isArray(runs)) this.runs = runs;
    return Array.isArray(runs);
  }

  /** One run is a day of a project. */
  private progress(): string {
    if (this.runs.length === 0) return "";
    const { rowsWritten, filesWritten } = sumTotals(this.runs);
    const completedCount = this.runs.filter(({ status }) => status === "COMPLETED").length;
    const unit = this.desired.allExperiments ? "days of projects" : "days";
    return `, ${completedCount} of ${this.runs.length} ${unit}, ${rowsWritten} rows, ${filesWritten} files`;
  }

  private async failure({ status }: Export): Promise<PartialStateError> {
    const seen = await this.refreshRuns();
    const endStatus = status ?? "";
    return this.toPartialStateError(
      [
        `Export ${this.id} ended ${endStatus} after ${formatDuration(this.ctx.clock.monotonic() - this.startedAt)}${this.progress()}.`,
        ...(seen ? formatCauses(this.runs) : ["  This service does not show why: look at the export in its console."]),
        `${HINTS[endStatus] ?? HINTS.FAILED} An export that ended cannot be resumed, so that makes a new one.`,
      ].join("\n"),
    );
  }

  private toPartialStateError(message: string): PartialStateError {
    return new PartialStateError(message, this.desired, this.state);
  }
}

/** The last error of each run that has one, the same ones told once with the first day they happened on. */
function formatCauses(runs: ExportRun[]): string[] {
  const failed = runs.flatMap((run) => {
    const cause = run.status === "COMPLETED" ? undefined : lastError(run);
    return cause === undefined ? [] : [{ cause, run }];
  });
  const groups = [...Map.groupBy(failed, ({ cause }) => cause)];
  const lines = groups.slice(0, MAX_CAUSES).map(([cause, failures]) => {
    const { retryNumber } = failures[0]?.run ?? {};
    const more = failures.length > 1 ? ` and ${failures.length - 1} more` : "";
    return `  ${dayOf(failures[0]?.run)}${more}${retryNumber ? ` (${retryNumber} retries)` : ""}: ${cause}`;
  });
  return groups.length > MAX_CAUSES ? [...lines, `  and ${groups.length - MAX_CAUSES} other causes`] : lines;
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
