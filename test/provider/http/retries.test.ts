/** Which requests the HTTP client sends again, when, and which never. */
import type { HttpError } from "../../../provider/http/errors";
import { failureOf } from "../../support/errors";
import { fine, get, openHttpClient, post, startHttp } from "../../support/servers/http-client";
import { closedPort, html, json, reset, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";

describe("A GET is retried after", () => {
  const failures = {
    "429": json(429, { detail: "slow down" }),
    "502 with HTML": html(502, "<html><style>a{}</style><h1>Bad Gateway</h1></html>"),
    "a reset": reset,
  };
  it.each(Object.entries(failures))("%s", async (_what, failure) => {
    const { server, http, clock } = await startHttp([failure, failure, fine]);
    expect(await http.send(get)).toMatchObject({ json: { ok: true } });
    expect(server.requests).toHaveLength(3);
    expect(clock.elapsedMs).toBeGreaterThanOrEqual(125 + 250);
    expect(clock.elapsedMs).toBeLessThanOrEqual(375 + 750);
  });

  it("at most five failures, and then throws the last one", async () => {
    const server = await TestServer.start([json(500, { detail: "still broken" })]);
    const error = await failureOf(openHttpClient(server.url).http.send(get));
    expect(error.message).toContain("GET /v2/things: 500: still broken");
    expect(server.requests).toHaveLength(6);
  });

  it("delays that stay within the total", async () => {
    const { server, http, clock } = await startHttp([json(503, {}, { "retry-after": "50" })]);
    await expect(http.send(get)).rejects.toThrow(": 503: ");
    expect(server.requests).toHaveLength(2);
    expect(clock.elapsedMs).toBe(50_000);
  });
});

// Which failures come first decides nothing: a rate limit and a fault each have their own attempts, back-off and total.
describe("Rate limits and faults", () => {
  const limited = json(429, { detail: "slow down" });
  const faulty = json(503, { detail: "restarting" });
  /** Sends a GET. Returns the delays before all attempts but the first. */
  async function delaysAfter(...failures: ReturnType<typeof json>[]) {
    const times: number[] = [];
    const clock = new TestClock();
    const replies = [...failures, fine].map((reply): typeof fine => (response, request) => {
      times.push(clock.elapsedMs);
      reply(response, request);
    });
    const server = await TestServer.start(replies);
    const { http } = openHttpClient(server.url, { clock });
    await http.send(get);
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  }

  it.each([
    ["rate limits before faults", [...Array(6).fill(limited), ...Array(5).fill(faulty)]],
    ["faults before rate limits", [...Array(5).fill(faulty), ...Array(6).fill(limited)]],
    ["both by turns", [limited, faulty, limited, faulty, limited, reset, limited, faulty, limited, json(500, {})]],
  ])("do not count for each other: %s", async (_what, failures) => {
    expect(await delaysAfter(...failures)).toHaveLength(failures.length);
  });

  it.each([
    ["a fault after rate limits", [...Array(5).fill(limited), faulty]],
    ["a rate limit after faults", [...Array(5).fill(faulty), limited]],
  ])("begin with the first delay: %s", async (_what, failures) => {
    const last = (await delaysAfter(...failures)).at(-1);
    expect(last).toBeGreaterThanOrEqual(125);
    // The rate of the server was reduced, too.
    expect(last).toBeLessThanOrEqual(375 + 50);
  });

  it("each have a total of delays", async () => {
    const delays = [json(503, {}, { "retry-after": "80" }), json(429, {}, { "retry-after": "80" })];
    expect(await delaysAfter(...delays)).toEqual([80_000, 80_000]);
  });

  it("together are no more attempts than the caller allows", async () => {
    const server = await TestServer.start([faulty, limited, fine]);
    const sending = openHttpClient(server.url).http.send({ ...get, maxAttempts: 2 });
    await expect(sending).rejects.toThrow(/429: slow down[\s\S]*\n.*limited requests until the retries ended/);
    expect(server.requests).toHaveLength(2);
  });
});

it("Retry-After as a date is measured by the clock of the server", async () => {
  const hour = { "retry-after": "Sun, 01 Mar 2026 01:00:09 GMT", date: "Sun, 01 Mar 2026 01:00:00 GMT" };
  const { http, clock } = await startHttp([json(503, {}, hour), fine]);
  await http.send(get);
  expect(clock.elapsedMs).toBe(9000);
});

describe.each(["POST", "PATCH"] as const)("A %s", (method) => {
  // @covers 7.429:control-plane, 10.retry-after
  it("is retried after a 429, since the server has not applied it", async () => {
    const { server, http, clock } = await startHttp([json(429, {}, { "retry-after": "3" }), fine]);
    await http.send({ ...post, method });
    expect([server.requests.length, clock.elapsedMs]).toEqual([2, 3000]);
  });

  it("is retried when the connection is refused", async () => {
    const port = await closedPort();
    const { http, clock } = openHttpClient(new URL(`http://127.0.0.1:${port}`));
    clock.pause();
    const sending = http.send({ ...post, method });
    await clock.waitForSleepers(1);
    const server = await TestServer.start([fine], port);
    clock.resume();
    await sending;
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["a reset", reset],
    ["503 with Retry-After", json(503, {}, { "retry-after": "1" })],
  ])("is never retried after %s, and the error says that the outcome is unknown", async (_what, failure) => {
    const server = await TestServer.start([failure]);
    const error = await failureOf(openHttpClient(server.url).http.send({ ...post, method }));
    expect(server.requests).toHaveLength(1);
    expect(error).toMatchObject({ name: "HttpError", outcomeUnknown: true });
  });

  it("is never retried after a timeout", async () => {
    const time = new AbortController();
    // Its time is over once the server has the request: a busy machine may take long until then.
    const server = await TestServer.start([() => time.abort(new DOMException("late", "TimeoutError"))]);
    const clock = Object.assign(new TestClock(), { deadline: () => time.signal });
    const { http } = openHttpClient(server.url, { clock });
    const error = await failureOf(http.send({ ...post, method }));
    expect(error.message).toMatch(/did not respond in time/);
    expect(error).toMatchObject({ outcomeUnknown: true, code: "ETIMEDOUT" });
    expect(server.requests).toHaveLength(1);
  });
});

it("A 429 that the caller handles is thrown at once with its delay, and pauses no other request", async () => {
  const { server, http, clock } = await startHttp([json(429, { detail: "full" }, { "retry-after": "60" }), fine]);
  const error = (await failureOf(http.send({ ...post, onRateLimit: "throw" }))) as HttpError;
  expect(error.retryAfterMs).toBe(60_000);
  await http.send(get);
  expect([server.requests.length, clock.elapsedMs]).toEqual([2, 0]);
});
