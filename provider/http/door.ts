/**
 * The one door out. Every request to every server passes through `Door.send`, which
 * - waits for its turn in the server's budget and bounds how many go at once,
 * - sends it with a time-out and without following redirects (a key must not follow one),
 * - repeats it when that is safe (retry.ts), and pauses everybody after a 429,
 * - turns every other answer into a RequestError that says what failed in the server's words.
 */
import type { Readable } from "node:stream";
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import type { Clock } from "../clock";
import { Budget } from "./budget";
import { describeDetail, isUnknownPath } from "./detail";
import { type Failure, RequestError } from "./errors";
import { hintFor, type ServerFacts, type Symptom } from "./hints";
import { isLoopback } from "./loopback";
import { defaultRetry, delayBefore, mayRepeat, type RetryPolicy, retryAfterMs } from "./retry";
import { Slots } from "./slots";

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
}

export interface Content {
  /** Bytes. */
  size: number;
  /** Media type. */
  type: string;
  open(): Readable;
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
  /** How far the server's clock is ahead of ours, in milliseconds, by its last Date header. */
  private ahead = 0;

  constructor(private readonly options: DoorOptions) {
    const { budget, slots } = options.limits ?? limitsOf(options);
    this.budget = budget;
    this.slots = slots;
    const pool = { connections: options.maxConcurrentRequests, connect: { timeout: options.requestTimeoutMs } };
    // What is on this machine is reached from here only, and its key would cross the network to the proxy readable.
    const proxied = !isLoopback(options.baseUrl) && PROXIES.some((name) => process.env[name]);
    this.dispatcher = proxied ? new EnvHttpProxyAgent(pool) : new Agent(pool);
  }

  serverNow(): number {
    return this.options.clock.now() + this.ahead;
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
      const { pathname, origin } = this.options.baseUrl;
      const { code, detail } = unanswered(error as NetworkError, origin);
      const hint = this.hint({ code }, call.path, detail);
      return { error: new RequestError({ ...call, path: call.path || pathname, code, detail, ...hint }) };
    }
  }

  private async fetch(call: Call): Promise<RawAnswer> {
    const { baseUrl, clock, headers, requestTimeoutMs } = this.options;
    const url = new URL(baseUrl);
    url.pathname = baseUrl.pathname.replace(/\/$/, "") + call.path;
    for (const [key, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    const payload = payloadOf(call);
    const response = await request(url, {
      method: call.method,
      headers: merged({ accept: "application/json", ...payload.headers }, headers, call.headers ?? {}),
      body: payload.body,
      dispatcher: this.dispatcher,
      // undici has limits of its own, of five minutes: an upload may take longer.
      headersTimeout: requestTimeoutMs,
      bodyTimeout: requestTimeoutMs,
      signal: clock.deadline(requestTimeoutMs),
    });
    const text = await response.body.text();
    const date = Date.parse(String(response.headers.date));
    if (!Number.isNaN(date)) this.ahead = date - clock.now();
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      json: parse(text, response.statusCode, call),
    };
  }

  private refused(call: Call, answer: RawAnswer): { error: RequestError; retryAfter: number | undefined } {
    const { status, headers } = answer;
    const retryAfter = retryAfterMs(first(headers["retry-after"]), this.serverNow());
    const detail = describeDetail(answer.json, answer.text);
    const error = new RequestError({
      method: call.method,
      path: call.path || this.options.baseUrl.pathname,
      status,
      detail,
      requestId: first(headers["x-request-id"]),
      ...(status < 400 ? { advice: this.redirection(headers) } : this.hint({ status }, call.path, detail)),
      allow: first(headers.allow),
      retryAfter,
    });
    return { error, retryAfter };
  }

  private redirection(headers: Dispatcher.ResponseData["headers"]): string {
    const elsewhere = first(headers.location) ?? "another address";
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

const isRepeated = ({ method, onThrottle }: Call, error: RequestError) =>
  mayRepeat(method, error) && !(onThrottle === "throw" && error.isThrottled);

interface RawAnswer extends Answer {
  headers: Dispatcher.ResponseData["headers"];
  text: string;
}

type Outcome =
  | { answer: Answer; error?: undefined; retryAfter?: undefined }
  | { answer?: undefined; error: RequestError; retryAfter?: number | undefined };

function payloadOf({ body, content }: Call): { body: string | Readable | null; headers: Record<string, string> } {
  if (content)
    return { body: content.open(), headers: { "content-type": content.type, "content-length": String(content.size) } };
  if (body === undefined) return { body: null, headers: {} };
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

/** Header names know no case: the later ones win. */
function merged(...all: Record<string, string>[]): Record<string, string> {
  const byName = new Map(
    all.flatMap(Object.entries<string>).map(([name, value]) => [name.toLowerCase(), [name, value] as const]),
  );
  return Object.fromEntries(byName.values());
}

const first = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);

function parse(text: string, status: number, call: Call): unknown {
  if (call.content) return void assertStored(text, status, call);
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's HTML error page is no surprise; a page where an answer should be means a wrong address.
    if (status >= 300) return undefined;
    const detail = `the answer is not JSON (it begins with ${JSON.stringify(text.slice(0, 40))})`;
    throw new RequestError({ ...call, status, detail, advice: "Does the URL name the service itself?" });
  }
}

/** A store answers an upload as it likes, but not with a page of a proxy or of a login. */
function assertStored(text: string, status: number, call: Call): void {
  if (status >= 300 || !/^\s*<(!doctype html|html)\b/i.test(text.slice(0, 1000))) return;
  const detail = "the response is an HTML page, so something other than the store answered";
  throw new RequestError({ ...call, path: call.path || "upload URL", status, detail });
}

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
