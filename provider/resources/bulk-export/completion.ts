/** Waits for an export to complete, shows its progress and reports why it failed (API `3.Export status`). */
import { ContradictionError } from "../../api/absence";
import type { RemoteExport } from "../../api/tracing/client";
import type { Export, ExportRun } from "../../api/tracing/schemas";
import type { Context, Observation } from "../../definition/context";
import { type PollResult, WaitTimeoutError } from "../../definition/wait";
import { type HttpError, recover, recoverFrom } from "../../http/errors";
import { formatDuration } from "../../text/format";
import { UserError } from "../../text/user-error";
import { hasEnded } from "../exports/fields";
import { findExport } from "../exports/idempotent-create";
import { type Inputs, type State, toState } from "./fields";

/** Maximum age of the list of runs, which is long for an export of a year. */
const RUNS_MAX_AGE_MS = 15_000;
/** Maximum interval between two polls of an export that takes hours. */
const MAX_POLL_INTERVAL_MS = 60_000;
/** Time after which the interval grows to a tenth of the elapsed time. */
const BACKOFF_AFTER_MS = 100_000;
/** How long a new export may be missing where reads and writes have different servers. */
const MAX_LAG_MS = 30_000;
const MAX_CAUSES = 5;

/** What to do after each way to end. */
const HINTS: Record<string, string> = {
  FAILED: "Fix the cause and run `pulumi up` again.",
  CANCELLED: "Someone canceled it. Run `pulumi up` again to start another one, or remove it from the program.",
  TIMEDOUT:
    "Exports are limited to 72 hours. Shorten the window or omit the fields inputs and outputs, then run " +
    "`pulumi up` again.",
};

/** @throws UserError when the export ends other than COMPLETED, or late; its last state is recorded. */
export function waitUntilCompleted(started: Observation<Inputs, State>, ctx: Context): Promise<State> {
  return new CompletionWatcher(started, ctx).wait();
}

/** Returns what the runs of an export wrote, and where; empty if the server does not return them. */
export async function getTotals(id: string, ctx: Context): Promise<Partial<State>> {
  const runs = await listRuns(id, ctx);
  return Array.isArray(runs) ? totalsOf(id, runs) : {};
}

const totalsOf = (id: string, runs: ExportRun[]) => ({ ...sumTotals(runs), filePrefix: findFilePrefix(id, runs) });

/** Lists the runs of an export. They only add detail, so a failed request is not an error. */
async function listRuns(id: string, ctx: Context): Promise<ExportRun[] | "unavailable" | "unsupported"> {
  const reasonOf = ({ isRetryable }: HttpError) => (isRetryable ? "unavailable" : "unsupported");
  return ctx.clients.tracing.listExportRuns(id).catch(recover(() => true, reasonOf));
}

function sumTotals(runs: ExportRun[]): { rowsWritten: number; filesWritten: number } {
  const sum = (count: (run: ExportRun) => number) => runs.reduce((total, run) => total + count(run), 0);
  return {
    rowsWritten: sum(({ metadata }) => metadata?.result?.rowsWritten ?? 0),
    filesWritten: sum(({ metadata }) => metadata?.result?.exportedFiles?.length ?? 0),
  };
}

/**
 * Returns the common prefix of the keys of all files, up to the export's ID (API `2C.Output layout`), else of the
 * folders of all runs; undefined without folders, or where they share nothing.
 */
export function findFilePrefix(id: string, runs: readonly ExportRun[]): string | undefined {
  const folders = runs.flatMap(({ metadata }) =>
    metadata?.prefix ? [metadata.prefix.split("/").filter(Boolean)] : [],
  );
  const [first = [], ...others] = folders;
  const firstDifference = first.findIndex((part, index) => others.some((folder) => folder[index] !== part));
  const shared = firstDifference < 0 ? first : first.slice(0, firstDifference);
  const idIndex = shared.indexOf(`export_id=${id}`);
  const parts = idIndex < 0 ? shared : shared.slice(0, idIndex + 1);
  return parts.length === 0 ? undefined : `${parts.join("/")}/`;
}

class CompletionWatcher {
  private readonly startedAt: number;
  private runs: ExportRun[] = [];
  private isRunListAvailable = true;
  private runsRefreshedAt = Number.NEGATIVE_INFINITY;

  private readonly id: string;
  private state: State;

  constructor(
    private readonly started: Observation<Inputs, State>,
    private readonly ctx: Context,
  ) {
    this.startedAt = ctx.clock.monotonic();
    this.id = started.id;
    this.state = started.state;
  }

