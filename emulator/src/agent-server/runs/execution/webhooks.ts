import { isLoopback } from "../../../http/allowed-hosts";
import type { Context } from "../../../runtime/context";
import { writeAgentLog } from "../../agent-log";
import { lastCheckpointOf } from "../../threads/checkpoints";
import type { ThreadRecord } from "../../threads/records";
import type { RunRecord } from "../records";
import { runResponse } from "../responses";

/** Real milliseconds that a webhook has to respond. */
const TIMEOUT_MS = 10_000;

/**
 * Returns whether a webhook is called: only one on this machine, because the emulator needs no network. The server in
 * Python rejects those. No request can be sent to a URL with credentials, and the error about it would show them.
 */
export function isCalled(webhook: string): boolean {
  const url = URL.parse(webhook);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return ["http:", "https:"].includes(url.protocol) && isLoopback(url.hostname);
}

/**
 * Sends a run that has ended to its webhook, as the published server in JavaScript does. A failure is in the log of the
 * deployment.
 */
export function callWebhook(context: Context, thread: ThreadRecord, run: RunRecord): void {
  const { webhook } = run.request;
  if (webhook === undefined || run.started_at === null || !isCalled(webhook)) return;
  const { backgroundTasks, clock, store } = context;
  const endedAt = clock.isoNow();
  // Only threads of stateless runs have a TTL on this server, which stores no state of those.
  const hasState = run.status !== "interrupted" && thread.ttl === null;
  const body = JSON.stringify({
    ...runResponse(context, thread, run),
    run_started_at: new Date(run.started_at).toISOString(),
    run_ended_at: endedAt,
    webhook_sent_at: endedAt,
    ...(hasState && { values: lastCheckpointOf(store, thread, run.id)?.state }),
    ...(run.status === "error" && { error: run.error }),
  });
  backgroundTasks.start(`webhook of ${run.id}`, async (stopped) => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const response = await fetch(webhook, { method: "POST", body, redirect: "manual", signal });
      await response.body?.cancel();
    } catch (error) {
      const { cause = error } = error as Error;
      const message = `The webhook of run ${run.id} failed: ${cause}`;
      if (!stopped.aborted) store.transaction(() => writeAgentLog(context, thread.deployment_id, message));
    }
  });
}
