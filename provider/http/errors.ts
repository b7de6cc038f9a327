/** One error class with named questions. Its message says what failed, in the server's own words. */
import { UserError } from "../text/user-error";

export interface Failure {
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
  advice?: string;
  /** The methods that the path has, as the server names them beside a 405. */
  allow?: string;
  /** What the server asked to wait, in milliseconds from its answer. */
  retryAfter?: number | undefined;
  /** The same for all requests that fail for this reason: an address or a credential, and no single object. */
  sharedCause?: string | undefined;
}

/** Codes of a connection that was never made: the server surely did not act. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export class RequestError extends UserError {
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly detail: string;
  readonly code: string | undefined;
  /** What the server asked to wait, in milliseconds from its answer. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  readonly advice: string | undefined;
  /** The methods that the path has, as the server names them beside a 405. */
  readonly allow: string | undefined;
  readonly sharedCause: string | undefined;

  constructor(failure: Failure) {
    const answer = failure.status === undefined ? "no answer" : String(failure.status);
    const id = failure.requestId ? ` (request id ${failure.requestId})` : "";
    const advice = failure.advice ? `\n${failure.advice}` : "";
    super(`${failure.method} ${failure.path}: ${answer}: ${failure.detail}${id}${advice}`);
    this.name = "RequestError";
    this.method = failure.method;
    this.path = failure.path;
    this.status = failure.status;
    this.detail = failure.detail;
    this.code = failure.code;
    this.retryAfter = failure.retryAfter;
    this.requestId = failure.requestId;
    this.advice = failure.advice;
    this.allow = failure.allow;
    this.sharedCause = failure.sharedCause;
  }

  /** The same error, saying more about what to do now. */
  advised(text: string): RequestError {
    return new RequestError({ ...this, advice: this.advice === undefined ? text : `${text}\n${this.advice}` });
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** The answer of a server that may not have this route at all; a look at the object tells (interface-notes section 5). */
  get maybeMissingRoute(): boolean {
    return this.status === 404 || this.status === 405 || this.status === 501;
  }

  get isDenied(): boolean {
    return this.status === 401 || this.status === 403;
  }

  get isThrottled(): boolean {
    return this.status === 429;
  }

  /** Worth another look later: the network, a proxy, a server that restarts, a limit. */
  get isTransient(): boolean {
    return this.status === undefined || this.status === 408 || this.isThrottled || this.isServerTrouble;
  }

  /** A good status with a response that makes no sense, as of a proxy. */
  get isUnexpected(): boolean {
    return this.status !== undefined && this.status < 300;
  }

  /** The server may have done what was asked although no good answer came; with a 2xx it did, and said it badly. */
  get mayHaveActed(): boolean {
    if (this.status !== undefined) return this.isServerTrouble || this.status === 408 || this.status < 300;
    return !this.surelyNotSent;
  }

  /** 501 is no trouble: the server says that it has no such thing. */
  private get isServerTrouble(): boolean {
    return this.status !== undefined && this.status >= 500 && this.status !== 501;
  }

  get surelyNotSent(): boolean {
    return this.code !== undefined && NEVER_SENT.has(this.code);
  }

  /** The shortest name of what happened. */
  get brief(): string {
    return this.status === undefined ? (this.code ?? "network") : String(this.status);
  }
}
