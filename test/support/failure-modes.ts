import type { Fault } from "../../emulator/src/index";
import type { Platform } from "./platform";

const TIMED_OUT = "was not answered in time";
export const ACTED_AFTER_TIMEOUT = "was acted on after its time was over";

/** Milliseconds from when the service has a request: it is given up after the first, and acted on after the second. */
const [ABORT_AFTER_MS, DELAY_MS] = [30, 80];

type FailureMode = (platform: Platform) => Fault | Promise<Fault>;

/** What can become of one request, by what happened to it. */
export const failureModes: Record<string, FailureMode> = {
  "was closed before any byte": () => ({ connection: "refuse" }),
  "was reset before the service acted": () => ({ connection: "reset-before" }),
  "was reset after the service acted": () => ({ connection: "reset-after" }),
  "got 429 with seconds to wait": () => ({ status: 429, headers: { "retry-after": "7" } }),
  "got 429 with a time to wait for": ({ clock }) => ({
    status: 429,
    headers: { "retry-after": new Date(clock.now() + 9000).toUTCString() },
  }),
  "got 500": () => ({ status: 500, body: { detail: "the database is down" } }),
  "got 502 with a page": () => ({ status: 502, body: "<h1>Bad Gateway</h1>" }),
  "got 502 with a page after the service acted": () => ({ status: 502, body: "<h1>Bad Gateway</h1>", act: true }),
  [TIMED_OUT]: () => ({ delay_ms: DELAY_MS, connection: "reset-before" }),
  [ACTED_AFTER_TIMEOUT]: () => ({ delay_ms: DELAY_MS }),
};

/** Until the service is done with a request that it held; at once when it held none. */
export async function waitForDelayedRequest({ emulator }: Platform, mode: string): Promise<void> {
  if (mode !== TIMED_OUT && mode !== ACTED_AFTER_TIMEOUT) return;
  while (!emulator.journal.entries().some(({ fault }) => fault?.includes("delay"))) await sleep(5);
}

/** The request of this kind that comes after so many of its kind meets the trouble. */
export async function injectFailure(platform: Platform, mode: string, request: string, after: number): Promise<void> {
  const fault = await failureModes[mode]?.(platform);
  if (!fault) throw new Error(`no trouble is called "${mode}"`);
  const [method = "", path = ""] = request.replaceAll("{id}", "*").split(" ");
  const { id } = await platform.emulator.faults.add({ ...fault, method, path, skip: after });
  // A test that ends before closes the emulator, which then lists nothing: it is that test that fails.
  if ("delay_ms" in fault) void abortDelayedRequest(platform, id).catch(() => {});
}

/** Ends the request that meets the fault, so that nobody waits until a time-out of its own is over. */
async function abortDelayedRequest(platform: Platform, id: number): Promise<void> {
  while (platform.emulator.faults.list().some((fault) => fault.id === id)) await sleep(5);
  await sleep(ABORT_AFTER_MS);
  platform.abortRequests();
}

const sleep = (count: number) => new Promise((resolve) => setTimeout(resolve, count));
