/**
 * The only outbound HTTP client. `HttpClient.send`
 * - limits the rate and the number of concurrent requests per server,
 * - sets a timeout and does not follow redirects, so that an API key never reaches another host,
 * - retries when that is safe (retry.ts), and after a 429 pauses all requests to the server and reduces their rate,
 * - turns every other response into an HttpError with the server's own message, unless the request is a probe.
 */
import { type Dispatcher, request as sendWithUndici } from "undici";
import { UserError } from "../text/user-error";
import { USER_AGENT } from "../text/version";
import { Connections } from "./connections";
import { isUnknownPath, parseErrorBody } from "./error-detail";
import { describeNetworkError, HttpError, type HttpErrorDetails, type NetworkError } from "./errors";
import { type FailureFacts, hintFor, redirectHint, type ServerFacts, withAddressRemedy } from "./hints";
import { createLimits, type LimitOptions, type Limits } from "./limits";
import {
  type AttemptObserver,
  assertStoreResponse,
  dateOf,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  loggedUrl,
  parseJson,
  readText,
  requestIdOf,
  requestUrl,
  toPayload,
  type Waits,
} from "./messages";
import { describeProxy, explainProxyFailure, type HttpProxy, proxyFor } from "./proxy";
import { canRetry, defaultRetry, parseRetryAfter, RetryBudget, type RetryPolicy } from "./retry";

export type { HttpRequest, HttpResponse, UploadBody as Content } from "./messages";

export interface HttpClientOptions extends LimitOptions {
  baseUrl: URL;
  headers: Record<string, string>;
  requestTimeoutMs: number;
  /** Shared with other clients of the same server. Default: limits of its own. */
  limits?: Limits;
  /** Shared with other clients of any server. Default: connections of its own. */
  connections?: Connections;
  retry?: RetryPolicy;
  /** Shown in errors about the address or the credential. */
  facts?: ServerFacts;
  /** Called before each attempt. Default: nobody observes. */
  observe?: AttemptObserver | undefined;
  /** Whether the server may learn which trace its requests belong to. Default: false. */
  isTraced?: boolean;
}

export class HttpClient {
  private readonly limits: Limits;
  private readonly connections: Connections;
  private route: { proxy: HttpProxy | undefined } | undefined;
  private skewMs = 0;

  constructor(private readonly options: HttpClientOptions) {
    this.limits = options.limits ?? createLimits(options);
    this.connections = options.connections ?? new Connections(options);
  }

  /** How far the server's clock is ahead of this machine's, by its last Date. Milliseconds; negative when behind. */
  get clockSkewMs(): number {
    return this.skewMs;
  }

  /**
   * Returns the current time by whichever clock is ahead, the server's or this machine's. A Date header that is behind
   * must not make objects of others look as if this run had created them. Milliseconds since the epoch.
   */
  serverNow(): number {
    return this.options.clock.now() + Math.max(0, this.skewMs);
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { clock, retry = defaultRetry } = this.options;
    const { maxAttempts = Number.POSITIVE_INFINITY } = request;
    const { rateLimiter, concurrency } = this.limits;
    const startedAt = clock.monotonic();
    const budget = new RetryBudget(retry);
    let retryMs = 0;
    for (let attempt = 1; ; attempt++) {
      const readyAt = clock.monotonic();
      const turn = await rateLimiter.acquire();
      const admittedAt = clock.monotonic();
      const { response, error, retryAfter } = await concurrency.run(() => {
        const waits = { retryMs, rateLimitMs: admittedAt - readyAt, connectionMs: clock.monotonic() - admittedAt };
        return this.sendObserved(request, attempt, waits);
      });
      if (response) return response;
      const isLast = attempt >= maxAttempts || !canRetry(request, error);
      const delay = isLast ? undefined : budget.next(error, retryAfter);
      if (delay === undefined) throw attempt > 1 ? error.afterAttempts(attempt, clock.monotonic() - startedAt) : error;
      retryMs = error.isRateLimited ? 0 : delay;
      if (error.isRateLimited) rateLimiter.backOff(turn, delay);
      else await clock.sleep(delay);
    }
  }

  /** Closes the connections, which other clients may share. */
  readonly close = (): Promise<void> => this.connections.close();

  /** @throws UserError when the environment does not contain the address of a proxy. */
  private get proxy(): HttpProxy | undefined {
    this.route ??= { proxy: proxyFor(this.options.baseUrl) };
    return this.route.proxy;
  }

  private async sendObserved(request: HttpRequest, attempt: number, waits: Waits): Promise<Outcome> {
    const { clock, observe, baseUrl, isTraced } = this.options;
    const sentAt = clock.monotonic();
    const observation = observe?.({
      time: clock.now(),
      method: request.method,
      url: loggedUrl(requestUrl(baseUrl, request), request.content !== undefined),
      attempt,
      waits,
      requestBody: request.body,
    });
    const traceparent = isTraced ? observation?.traceparent : undefined;
    const outcome = await this.sendOnce(request, traceparent);
    const { response, error, errorBody } = outcome;
    observation?.end({
      status: response ? response.status : error.status,
      durationMs: clock.monotonic() - sentAt,
      requestId: (response ?? error).requestId,
      error: error?.code ?? error?.detail,
      responseBody: response ? response.json : errorBody,
    });
    return outcome;
  }

