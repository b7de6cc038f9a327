/** Runs a check of a live revision, with its attempts and pauses. */
import { WaitTimeoutError } from "../../../definition/wait";
import { CanceledError } from "../../../http/clock";
import { HttpError, recoverFrom } from "../../../http/errors";
import { isSameBranch } from "../../../schema/schema";
import { parseDuration, truncate } from "../../../text/format";
import { CHECK_KINDS, type Check } from "../schema/verify";
import { ask } from "./ask";
import { type CheckRun, type Mismatch, titleOf } from "./check-run";
import { findProgram, runCommand } from "./command";
import { compareConversations } from "./conversations";
import { checkDataset } from "./dataset";
import type { Show } from "./expectation";
import { assertHeaders, checkHttp } from "./http";
import { readQuestions } from "./questions";

/** Characters of a text that are searched for secrets, of one that an error shows, and of one that a row shows. */
const [MAX_REDACTED, MAX_SHOWN, MAX_IN_ROW] = [16_000, 500, 120];
/** Returns milliseconds, up to the longest time of timers. */
const toMs = (duration: string) => Math.min(parseDuration(duration) ?? 0, 2 ** 31 - 1);
/** Characters of a text with several lines. */
const MAX_LINES_SHOWN = 2000;

/** Returns why a check failed; undefined when it passed. @throws UserError if no attempt can pass, CanceledError. */
export function runCheck(check: Check, run: CheckRun): Promise<Mismatch | undefined> {
  const { ctx, label } = run;
  const kind = CHECK_KINDS.find((name) => check[name] !== undefined) ?? "";
  ctx.log.progress(label);
  const { timeout = "30s", attempts = 3, pause = "2s" } = check;
  const runner = new CheckRunner({ ...check, timeout, attempts, pause }, run);
  const step = { name: `check ${kind}`, attributes: { "agentgraph.check": titleOf(check) }, isLogged: true };
  return ctx.trace.span(step, async (span) => {
    const mismatch = await runner.run();
    span?.set({ "agentgraph.attempts": runner.attempts, "agentgraph.outcome": mismatch ? "failed" : "passed" });
    if (mismatch) span?.fail(`expected ${mismatch.expected}, but got ${mismatch.actual}`);
    return mismatch;
  });
}

/** @throws UserError when a check's file or program is missing on this machine, or a header cannot be sent. */
export async function assertRunnable(checks: readonly Check[]): Promise<void> {
  for (const { http, dataset, command } of checks) {
    if (http) assertHeaders(http);
    if (dataset) await readQuestions(dataset);
    if (command) await findProgram(command.args[0] ?? "");
  }
}

class CheckRunner {
  attempts = 0;

  constructor(
    private readonly check: Check & Required<Pick<Check, "timeout" | "attempts" | "pause">>,
    private readonly checkRun: CheckRun,
  ) {}

  run(): Promise<Mismatch | undefined> {
    const { check, checkRun } = this;
    const { http, ask: question, dataset, conversations, command } = check;
    const limit = { ms: toMs(check.timeout), text: check.timeout };
    const options = { timeoutMs: limit.ms, show: createShow(checkRun) };
    if (http) return this.repeat(() => checkHttp(http, checkRun, options));
    if (question) return this.repeat(() => ask(question, checkRun, options));
    if (conversations) return this.repeat(() => compareConversations(conversations, checkRun, limit));
    if (command) return this.repeat(() => runCommand(command, checkRun, limit));
    if (!dataset) return Promise.resolve(undefined);
    return checkDataset(dataset, checkRun, async (one, isOver) => {
      for (let attempt = 1; ; attempt++) {
        const mismatch = await this.once(() => ask(one, checkRun, options));
        if (!mismatch || attempt >= check.attempts || isOver()) return mismatch;
        await checkRun.ctx.clock.sleep(toMs(check.pause));
      }
    });
  }

  /** Tries until it passes, or until its attempts or the time of the operation are over. */
  private async repeat(act: () => Promise<Mismatch | undefined>): Promise<Mismatch | undefined> {
    const { attempts, pause } = this.check;
    const { ctx, label } = this.checkRun;
    let mismatch: Mismatch | undefined;
    const poll = async () => {
      mismatch = await this.once(act);
      if (!mismatch || this.attempts >= attempts) return { done: true };
      const reason = truncate(mismatch.actual.split("\n", 1)[0] ?? "", MAX_IN_ROW);
      return { pending: `${label}: attempt ${this.attempts} failed: ${reason}`, retryAfterMs: toMs(pause) };
    };
    const ignoreTimeout = recoverFrom(WaitTimeoutError, () => undefined);
    const onInterruptHint = "the next `pulumi up` runs the checks again";
    await ctx.waitUntil({ kind: "check", what: `${label} to pass`, poll, onInterruptHint }).catch(ignoreTimeout);
    return mismatch;
  }

  /** Tries once. Every failure of the agent is a mismatch, whose texts may be shown. */
  private async once(act: () => Promise<Mismatch | undefined>): Promise<Mismatch | undefined> {
    this.attempts += 1;
    const mismatch = await act().catch(
      recoverFrom(HttpError, (error) => ({ expected: "a response", actual: this.describe(error) })),
    );
    // Canceling ends what is under way, which says nothing about the agent.
    if (mismatch && this.checkRun.ctx.clock.canceled?.aborted) throw new CanceledError();
    return mismatch && { expected: this.clean(mismatch.expected), actual: this.clean(mismatch.actual) };
  }

  private describe({ status, code, detail }: HttpError): string {
    if (status !== undefined) return `status ${status}: ${detail}`;
    return code === "ETIMEDOUT" ? `no response within ${this.check.timeout}` : `no response: ${detail}`;
  }

  /** Redacted before it is truncated: half of a secret would not be recognized. */
  private clean(text: string): string {
    const redacted = this.checkRun.ctx.log.redact(truncate(text, MAX_REDACTED));
    return truncate(redacted, redacted.includes("\n") ? MAX_LINES_SHOWN : MAX_SHOWN);
  }
}

/** The redaction does not recognize shorter secrets, nor those that are no texts. */
const MIN_REDACTED_LENGTH = 4;

function createShow({ ctx }: CheckRun): Show {
  const isSecret = (ctx.recorded.secretInputs ?? []).some((path) => isSameBranch(path, "verify"));
  return (value) => {
    const isRecognized = typeof value === "string" && value.trim().length >= MIN_REDACTED_LENGTH;
    return isSecret && !isRecognized ? "[secret]" : JSON.stringify(value);
  };
}