  async wait(): Promise<State> {
    const { ctx, id } = this;
    const what = `export ${id} to be COMPLETED`;
    const onInterruptHint = "the export keeps running";
    const onTimeoutHint =
      "The export keeps running. Run `pulumi up` again to keep waiting, or set customTimeouts to wait longer.";
    const areRunsCurrent = await ctx
      .waitUntil({ kind: "export", what, poll: () => this.poll(), onInterruptHint, onTimeoutHint })
      .catch(
        recoverFrom(WaitTimeoutError, ({ message }): never => {
          throw this.toError(message);
        }),
      );
    ctx.log.progress(`COMPLETED${areRunsCurrent ? this.progress() : ""}, ${formatDuration(this.waitedMs)}`);
    return { ...this.state, ...(areRunsCurrent && totalsOf(id, this.runs)) };
  }

  private get waitedMs(): number {
    return this.ctx.clock.monotonic() - this.startedAt;
  }

  /** Returns whether the list of its runs is up to date, once it is completed. */
  private async poll(): Promise<PollResult<boolean>> {
    const remote = await this.findCurrent();
    if (!remote) return { pending: "not found (404)" };
    this.state = toState(remote, this.ctx, this.state);
    if (hasEnded(remote.status)) this.ctx.trace.event(remote.status);
    if (remote.status === "COMPLETED") return { done: await this.refreshRuns() };
    if (hasEnded(remote.status)) throw await this.failure(remote);
    // A queued export has no runs yet.
    const areRunsStale = this.ctx.clock.monotonic() - this.runsRefreshedAt >= RUNS_MAX_AGE_MS;
    if (areRunsStale && remote.status === "RUNNING") await this.refreshRuns();
    const { waitedMs } = this;
    const retryAfterMs = waitedMs < BACKOFF_AFTER_MS ? undefined : Math.min(waitedMs / 10, MAX_POLL_INTERVAL_MS);
    return { pending: `${remote.status}${this.progress()}`, retryAfterMs };
  }

  /** Returns the export; undefined while it may appear. @throws UserError when it is gone: one 404 proves nothing. */
  private async findCurrent(): Promise<RemoteExport | undefined> {
    try {
      const remote = await findExport(this.id, this.ctx);
      if (remote) return remote;
    } catch (error) {
      if (error instanceof ContradictionError) return undefined;
      throw error;
    }
    if (this.state === this.started.state && this.waitedMs < MAX_LAG_MS) return undefined;
    throw this.toError(
      `Export ${this.id} no longer exists on the server. Run \`pulumi up --refresh\` to create another one.`,
    );
  }

  /** Refreshes the runs; returns whether they are up to date. A server without this route is not asked again. */
  private async refreshRuns(): Promise<boolean> {
    const runs = this.isRunListAvailable ? await listRuns(this.id, this.ctx) : "unsupported";
    this.runsRefreshedAt = this.ctx.clock.monotonic();
    this.isRunListAvailable = runs !== "unsupported";
    if (Array.isArray(runs)) this.runs = runs;
    return Array.isArray(runs);
  }

  private progress(): string {
    if (this.runs.length === 0) return "";
    const { rowsWritten, filesWritten } = sumTotals(this.runs);
    const completedCount = this.runs.filter(({ status }) => status === "COMPLETED").length;
    const unit = this.started.inputs.allExperiments ? "days of projects" : "days";
    return `, ${completedCount} of ${this.runs.length} ${unit}, ${rowsWritten} rows, ${filesWritten} files`;
  }

  private async failure({ status }: Export): Promise<UserError> {
    const areRunsCurrent = await this.refreshRuns();
    const endStatus = status ?? "";
    return this.toError(
      [
        `Export ${this.id} ended ${endStatus} after ${formatDuration(this.waitedMs)}${this.progress()}.`,
        ...(areRunsCurrent
          ? formatCauses(this.runs)
          : ["  The server does not return the reason; check the export in its console."]),
        `${HINTS[endStatus] ?? HINTS.FAILED} An ended export cannot be resumed, so this creates a new one.`,
      ].join("\n"),
    );
  }

  private toError(message: string): UserError {
    // The last status: Pulumi stores the export with the error, and then its row says only "1 error occurred".
    this.ctx.log.progress(message.split("\n", 1)[0] as string);
    this.ctx.record({ ...this.started, state: this.state });
    return new UserError(message);
  }
}

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

function lastError({ errors }: ExportRun): string | undefined {
  const attempts = Object.entries(errors ?? {}).map(([key, error]) => ({
    number: Number(/\d+/.exec(key)?.[0]),
    error,
  }));
  const last = attempts.sort((a, b) => b.number - a.number)[0]?.error;
  return last == null ? undefined : typeof last === "string" ? last : JSON.stringify(last);
}
