/** The error of a failed request. Its message contains what failed, in the server's own words. */
import { alignDetails, type Detail } from "../text/format";
import { UserError } from "../text/user-error";

/** The code of a connection to a server that the proxy refused. */
export const REFUSED_BY_PROXY = "EPROXY";

/** Codes of connections that were never established: the server did not receive the request. */
const NOT_SENT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_PRX_CONN",
  "UND_ERR_PRX_TLS",
  REFUSED_BY_PROXY,
]);

const FIELDS = [
  ...(["method", "path", "detail", "origin", "status", "code", "requestId", "retryAfterMs", "attempts"] as const),
  ...(["elapsedMs", "settings", "hint", "allow", "sharedCause", "concernsStoredSettings"] as const),
] as const;

export type HttpErrorDetails = Pick<HttpError, "method" | "path" | "detail"> &
  Partial<Pick<HttpError, (typeof FIELDS)[number]>>;

export class HttpError extends UserError {
  readonly method!: string;
  readonly path!: string;
  /** The origin of the server's URL, where it is known. */
  readonly origin: string | undefined;
  /** The HTTP status; undefined when there was no response. */
  readonly status: number | undefined;
  readonly detail!: string;
  /** The network error code, such as ECONNREFUSED, when there was no response. */
  readonly code: string | undefined;
  /** The server's ID of the request, by which its operators find it. */
  readonly requestId: string | undefined;
  /** The server's Retry-After, in milliseconds from its response. */
  readonly retryAfterMs: number | undefined;
  readonly attempts: number = 1;
  /** From before the first attempt to the end of the last one. Milliseconds. */
  readonly elapsedMs: number = 0;
  /** The settings that it was sent with and that may be its cause, with their sources. */
  readonly settings: readonly Detail[] = [];
  /** What to do about it. */
  readonly hint: string | undefined;
  /** The methods that the path has, as the server names them beside a 405. */
  readonly allow: string | undefined;
  /** Equal for all requests that fail for one reason that concerns no single object, such as a wrong credential. */
  readonly sharedCause: string | undefined;

  constructor(details: HttpErrorDetails) {
    const { settings = [], hint } = details;
    const lines = alignDetails([...settings, ...originOf(details)]);
    super([`${outcomeOf(details)}${details.detail}`, ...(hint ? [hint] : []), ...lines].join("\n"));
    this.name = "HttpError";
    // No other properties: a request may contain secrets.
    for (const field of FIELDS) if (details[field] !== undefined) Object.assign(this, { [field]: details[field] });
  }

  withHint(text: string): HttpError {
    return new HttpError({ ...this, hint: this.hint === undefined ? text : `${text}\n${this.hint}` });
  }

  /** The same with the certain cause in place of what its settings may be. */
  explainedBy(cause: string): HttpError {
    return new HttpError({ ...this, hint: cause, settings: [] });
  }

  /** The same with its hint in another form; without a hint, the same. */
  withHintAs(form: (hint: string) => string): HttpError {
    return this.hint === undefined ? this : new HttpError({ ...this, hint: form(this.hint) });
  }

  afterAttempts(attempts: number, elapsedMs: number): HttpError {
    const described = new HttpError({ ...this, attempts, elapsedMs });
    return this.isRateLimited ? described.withHint(RATE_LIMIT_HINT) : described;
  }

  /** The server's words and the request ID, for a message of one line. */
  get quote(): string {
    return this.requestId ? `${this.detail} (request ID ${this.requestId})` : this.detail;
  }

  /** What failed, in one line. */
  get summary(): string {
    return `${outcomeOf(this)}${this.quote}`;
  }

  /** The lines of the message that concern this request alone: its ID, and its attempts. */
  get originLines(): string[] {
    return alignDetails(originOf(this));
  }

