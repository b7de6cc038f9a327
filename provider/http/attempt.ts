/** What observers, such as the request log and the trace, learn of each attempt to send a request. */

export interface StartedAttempt {
  /** When it is sent. Milliseconds since the epoch, by this machine's clock. */
  time: number;
  method: string;
  /** Without credentials, values of the query and the path of a signed upload. */
  url: string;
  /** Its number among the attempts of one request, from 1. */
  attempt: number;
  /** How long it waited for each, in this order. Milliseconds. */
  waits: Waits;
  /** The value that is sent as JSON. May contain secrets. */
  requestBody: unknown;
}

export interface Waits {
  /** The delay before a retry. */
  retryMs: number;
  rateLimitMs: number;
  /** The limit of concurrent requests. */
  connectionMs: number;
}

export interface AttemptResult {
  /** Undefined when there was no response. */
  status: number | undefined;
  /** From sending the request until its response was read. */
  durationMs: number;
  requestId: string | undefined;
  /** The network error code, or the server's message. Undefined after a success. May contain secrets. */
  error: string | undefined;
  /** The value that the response has as JSON. May contain secrets. */
  responseBody: unknown;
}

/** Called before each attempt. Must not throw. */
export type AttemptObserver = (attempt: StartedAttempt) => AttemptObservation;

export interface AttemptObservation {
  /** The header of W3C Trace Context, for servers that the user has configured. Undefined when nothing is traced. */
  traceparent: string | undefined;
  /** Called when the attempt has ended. Must not throw. */
  end(result: AttemptResult): void;
}
