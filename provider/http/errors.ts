/** One error class with named questions. Its message says what failed, in the server's own words. */
import { UserError } from "../text/user-error";

export interface HttpErrorDetails {
  method: string;
  path: string;
  /** The HTTP status; undefined when no answer came. */
  status?: number;
  /** The server's words, or the network's. */
  detail: string;
  /** A code such as ECONNREFUSED when no answer came. */
  code?: string;
  requestId?: string;
  /** What to do now. */
  hint?: string;
  /** The methods that the path has, as the server names them beside a 405. */
  allow?: string;
  /** What the server asked to wait, in milliseconds from its answer. */
  retryAfterMs?: number | undefined;
  /** The same for all requests that fail for this reason: an address or a credential, and no single object. */
  sharedCause?: string | undefined;
}

/** Codes of a connection that was never made: the server surely did not act. */
const NOT_SENT_CODES = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export class HttpError extends UserError {
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly detail: string;
  readonly code: string | undefined;
  /** What the server asked to wait, in milliseconds from its answer. */
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly hint: string | undefined;
  /** The methods that the path has, as the server names them beside a 405. */
  readonly allow: string | undefined;
  readonly sharedCause: string | undefined;

  constructor(details: HttpErrorDetails) {
    const outcome = details.status === undefined ? "no answer" : String(details.status);
    const id = details.requestId ? ` (request id ${details.requestId})` : "";
    const hint = details.hint ? `\n${details.hint}` : "";
    super(`${details.method} ${details.path}: ${outcome}: ${details.detail}${id}${hint}`);
    this.name = "HttpError";
    this.method = details.method;
    this.path = details.path;
    this.status = details.status;
    this.detail = details.detail;
    this.code = details.code;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.hint = details.hint;
    this.allow = details.allow;
    this.sharedCause = details.sharedCause;
  }

  /** The same error, saying more about what to do now. */
  withHint(text: string): HttpError {
    return new HttpError({ ...this, hint: this.hint === undefined ? text : `${text}\n${this.hint}` });
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** The answer of a server that may not have this route at all; a look at the object tells (interface-notes section 5). */
  get isUnsupportedRoute(): boolean {
    return this.status === 404 || this.status === 405 || this.status === 501;
  }

  get isUnauthorized(): boolean {
    return this.status === 401 || this.status === 403;
  }

  get isRateLimited(): boolean {
    return this.status === 429;
  }

  /** Worth another look later: the network, a proxy, a server that restarts, a limit. */
  get isRetryable(): boolean {
    return this.status === undefined || this.status === 408 || this.isRateLimited || this.isServerError;
  }

  /** A good status with a response that makes no sense, as of a proxy. */
  get isUnexpected(): boolean {
    return this.status !== undefined && this.status < 300;
  }

  /** The server may have done what was asked although no good answer came; with a 2xx it did, and said it badly. */
  get outcomeUnknown(): boolean {
    if (this.status !== undefined) return this.isServerError || this.status === 408 || this.status < 300;
    return !this.notSent;
  }

  /** 501 is no trouble: the server says that it has no such thing. */
  private get isServerError(): boolean {
    return this.status !== undefined && this.status >= 500 && this.status !== 501;
  }

  get notSent(): boolean {
    return this.code !== undefined && NOT_SENT_CODES.has(this.code);
  }

  /** The shortest name of what happened. */
  get shortCode(): string {
    return this.status === undefined ? (this.code ?? "network") : String(this.status);
  }
}
