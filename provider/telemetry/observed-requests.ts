/** What a run records of its requests, with resource and operation, for the request log, the engine and the trace. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { AttemptObserver, AttemptResult, StartedAttempt } from "../http/messages";
import { credentialsIn, type Settings } from "../settings/settings";
import { cleanerOf, cleanMessage } from "../text/clean";
import { messageOf } from "../text/user-error";
import type { Step } from "./logged-steps";
import { appendEntry, describeBody, hideQueries, type LoggedAttempt, type LoggedStep } from "./request-log";
import { NO_TRACE, type OpenSpan, type Trace } from "./trace";

/** A call of the engine or of the program, during which requests are sent. */
export interface ObservedCall {
  /** Empty for functions, and for state that `pulumi import --file` created. */
  urn: string;
  /** The kind of the resource. Undefined for functions. */
  kind?: string;
  /** What the engine asked for, or the name of a function. */
  operation: string;
  /** Removes the secrets of the resource and of the settings. */
  clean(text: string): string;
  /** Writes to the engine's log (`pulumi up --debug`), without secrets. Resolves when the engine has it. */
  debug(text: string): Promise<void>;
  warn(text: string): void;
}

export class ObservedRequests {
  private readonly calls = new AsyncLocalStorage<ObservedCall & { lines: DebugLines }>();
  private hasWarned = false;

  constructor(readonly trace: Trace = NO_TRACE) {}

  /** Attributes all requests that an action sends to a call. A request that several share belongs to the first. */
  during<T>(call: ObservedCall, act: () => Promise<T>): Promise<T> {
    const { urn, kind, operation, clean } = call;
    const span = {
      name: kind === undefined ? operation : `${kind} ${operation}`,
      attributes: { "pulumi.urn": urn || undefined, "agentgraph.kind": kind, "agentgraph.operation": operation },
      clean,
    };
    const lines = new DebugLines(call);
    return this.calls.run({ ...call, lines }, () => this.trace.span(span, act).finally(() => lines.flush()));
  }

  observer(settings: Settings): AttemptObserver {
    return (started) => {
      const call = this.calls.getStore();
      const span = this.trace.isRecording ? startAttemptSpan(this.trace, started) : undefined;
      return {
        traceparent: span?.traceparent,
        end: (result) => {
          if (span) endAttemptSpan(span, result);
          const attempt = { ...toLogged(started, result), urn: call?.urn ?? "", operation: call?.operation ?? "" };
          call?.lines.add(formatAttempt(attempt), started.time);
          this.append(settings, call, () => ({
            ...attempt,
            ...(settings.requestLogBodies && {
              requestBody: describeBody(started.requestBody),
              responseBody: describeBody(result.responseBody),
            }),
          }));
        },
      };
    };
  }

  /** Records what an operation did besides its requests. */
  addStep(step: Step, settings: Settings): void {
    const call = this.calls.getStore();
    const { time, durationMs, error, ...facts } = step;
    const known = Object.entries(facts).map(([key, value]) => `${key} ${value}`);
    const line = `${known.join(", ")} in ${Math.round(durationMs)} ms`;
    call?.lines.add(error === undefined ? line : `${line}: ${error}`, time);
    this.append(settings, call, () => ({ ...step, urn: call?.urn ?? "", operation: call?.operation ?? "" }));
  }

  private append(settings: Settings, call: ObservedCall | undefined, entryOf: () => LoggedAttempt | LoggedStep): void {
    if (settings.requestLog === undefined) return;
    const entry = entryOf();
    const texts = Object.values(entry).filter((value) => typeof value === "string");
    const secrets = credentialsIn(settings);
    const cleanText = cleanerOf(texts, (text) => cleanMessage(call ? call.clean(text) : text, secrets));
    const cleaned = Object.entries(entry).map(([key, value]) => {
      if (typeof value !== "string") return [key, value];
      return [key, BODIES.has(key) ? hideQueries(cleanText(value)) : cleanText(value)];
    });
    try {
      appendEntry(settings.requestLog, Object.fromEntries(cleaned));
    } catch (error) {
      if (!call || this.hasWarned) return;
      this.hasWarned = true;
      call.warn(
        `requestLog: the request log is not written: ${messageOf(error)}. Check that its folder exists ` +
          "and is writable, and that the disk has space.",
      );
    }
  }
}

