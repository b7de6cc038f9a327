/** What observers, such as the request log, learn of each attempt to send a request. */
export interface Attempt {
  /** When it was sent. Milliseconds since the epoch, by this machine's clock. */
  time: number;
  method: string;
  /** Without credentials, values of the query and the path of a signed upload. */
  url: string;
  /** Undefined when there was no response. */
  status: number | undefined;
  /** From sending the request until its response was read. */
  durationMs: number;
  /** Its number among the attempts of one request, from 1. */
  attempt: number;
  /** How long it waited for the delay before a retry, the rate limit and the limit of concurrent requests. */
  waitMs: number;
  /** The server's ID of the request. */
  requestId: string | undefined;
  /** The network error code, or the server's message. Undefined after a success. May contain secrets. */
  error: string | undefined;
}

/** Called after each attempt. Must not throw. */
export type AttemptObserver = (attempt: Attempt) => void;
