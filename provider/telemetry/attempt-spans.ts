/** The spans of an attempt to send a request, with the attributes of OpenTelemetry's conventions for HTTP clients. */
import type { AttemptResult, StartedAttempt } from "../http/attempt";
import type { OpenSpan, Trace } from "./trace";

/** The shortest wait that has a span of its own. Milliseconds. */
const MIN_WAIT_MS = 1;
/** IDs would make the name of each span unique. */
const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Records the waits before the attempt, and starts its span. */
export function startAttemptSpan(trace: Trace, { method, url, attempt, waits }: StartedAttempt): OpenSpan | undefined {
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

export function endAttemptSpan(span: OpenSpan, { status, requestId, error }: AttemptResult): void {
  span.set({ "http.response.status_code": status, "agentgraph.request_id": requestId });
  if (error === undefined) span.end();
  else span.fail(error, status === undefined ? networkCode(error) : String(status));
}

function recordWait(trace: Trace, name: string, durationMs: number, endedAgoMs: number): void {
  if (durationMs < MIN_WAIT_MS) return;
  trace.start({ name: `wait for ${name}`, agoMs: durationMs + endedAgoMs })?.end(endedAgoMs);
}

/** Returns the code of a network error, and what the conventions provide for others. */
const networkCode = (error: string) => (/^[A-Z\d_]+$/.test(error) ? error : "_OTHER");
