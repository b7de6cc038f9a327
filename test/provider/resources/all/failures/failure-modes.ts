import type { Fault } from "../../../../../emulator/src";
import { isPublishedServer } from "../../../../support/agent-servers/agents";
import type { Platform } from "../../../../support/platform";
import { isComplete } from "../../../../support/run/runs";
import { isDynamicHost } from "../../../../support/stack";

const TIMED_OUT = "timed out";
export const ACTED_AFTER_TIMEOUT = "was processed after its timeout";

/**
 * Milliseconds after the server receives a request: the client aborts it after the first, the server processes it after
 * the second.
 */
const [ABORT_AFTER_MS, DELAY_MS] = [30, 80];

type FailureMode = (platform: Platform) => Fault | Promise<Fault>;

/** Faults of one request, by description. */
const failureModes: Record<string, FailureMode> = {
  "was closed before any byte": () => ({ connection: "refuse" }),
  "was reset before the server processed it": () => ({ connection: "reset-before" }),
  "was reset after the server processed it": () => ({ connection: "reset-after" }),
  "got 429 with seconds to wait": () => ({ status: 429, headers: { "retry-after": "7" } }),
  "got 429 with a time to wait for": ({ clock }) => ({
    status: 429,
    headers: { "retry-after": new Date(clock.now() + 9000).toUTCString() },
  }),
  "got 500": () => ({ status: 500, body: { detail: "the database is down" } }),
  "got 502 with a page": () => ({ status: 502, body: "<h1>Bad Gateway</h1>" }),
  "got 502 with a page after the server processed it": () => ({ status: 502, body: "<h1>Bad Gateway</h1>", act: true }),
  [TIMED_OUT]: () => ({ delay_ms: DELAY_MS, connection: "reset-before" }),
  [ACTED_AFTER_TIMEOUT]: () => ({ delay_ms: DELAY_MS }),
};

/** Modes in which the server acts, and the client does not learn of it. */
const LOST_RESPONSES = [
  "was reset after the server processed it",
  "got 502 with a page after the server processed it",
  ACTED_AFTER_TIMEOUT,
];

/** What a client sends again after every failure. */
const REPEATABLE = /^(GET|PUT|DELETE) |search$|^POST .*\/assistants$/;
/** Writes whose effect no other response shows in the same run. */
const UNSEEN = /upload-url$|copy$|^PATCH .*\/(threads|crons|destinations)\//;

/** Returns whether the run itself settles the failure: by another attempt, or by a look at what a lost request did. */
export const isSettled = (request: string, mode: string): boolean =>
  mode.startsWith("got 429") ||
  REPEATABLE.test(request) ||
  (mode !== ACTED_AFTER_TIMEOUT && LOST_RESPONSES.includes(mode) && !UNSEEN.test(request));

/** A failure of one request of an operation. */
export interface FailureCase {
  /** Index of the request. */
  index: number;
  request: string;
  mode: string;
  /** Number of equal requests before it. */
  after: number;
}

/**
 * Returns failures of the requests of an operation. `npm run test:release` tries every failure of every request; for
 * `npm test`, and through the plugin, which runs the same lifecycle, a sample is enough: each request, each mode, and a
 * lost response to each write.
 */
export function failureCases(requests: readonly string[]): FailureCase[] {
  const triesAll = isComplete && isDynamicHost && !isPublishedServer;
  const modes = Object.keys(failureModes);
  const count = Math.max(requests.length, modes.length);
  const sample = new Set(Array.from({ length: count }, (_, n) => `${n % requests.length} ${modes[n % modes.length]}`));
  return requests.flatMap((request, index) => {
    const after = requests.slice(0, index).filter((earlier) => earlier === request).length;
    const lost = LOST_RESPONSES[index % LOST_RESPONSES.length];
    const isLostWrite = (mode: string) => !/^GET|search$/.test(request) && mode === lost;
    const tested = modes.filter((mode) => triesAll || sample.has(`${index} ${mode}`) || isLostWrite(mode));
    return tested.map((mode) => ({ index, request, mode, after }));
  });
}

/** Waits until the server has processed a delayed request; returns at once in other modes. */
export async function waitForDelayedRequest({ emulator }: Platform, mode: string): Promise<void> {
  if (mode !== TIMED_OUT && mode !== ACTED_AFTER_TIMEOUT) return;
  while (!emulator.requestLog.entries().some(({ fault }) => fault?.includes("delay"))) await sleep(5);
}

/** Injects a failure into the request after this many requests of the same route. */
export async function injectFailure(platform: Platform, mode: string, request: string, after: number): Promise<void> {
  const fault = await failureModes[mode]?.(platform);
  if (!fault) throw new Error(`unknown failure mode "${mode}"`);
  const [method = "", path = ""] = request.replaceAll("{id}", "*").split(" ");
  const { id } = await platform.emulator.faults.add({ ...fault, method, path, skip: after });
  // When a test ends first, its emulator is closed; that test reports the failure.
  if ("delay_ms" in fault) void abortDelayedRequest(platform, id).catch(() => {});
}

/** Aborts the request with the fault, so that the test does not wait for its timeout. */
async function abortDelayedRequest(platform: Platform, id: number): Promise<void> {
  while (platform.emulator.faults.list().some((fault) => fault.id === id)) await sleep(5);
  // On a busy machine, the server may respond first: the request that repeats it must not be aborted.
  const abort = platform.requestsInFlight();
  await sleep(ABORT_AFTER_MS);
  abort();
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
