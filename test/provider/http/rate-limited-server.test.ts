/** Many concurrent requests to a real server that responds with 429 above its limit. */
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
  return { ...client, rejections: () => rejected };
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
    // With one request a second 414 to 420 in ten runs, since delays are random; all other rates cause fewer than half.
    expect(rejections()).toBeLessThan(BURST + 0.85 * COUNT);
  },
);
