/** Runs a check of a live revision, with its attempts and pauses. */
import { WaitTimeoutError } from "../../../definition/wait";
import { HttpError } from "../../../http/errors";
import { isSameBranch } from "../../../schema/schema";
import { parseDuration, truncate } from "../../../text/format";
import { CHECK_KINDS, type Check } from "../schema/verify";
import { ask } from "./ask";
import { type CheckRun, type Mismatch, titleOf } from "./check-run";
import type { Show } from "./expectation";
import { checkHttp } from "./http";

/** Characters of a text that are searched for secrets, of one that an error shows, and of one that a row shows. */
const [MAX_REDACTED, MAX_SHOWN, MAX_IN_ROW] = [16_000, 600, 120];

export interface AttemptOptions {
  timeoutMs: number;
  /** Formats what the program declared. */
  show: Show;
}

/** Returns why a check failed; undefined when it passed. @throws CanceledError, and UserError for what no attempt can change. */
export function runCheck(check: Check, run: CheckRun): Promise<Mismatch | undefined> {
  const { ctx, label } = run;
  const kind = CHECK_KINDS.find((name) => check[name] !== undefined) ?? "";
  ctx.log.progress(label);
  const span = { name: `check ${kind}`, attributes: { "agentgraph.check": titleOf(check) } };
  return ctx.trace.span(span, async (recorded) => {
    const { mismatch, attempts } = await tryRepeatedly(check, run);
    recorded?.set({ "agentgraph.attempts": attempts, "agentgraph.outcome": mismatch ? "failed" : "passed" });
    if (mismatch) recorded?.fail(`expected ${mismatch.expected}, but got ${mismatch.actual}`);
    return mismatch;
  });
}

async function tryRepeatedly(check: Check, run: CheckRun): Promise<{ mismatch?: Mismatch; attempts: number }> {
  const { ctx, label } = run;
  const pauseMs = parseDuration(check.pause ?? "2s");
  let attempts = 0;
  let mismatch: Mismatch | undefined;
  const poll = async () => {
    attempts += 1;
    mismatch = await tryOnce(check, run);
    if (!mismatch || attempts >= (check.attempts ?? 3)) return { done: mismatch };
    const reason = truncate(mismatch.actual.split("\n", 1)[0] ?? "", MAX_IN_ROW);
    return { pending: `${label}: attempt ${attempts} failed: ${reason}`, retryAfterMs: pauseMs };
  };
  try {
    await ctx.waitUntil({ kind: "check", what: `${label} to pass`, poll, onInterruptHint: RUNS_AGAIN });
  } catch (error) {
    // The time of the whole operation is over.
    if (!(error instanceof WaitTimeoutError)) throw error;
  }
  return { attempts, ...(mismatch && { mismatch }) };
}

const RUNS_AGAIN = "the next `pulumi up` runs the checks again";

/** Returns the mismatch with texts that may be shown. */
async function tryOnce(check: Check, run: CheckRun): Promise<Mismatch | undefined> {
  const { timeout = "30s" } = check;
  const options = { timeoutMs: parseDuration(timeout) ?? 0, show: createShow(run) };
  const mismatch = await attempt(check, run, options).catch((error: unknown): Mismatch => {
    if (!(error instanceof HttpError)) throw error;
    const isLate = error.code === "ETIMEDOUT" || error.code?.endsWith("_TIMEOUT");
    return {
      expected: "a response",
      actual: isLate ? `no response within ${timeout}` : `no response: ${error.detail}`,
    };
  });
  return mismatch && { expected: clean(mismatch.expected, run), actual: clean(mismatch.actual, run) };
}

async function attempt(check: Check, run: CheckRun, options: AttemptOptions): Promise<Mismatch | undefined> {
  if (check.http) return checkHttp(check.http, run, options);
  if (check.ask) return ask(check.ask, run, options);
  return undefined;
}

/** Redacted before it is truncated: half of a secret would not be recognized. */
const clean = (text: string, { ctx }: CheckRun): string =>
  truncate(ctx.log.redact(truncate(text, MAX_REDACTED)), MAX_SHOWN);

/** The redaction does not recognize shorter secrets, nor those that are no texts. */
const MIN_REDACTED_LENGTH = 4;

function createShow({ ctx }: CheckRun): Show {
  const isSecret = (ctx.recorded.secretInputs ?? []).some((path) => isSameBranch(path, "verify"));
  return (value) => {
    const isRecognized = typeof value === "string" && value.trim().length >= MIN_REDACTED_LENGTH;
    return isSecret && !isRecognized ? "[secret]" : JSON.stringify(value);
  };
}