const BODIES: ReadonlySet<string> = new Set(["requestBody", "responseBody"] satisfies (keyof LoggedAttempt)[]);

/** How long lines wait for others: each message to the engine costs time, whether or not the user wants to see it. */
const MAX_DELAY_MS = 1000;

/** The attempts of a call, as one message. */
class DebugLines {
  private readonly lines: { text: string; time: number }[] = [];

  constructor(private readonly call: Pick<ObservedCall, "debug">) {}

  add(text: string, time: number): void {
    this.lines.push({ text, time });
    if (time - (this.lines[0]?.time ?? time) >= MAX_DELAY_MS) void this.flush();
  }

  async flush(): Promise<void> {
    const texts = this.lines.splice(0).map(({ text }) => text);
    if (texts.length > 0) await this.call.debug(texts.join("\n"));
  }
}

const toLogged = (
  { time, method, url, attempt, waits }: StartedAttempt,
  { status, durationMs, requestId, error }: AttemptResult,
) => ({
  ...{ time, method, url, status, durationMs, attempt, requestId, error },
  waitMs: waits.retryMs + waits.rateLimitMs + waits.connectionMs,
});

/** Formats an attempt: `PATCH https://… 429 in 12 ms, attempt 2, waited 250 ms, request ID r-1: the error`. */
function formatAttempt({ method, url, status, durationMs, attempt, waitMs, requestId, error }: LoggedAttempt): string {
  const details = [
    `${method} ${url} ${status ?? "no response"} in ${Math.round(durationMs)} ms`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(waitMs >= 1 ? [`waited ${Math.round(waitMs)} ms`] : []),
    ...(requestId ? [`request ID ${requestId}`] : []),
  ];
  return details.join(", ") + (error ? `: ${error}` : "");
}

/** The shortest wait that has a span of its own. Milliseconds. */
const MIN_WAIT_MS = 1;
/** IDs would make the name of each span unique. */
const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Records the waits before the attempt, and starts its span, with OpenTelemetry's attributes of HTTP clients. */
function startAttemptSpan(trace: Trace, { method, url, attempt, waits }: StartedAttempt): OpenSpan | undefined {
  const { retryMs, rateLimitMs, connectionMs } = waits;
  recordWait(trace, "retry delay", retryMs, rateLimitMs + connectionMs);
  recordWait(trace, "rate limit", rateLimitMs, connectionMs);
  recordWait(trace, "connection limit", connectionMs, 0);
  const { hostname, port, pathname } = new URL(url);
  return trace.start({
    name: `${method} ${pathname.replace(ID, "{id}")}`,
    kind: "client",
    attributes: {
      "http.request.method": method,
      "url.full": url,
      "server.address": hostname,
      "server.port": port === "" ? undefined : Number(port),
      "http.request.resend_count": attempt > 1 ? attempt - 1 : undefined,
    },
  });
}

function endAttemptSpan(span: OpenSpan, { status, requestId, error }: AttemptResult): void {
  span.set({ "http.response.status_code": status, "agentgraph.request_id": requestId });
  if (error === undefined) span.end();
  else span.fail(error, status === undefined ? networkCode(error) : String(status));
}

function recordWait(trace: Trace, name: string, durationMs: number, endedAgoMs: number): void {
  if (durationMs < MIN_WAIT_MS) return;
  trace.start({ name: `wait for ${name}`, agoMs: durationMs + endedAgoMs })?.end(endedAgoMs);
}

const networkCode = (error: string) => (/^[A-Z\d_]+$/.test(error) ? error : "_OTHER");
