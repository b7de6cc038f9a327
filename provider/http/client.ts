/**
 * The one door out. Every request to every server passes through `Door.send`, which
 * - waits for its turn in the server's budget and bounds how many go at once,
 * - sends it with a time-out and without following redirects (a key must not follow one),
 * - repeats it when that is safe (retry.ts), and pauses everybody after a 429,
 * - turns every other answer into a RequestError that says what failed in the server's words.
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import { UserError } from "../text/user-error";
import type { Clock } from "./clock";
import { Slots } from "./concurrency-limiter";
import { describeDetail, isUnknownPath } from "./error-detail";
import { type Failure, RequestError } from "./errors";
import { hintFor, type ServerFacts, type Symptom } from "./hints";
import { isLoopback } from "./loopback";
import { Budget } from "./rate-limiter";
import { type Content, mergeHeaders, payloadOf } from "./request-body";
import { assertStored, dateOf, headerOf, parseJson, readText } from "./response";
import { defaultRetry, delayBefore, mayRepeat, type RetryPolicy, retryAfterMs } from "./retry";

export type { Content } from "./request-body";

export interface Call {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";
  /** Below the server's base URL, beginning with a slash. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  /** Beside those of every request, and instead of those of the same name. */
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead of a body; opened anew for each attempt. */
  content?: Content;
  /** A 429 is thrown at once, for a limit that clears in an hour and not in seconds. Default: asked again, as all else. */
  onThrottle?: "throw";
  /** Whether a POST changes nothing, such as a search: it is repeated like a GET. Default: false. */
  isRead?: boolean;
}

export interface Answer {
  status: number;
  json: unknown;
}

/** How many requests go to one server, and how many at once. */
export interface Limits {
  budget: Budget;
  slots: Slots;
}

export const limitsOf = (
  options: Pick<DoorOptions, "clock" | "requestsPerSecond" | "maxConcurrentRequests">,
): Limits => ({
  budget: new Budget(options.clock, options.requestsPerSecond),
  slots: new Slots(options.maxConcurrentRequests),
});

export interface DoorOptions {
  baseUrl: URL;
  headers: Record<string, string>;
  clock: Clock;
  requestsPerSecond: number;
  maxConcurrentRequests: number;
  requestTimeoutMs: number;
  /** Shared with other doors to the same server; limits of its own when absent. */
  limits?: Limits;
  retry?: RetryPolicy;
  /** Named in errors about the address or the credential. */
  facts?: ServerFacts;
}

const PROXIES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

export class Door {
  private readonly budget: Budget;
  private readonly slots: Slots;
  private readonly dispatcher: Dispatcher;
  private skewMs = 0;

  constructor(private readonly options: DoorOptions) {
    const { budget, slots } = options.limits ?? limitsOf(options);
    this.budget = budget;
    this.slots = slots;
    const pool = { connections: options.maxConcurrentRequests, connect: { timeout: options.requestTimeoutMs } };
    // What is on this machine is reached from here only, and its key would cross the network to the proxy readable.
    const proxied = !isLoopback(options.baseUrl) && PROXIES.some((name) => process.env[name]);
    this.dispatcher = proxied ? new EnvHttpProxyAgent(pool) : new Agent(pool);
  }

  /** How far the server's clock is ahead of this machine's, by its last Date header. Negative where it is behind. */
  get clockSkewMs(): number {
    return this.skewMs;
  }

  /**
   * The present time, by the clock that is ahead: the server's, or this machine's. What is told to be young is so by both;
   * a Date header that is behind must not make the objects of others look as though this run had made them.
   */
  serverNow(): number {
    return this.options.clock.now() + Math.max(0, this.skewMs);
  }

  /** Sends a request until it is answered, or surely will not be. */
  async send(call: Call): Promise<Answer> {
    const { clock, retry = defaultRetry } = this.options;
    let spent = 0;
    for (let attempt = 1; ; attempt++) {
      await this.budget.take();
      const { answer, error, retryAfter } = await this.slots.use(() => this.once(call));
      if (answer) return answer;
      const delay = isRepeated(call, error) ? delayBefore(retry, attempt, spent, retryAfter, Math.random()) : undefined;
      if (delay === undefined) throw error;
      spent += delay;
      if (error.isThrottled) this.budget.pause(delay);
      else await clock.sleep(delay);
    }
  }

  async close(): Promise<void> {
    await this.dispatcher.close();
  }

  private async once(call: Call): Promise<Outcome> {
    try {
      const answer = await this.fetch(call);
      return answer.status < 300 ? { answer } : this.refused(call, answer);
    } catch (error) {
      if (error instanceof RequestError) return { error };
      if (error instanceof UserError) throw error;
      const { pathname, origin } = this.options.baseUrl;
      const { code, detail } = unanswered(error as NetworkError, origin);
      const hint = this.hint({ code }, call.path, detail);
      return { error: new RequestError({ ...call, path: call.path || pathname, code, detail, ...hint }) };
    }
  }

