/** The request log of one run: which resource and operation an attempt to send a request belongs to, and where it is written. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Attempt, AttemptObserver } from "../../http/attempt";
import { credentialsIn, type Settings } from "../../settings/settings";
import { cleanMessage } from "../../text/clean";
import { messageOf } from "../../text/user-error";
import { appendRequest } from "./file";

/** A call of the engine, during which requests are sent. */
export interface ObservedCall {
  urn: string;
  operation: string;
  /** Removes the secrets of the resource and of the settings. */
  clean(text: string): string;
  /** Writes to the engine's log, where `pulumi up --debug` shows it. */
  debug(text: string): void;
  warn(text: string): void;
}

export class ObservedRequests {
  private readonly calls = new AsyncLocalStorage<ObservedCall>();
  private hasWarned = false;

  /** Attributes all requests that an action sends to a call. A request that several share belongs to the first. */
  during<T>(call: ObservedCall, act: () => Promise<T>): Promise<T> {
    return this.calls.run(call, act);
  }

  /** Returns the observer of requests with these settings. */
  observer(settings: Settings): AttemptObserver {
    const { requestLog } = settings;
    const secrets = credentialsIn(settings);
    return (attempt) => {
      const call = this.calls.getStore();
      const clean = (text: string) => cleanMessage(call ? call.clean(text) : text, secrets);
      const safe = {
        ...attempt,
        url: clean(attempt.url),
        requestId: attempt.requestId && clean(attempt.requestId),
        error: attempt.error && clean(attempt.error),
      };
      call?.debug(describeAttempt(safe));
      if (requestLog === undefined) return;
      try {
        appendRequest(requestLog, { ...safe, urn: call?.urn ?? "", operation: call?.operation ?? "" });
      } catch (error) {
        if (!this.hasWarned) call?.warn(`requestLog: the request log is not written: ${messageOf(error)}`);
        this.hasWarned = true;
      }
    };
  }
}

/** Describes an attempt in one line: `PATCH https://… 429 in 12 ms, attempt 2, waited 250 ms, request ID r-1: the error`. */
function describeAttempt({ method, url, status, durationMs, attempt, waitMs, requestId, error }: Attempt): string {
  const details = [
    `${method} ${url} ${status ?? "no response"} in ${Math.round(durationMs)} ms`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(waitMs >= 1 ? [`waited ${Math.round(waitMs)} ms`] : []),
    ...(requestId ? [`request ID ${requestId}`] : []),
  ];
  return details.join(", ") + (error ? `: ${error}` : "");
}
