/** Converts a request log to an HTTP archive 1.2, which the developer tools of browsers open. */
import { packageVersion } from "../shared/version";
import type { LoggedAttempt } from "./log";

const JSON_TYPE = "application/json";
const EMPTY = { httpVersion: "HTTP/1.1", cookies: [], headers: [], headersSize: -1, bodySize: -1 };

export const toHar = (attempts: readonly LoggedAttempt[]) => ({
  log: {
    version: "1.2",
    creator: { name: "pulumi-agentgraph", version: packageVersion() },
    entries: attempts.map(({ time, method, url, status, durationMs, waitMs, error, urn, operation, ...attempt }) => ({
      // An archive counts the wait as part of an entry.
      startedDateTime: new Date(Date.parse(time) - waitMs).toISOString(),
      time: waitMs + durationMs,
      request: {
        ...{ method, url, queryString: queryOf(url), ...EMPTY },
        ...(attempt.requestBody && { postData: { mimeType: JSON_TYPE, text: attempt.requestBody } }),
      },
      response: {
        status: status ?? 0,
        statusText: error ?? "",
        redirectURL: "",
        content: contentOf(attempt.responseBody),
        ...EMPTY,
        headers: attempt.requestId ? [{ name: "x-request-id", value: attempt.requestId }] : [],
      },
      cache: {},
      timings: { blocked: waitMs, send: 0, wait: durationMs, receive: 0 },
      comment: `${operation} ${urn}`.trim(),
    })),
  },
});

const contentOf = (text = "") => ({ size: Buffer.byteLength(text), mimeType: JSON_TYPE, ...(text && { text }) });

const queryOf = (url: string) => [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
