/** Many concurrent requests to a real server that responds with 429 above its limit. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { TestClock } from "../../support/clock";
import { openHttpClient } from "../../support/servers/http-client";
import { json, TestServer } from "../../support/servers/server";

const COUNT = 300;
const BURST = 200;

/** Starts a server that accepts so many requests per second, by the clock of its client. */
async function startLimited(perSecond: number, headers: Record<string, string>) {
  let clock: TestClock | undefined;
  let [tokens, refilledAt, rejected] = [perSecond, 0, 0];
  const isAccepted = () => {
    const now = clock?.elapsedMs ?? 0;
    tokens = Math.min(perSecond, tokens + ((now - refilledAt) * perSecond) / 1000);
    refilledAt = now;
    return tokens >= 1;
  };
  const server = await TestServer.start([
    (...exchange) => {
      const accepted = isAccepted();
      if (accepted) tokens -= 1;
      else rejected += 1;
      (accepted ? json(201, {}) : json(429, { detail: "slow down" }, headers))(...exchange);
    },
  ]);
  const client = openHttpClient(server.url, { requestsPerSecond: undefined, maxConcurrentRequests: 100 });
  clock = client.clock;
  holdDuringRequests(clock);
  return { ...client, rejections: () => rejected };
}

const undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo.splice(0)) each();
});

/** Lets time pass only between requests: how long a real one takes must not decide what the server accepts. */
function holdDuringRequests(clock: TestClock): void {
  let inFlight = 0;
  const begin = () => {
    inFlight += 1;
    clock.pause();
  };
  const end = () => {
    inFlight -= 1;
    if (inFlight === 0) clock.resume();
  };
  const listeners = { create: begin, trailers: end, error: end };
  for (const [event, listener] of Object.entries(listeners)) {
    subscribe(`undici:request:${event}`, listener);
    undo.push(() => unsubscribe(`undici:request:${event}`, listener));
  }
}

it.each([
  [1, {}],
  [5, {}],
  [20, {}],
  [20, { "retry-after": "1" }],
  [100, {}],
])(
  "A server that accepts %p requests per second accepts all in the end, and rejects few after the first burst",
  async (perSecond, headers) => {
    const { http, rejections } = await startLimited(perSecond, headers);
    const send = () => http.send({ method: "POST", path: "/v2/things", body: {} });
    const results = await Promise.allSettled(Array.from({ length: COUNT }, send));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(rejections()).toBeLessThan(BURST + 0.75 * COUNT);
  },
);