  private async sendOnce(request: HttpRequest, traceparent: string | undefined): Promise<Outcome> {
    try {
      const response = await this.fetch(request, traceparent);
      return response.status < 300 || request.isProbe ? { response } : this.rejection(request, response);
    } catch (error) {
      if (error instanceof HttpError)
        return { error: error.withHintAs((hint) => withAddressRemedy(hint, this.options.facts)) };
      if (error instanceof UserError) throw error;
      const { pathname, origin } = this.options.baseUrl;
      const byProxy = this.proxy && explainProxyFailure(this.proxy, this.options.baseUrl, error as NetworkError);
      const { code, detail } = byProxy ?? describeNetworkError(error as NetworkError, origin);
      const hint = this.hint({ code, proxyHint: byProxy?.hint }, request.path, detail);
      return { error: new HttpError({ ...request, origin, path: request.path || pathname, code, detail, ...hint }) };
    }
  }

  private async fetch(request: HttpRequest, traceparent: string | undefined): Promise<RawResponse> {
    const { clock, requestTimeoutMs } = this.options;
    const { isProbe, timeoutMs = requestTimeoutMs } = request;
    const limitMs = isProbe ? timeoutMs : Math.min(timeoutMs, requestTimeoutMs);
    const deadline = clock.deadline(limitMs);
    const url = requestUrl(this.options.baseUrl, request);
    const payload = toPayload(request);
    const headers = new Headers({
      accept: "application/json",
      "user-agent": USER_AGENT,
      ...(traceparent && { traceparent }),
      ...payload.headers,
    });
    for (const [name, value] of Object.entries({ ...this.options.headers, ...request.headers }))
      headers.set(name, value);
    const response = await sendWithUndici(url, {
      method: request.method,
      headers,
      body: payload.body,
      dispatcher: this.connections.through(this.proxy),
      // The defaults of undici are five minutes; an upload may take longer.
      headersTimeout: limitMs,
      bodyTimeout: limitMs,
      signal: isProbe && clock.canceled ? AbortSignal.any([deadline, clock.canceled]) : deadline,
    });
    const status = response.statusCode;
    const requestId = requestIdOf(response.headers);
    const identified = { ...request, origin: url.origin, requestId };
    const text = await readText(response, identified);
    if (request.content) assertStoreResponse(text, status, identified);
    const json =
      request.content || request.isText ? undefined : parseJson(text, isProbe ? undefined : status, identified);
    const date = dateOf(response.headers);
    // A proxy's error page carries the proxy's clock, not the server's.
    if (date !== undefined && json !== undefined) this.skewMs = date - clock.now();
    const location = headerOf(response.headers, "location");
    return { status, headers: response.headers, text, json, requestId, location };
  }

  private rejection(request: HttpRequest, response: RawResponse): FailedOutcome {
    const { status, headers } = response;
    const retryAfter = parseRetryAfter(headerOf(headers, "retry-after"), dateOf(headers) ?? this.serverNow());
    const detail = parseErrorBody(response.json, response.text);
    const { pathname, origin } = this.options.baseUrl;
    const error = new HttpError({
      ...{ method: request.method, path: request.path || pathname, origin },
      status,
      detail,
      requestId: response.requestId,
      ...(status < 400
        ? { hint: redirectHint(requestUrl(this.options.baseUrl, request), response.location, this.options.facts) }
        : this.hint({ status, isPage: response.json === undefined }, request.path, detail)),
      allow: headerOf(headers, "allow"),
      retryAfterMs: retryAfter,
    });
    return { error, retryAfter, errorBody: response.json };
  }

  /** Returns what to try, and a key under which failures of many requests with one cause are grouped. */
  private hint(
    failure: Omit<FailureFacts, "isRoute" | "proxy">,
    path: string,
    detail: string,
  ): Pick<HttpErrorDetails, "hint" | "settings" | "sharedCause" | "concernsStoredSettings"> {
    const { facts = {}, baseUrl } = this.options;
    const isRoute = !OBJECT_PATH.test(path) && (failure.isPage || isUnknownPath(detail));
    const proxy = this.route?.proxy && describeProxy(this.route.proxy);
    const server = baseUrl.origin + (isRoute ? baseUrl.pathname.replace(/\/+$/, "") : "");
    const explained = hintFor({ ...failure, isRoute, proxy }, server, facts);
    if (explained === undefined) return {};
    // Only its message shows whether a 403 concerns the credential or one object. Hints of servers may differ.
    const detailIfForbidden = failure.status === 403 ? detail : "";
    const { hint, settings } = explained;
    const sharedCause = [failure.status ?? failure.code, detailIfForbidden, hint, ...settings.flat()].join("\n");
    const isRejected = failure.status === 401 || failure.status === 403;
    const isStored = isRejected ? facts.isCredentialStored : facts.isAddressStored;
    return { ...explained, sharedCause, concernsStoredSettings: isStored ?? false };
  }
}

export const OBJECT_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/|$)/i;

interface RawResponse extends HttpResponse {
  headers: Dispatcher.ResponseData["headers"];
  text: string;
}

interface FailedOutcome {
  response?: undefined;
  error: HttpError;
  retryAfter?: number | undefined;
  errorBody?: unknown;
}

type Outcome =
  | { response: RawResponse; error?: undefined; retryAfter?: undefined; errorBody?: undefined }
  | FailedOutcome;
