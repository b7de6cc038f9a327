import type { Fault } from "../../emulator/src/index";
import type { Platform } from "./platform";

const UNANSWERED = "was not answered in time";
export const LATE = "was acted on after its time was over";

/** Milliseconds from when the service has a request: it is given up after the first, and acted on after the second. */
const [GIVEN_UP, HELD] = [30, 80];

type Trouble = (platform: Platform) => Fault | Promise<Fault>;

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
  [UNANSWERED]: () => ({ delay_ms: HELD, connection: "reset-before" }),
  [LATE]: () => ({ delay_ms: HELD }),
};

/** Until the service is done with a request that it held; at once when it held none. */
export async function settled({ emulator }: Platform, what: string): Promise<void> {
  if (what !== UNANSWERED && what !== LATE) return;
  while (!emulator.journal.entries().some(({ fault }) => fault?.includes("delay"))) await milliseconds(5);
}

/** The request of this kind that comes after so many of its kind meets the trouble. */
export async function trouble(platform: Platform, what: string, request: string, after: number): Promise<void> {
  const fault = await troubles[what]?.(platform);
  if (!fault) throw new Error(`no trouble is called "${what}"`);
  const [method = "", path = ""] = request.replaceAll("{id}", "*").split(" ");
  const { id } = await platform.emulator.faults.add({ ...fault, method, path, skip: after });
  // A test that ends before closes the emulator, which then lists nothing: it is that test that fails.
  if ("delay_ms" in fault) void giveUp(platform, id).catch(() => {});
}

/** Ends the request that meets the fault, so that nobody waits until a time-out of its own is over. */
async function giveUp(platform: Platform, id: number): Promise<void> {
  while (platform.emulator.faults.list().some((fault) => fault.id === id)) await milliseconds(5);
  await milliseconds(GIVEN_UP);
  platform.timeOut();
}

const milliseconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count));