  /** What to do, and the settings that may be the cause. Undefined when neither is known. */
  get advice(): string | undefined {
    const lines = [...(this.hint ? [this.hint] : []), ...alignDetails(this.settings)];
    return lines.length > 0 ? lines.join("\n") : undefined;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** The server may lack this route, or the object; a GET of the object decides (API `10.missing-routes`). */
  get isUnsupportedRoute(): boolean {
    return this.status === 404 || this.status === 405 || this.isUnimplemented;
  }

  get isInvalid(): boolean {
    return this.status === 400 || this.status === 422;
  }

  get isUnauthorized(): boolean {
    return this.status === 401 || this.status === 403;
  }

  get isRateLimited(): boolean {
    return this.status === 429;
  }

  /** Whether a later attempt may succeed: a network failure, a proxy error, a restarting server, a rate limit. */
  get isRetryable(): boolean {
    return this.status === undefined || this.status === 408 || this.isRateLimited || this.isServerError;
  }

  /** Whether the server rejected the request itself, so that neither a retry nor other credentials would help. */
  get isRejection(): boolean {
    return !this.isRetryable && !this.isUnauthorized;
  }

  /** A success status with an unusable body, as a proxy may send. */
  get isUnexpected(): boolean {
    return this.status !== undefined && this.status < 300;
  }

  /** Whether the server may have applied the request although it failed. After a 2xx with an unusable body it has. */
  get outcomeUnknown(): boolean {
    if (this.status !== undefined) return this.isServerError || this.status === 408 || this.status < 300;
    return !this.notSent;
  }

  private get isServerError(): boolean {
    return this.status !== undefined && this.status >= 500 && !this.isUnimplemented;
  }

  /** The server does not implement the route; the agent server in JavaScript says so with a 500 (API `2B.Cron`). */
  private get isUnimplemented(): boolean {
    return this.status === 501 || (this.status === 500 && /^not implemented\b/i.test(this.detail));
  }

  get notSent(): boolean {
    return this.code !== undefined && NOT_SENT_CODES.has(this.code);
  }

  /** The status or network error code, for one-line messages. */
  get shortCode(): string {
    return this.status === undefined ? (this.code ?? "network") : String(this.status);
  }

  /** The server and the code, for one-line messages: a resource may depend on several servers. */
  get source(): string {
    return this.origin === undefined ? `(${this.shortCode})` : `from ${this.origin} (${this.shortCode})`;
  }
}

const RATE_LIMIT_HINT =
  "The server limited requests until the retries ended. Try again later, and with fewer runs at once with this key.";

const outcomeOf = ({ method, path, status }: Pick<HttpErrorDetails, "method" | "path" | "status">) =>
  `${method} ${path}: ${status ?? "no response"}: `;

function originOf({ requestId, attempts = 1, elapsedMs = 0 }: Partial<HttpErrorDetails>): Detail[] {
  const seconds = elapsedMs / 1000;
  return [
    ...(requestId ? [["request ID", requestId] as const] : []),
    ...(attempts > 1 ? [["attempts", `${attempts} in ${seconds.toFixed(seconds < 10 ? 1 : 0)} s`] as const] : []),
  ];
}

/** For `catch`: handles the failed requests that pass the test; other errors are thrown again. */
export const recover =
  <T>(test: (error: HttpError) => boolean, handle: (error: HttpError) => T) =>
  (error: unknown): T => {
    if (error instanceof HttpError && test(error)) return handle(error);
    throw error;
  };

/** For `catch`: handles the errors of a class; others are thrown again. */
export const recoverFrom =
  <E extends Error, T>(Type: abstract new (...args: never[]) => E, handle: (error: E) => T) =>
  (error: unknown): T => {
    if (error instanceof Type) return handle(error);
    throw error;
  };

/** For `catch`: returns the value in place of the failed requests that pass the test. */
export const inPlaceOf = <T>(test: (error: HttpError) => boolean, value: T) => recover(test, () => value);

export const addHint = (hint: string) =>
  recoverFrom(HttpError, (error): never => {
    throw error.withHint(hint);
  });

/** For `catch`: ignores a failed request, because nothing depends on it but a warning. */
export const ignoreHttpError = inPlaceOf(() => true, undefined);

/** For `catch`: returns undefined in place of a request whose form the server rejects. */
export const inPlaceOfInvalid = inPlaceOf(({ isInvalid }) => isInvalid, undefined);

/** For `catch`: returns undefined for a route that the server may lack. */
export const ignoreUnsupported = inPlaceOf(({ isUnsupportedRoute }) => isUnsupportedRoute, undefined);

/** For `catch`: returns undefined for an object that the server does not find. */
export const ignoreNotFound = inPlaceOf(({ isNotFound }) => isNotFound, undefined);

/** An error of the network stack. A host with several addresses fails with one error per address in `errors`. */
export interface NetworkError {
  name?: string;
  message?: string;
  /** That of OpenSSL, whose message is for its developers. */
  reason?: string;
  code?: string;
  errors?: { code?: string }[];
}

export function describeNetworkError(error: NetworkError, origin: string) {
  const timedOut = error.name === "TimeoutError" || error.name === "AbortError";
  const code = timedOut ? "ETIMEDOUT" : (error.code ?? error.errors?.[0]?.code);
  const detail = timedOut
    ? `${origin} did not respond in time`
    : `${origin}: ${error.reason || error.message || code || "network error"}`;
  return { detail, code };
}