  private async fetch(call: Call): Promise<RawAnswer> {
    const { clock, headers, requestTimeoutMs } = this.options;
    const url = this.urlOf(call);
    const payload = payloadOf(call);
    const response = await request(url, {
      method: call.method,
      headers: mergeHeaders({ accept: "application/json", ...payload.headers }, headers, call.headers ?? {}),
      body: payload.body,
      dispatcher: this.dispatcher,
      // undici has limits of its own, of five minutes: an upload may take longer.
      headersTimeout: requestTimeoutMs,
      bodyTimeout: requestTimeoutMs,
      signal: clock.deadline(requestTimeoutMs),
    });
    const status = response.statusCode;
    const text = await readText(response, call);
    if (call.content) assertStored(text, status, call);
    const json = call.content ? undefined : parseJson(text, status, call);
    const date = dateOf(response.headers);
    // The time of a proxy's page says nothing about the server.
    if (date !== undefined && json !== undefined) this.skewMs = date - clock.now();
    return { status, headers: response.headers, text, json };
  }

  /** @throws UserError when the path would not be asked for as it is written: a dot segment leads to another route. */
  private urlOf({ path, query = {} }: Call): URL {
    const { baseUrl } = this.options;
    const url = new URL(baseUrl);
    const pathname = baseUrl.pathname.replace(/\/$/, "") + path;
    url.pathname = pathname;
    if (url.pathname !== pathname) throw new UserError(`The path ${JSON.stringify(path)} is not a valid request path.`);
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    return url;
  }

  private refused(call: Call, answer: RawAnswer): { error: RequestError; retryAfter: number | undefined } {
    const { status, headers } = answer;
    const retryAfter = retryAfterMs(headerOf(headers, "retry-after"), dateOf(headers) ?? this.serverNow());
    const detail = describeDetail(answer.json, answer.text);
    const error = new RequestError({
      method: call.method,
      path: call.path || this.options.baseUrl.pathname,
      status,
      detail,
      requestId: headerOf(headers, "x-request-id"),
      ...(status < 400 ? { advice: this.redirection(headers) } : this.hint({ status }, call.path, detail)),
      allow: headerOf(headers, "allow"),
      retryAfter,
    });
    return { error, retryAfter };
  }

  private redirection(headers: Dispatcher.ResponseData["headers"]): string {
    const elsewhere = headerOf(headers, "location") ?? "another address";
    return `${this.options.baseUrl.origin} redirects to ${elsewhere}: set that one instead. Redirects are not followed, so that a key cannot leak.`;
  }

  /** What to try, and the cause by which failures of many requests are known to be one. */
  private hint(
    symptom: Omit<Symptom, "isRoute">,
    path: string,
    detail: string,
  ): Pick<Failure, "advice" | "sharedCause"> {
    const { origin } = this.options.baseUrl;
    const advice = hintFor(
      { ...symptom, isRoute: !OBJECT_PATH.test(path) && isUnknownPath(detail) },
      origin,
      this.options.facts ?? {},
    );
    if (advice === undefined) return {};
    // Of a refusal only the words tell whether it is about the credential or about one object.
    const words = symptom.status === 403 ? detail : "";
    return { advice, sharedCause: `${symptom.status ?? symptom.code} ${origin} ${words}` };
  }
}

/** A path that holds the ID of an object. */
const OBJECT_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/|$)/i;

const isRepeated = (call: Call, error: RequestError) =>
  mayRepeat(call, error) && !(call.onThrottle === "throw" && error.isThrottled);

interface RawAnswer extends Answer {
  headers: Dispatcher.ResponseData["headers"];
  text: string;
}

type Outcome =
  | { answer: Answer; error?: undefined; retryAfter?: undefined }
  | { answer?: undefined; error: RequestError; retryAfter?: number | undefined };

/** What the network throws; a name with several addresses fails with one error that holds one for each. */
interface NetworkError {
  name?: string;
  message?: string;
  code?: string;
  errors?: { code?: string }[];
}

/** No response came: the network's error in words. */
function unanswered(error: NetworkError, origin: string): Pick<Failure, "detail"> & { code: string | undefined } {
  const timedOut = error.name === "TimeoutError" || error.name === "AbortError";
  const code = timedOut ? "ETIMEDOUT" : (error.code ?? error.errors?.[0]?.code);
  const detail = timedOut
    ? `${origin} did not answer in time`
    : `${origin}: ${error.message || code || "network error"}`;
  return { detail, code };
}
