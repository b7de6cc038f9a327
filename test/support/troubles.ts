import type { Fault } from "../../emulator/src/index";
import type { Platform } from "./platform";

/** Milliseconds; longer than a request of most tests takes. */
export const REQUEST_TIMEOUT = 200;

export const LATE = "was acted on after its time was over";

type Trouble = (platform: Platform, timeout: number) => Fault | Promise<Fault>;

/** What can become of one request, by what happened to it. */
export const troubles: Record<string, Trouble> = {
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
  "was not answered in time": (_, timeout) => ({ delay_ms: timeout + 50, connection: "reset-before" }),
  [LATE]: (_, timeout) => ({ delay_ms: timeout + 50 }),
};

/** Until a request that was acted on late has been acted on; at once when there is none. */
export async function settled({ emulator }: Platform, what: string): Promise<void> {
  if (what !== LATE) return;
  while (!emulator.journal.entries().some(({ fault }) => fault?.includes("delay")))
    await new Promise((resolve) => setTimeout(resolve, 5));
}

/**
 * The request of this kind that comes after so many of its kind meets the trouble.
 * @param timeout What the stack waits for a request, in milliseconds.
 */
export async function trouble(
  platform: Platform,
  what: string,
  request: string,
  after: number,
  timeout = REQUEST_TIMEOUT,
): Promise<void> {
  const fault = await troubles[what]?.(platform, timeout);
  if (!fault) throw new Error(`no trouble is called "${what}"`);
  const [method = "", path = ""] = request.replaceAll("{id}", "*").split(" ");
  await platform.emulator.faults.add({ ...fault, method, path, skip: after });
}
