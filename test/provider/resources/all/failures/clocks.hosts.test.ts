/**
 * Wrong clocks: an inaccurate Date header never leads to adopting resources of others, and a clock that jumps stops
 * nothing.
 */
import { createWait } from "../../../../../provider/definition/wait";
import { RateLimiter } from "../../../../../provider/http/limits";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment } from "../../../../support/deployments/inputs";
import { kill } from "../../../../support/deployments/interrupted";
import { startWorkspace } from "../../../../support/exports/exports";
import { tracingSettings } from "../../../../support/exports/tracing";
import { startPlatform } from "../../../../support/platform";
import { openHttpClient, startHttp } from "../../../../support/servers/http-client";
import { startDatedProxy } from "../../../../support/servers/proxy";
import { type html, json, TestServer } from "../../../../support/servers/server";
import { Stack, sampled, startStack, stateOf } from "../../../../support/stack";
import { TestClock } from "../../../../support/time/clock";

const HOUR_MS = 3_600_000;
const YEARS_MS = 20 * 365 * 24 * HOUR_MS;

test.each(
  sampled([
    ["an hour behind", -HOUR_MS],
    ["years behind", -YEARS_MS],
    ["an hour ahead", HOUR_MS],
    ["years ahead", YEARS_MS],
  ] as const),
)("without markers, a deployment of others is not adopted when the server's Date is %s", async (_what, offset) => {
  const platform = await startPlatform();
  const config = { ownerMarker: "false" };
  await startStack(platform, dockerDeployment(), { organization: "somebody-else", config });
  await platform.advance(HOUR_MS / 2);
  const stack = new Stack(await startDatedProxy(platform, offset), { config });
  await expect(stack.up(dockerDeployment())).rejects.toThrow(/is taken by deployment/);
  expect(await platform.deployments()).toHaveLength(1);
  expect(platform.requests({ method: "PATCH" })).toEqual([]);
});

test.each([
  ["three hours behind", -3 * HOUR_MS],
  ["years behind", -YEARS_MS],
])("another backend of the stack does not adopt a live deployment when the Date is %s", async (_what, offset) => {
  const { platform, stack } = await createDeployment();
  await platform.advance(2 * HOUR_MS);
  const other = new Stack(await startDatedProxy(platform, offset));
  await expect(other.up(dockerDeployment())).rejects.toThrow(/Either retainOnDelete kept it, another/);
  expect(stateOf(stack).failed).toBe(false);
});

test("a schedule that a killed run left is reported where the clock is hours ahead of the server", async () => {
  const ws = await startWorkspace();
  const declared = ws.daily();
  await ws.stack("ScheduledBulkExport").up(declared);
  const clock = { ...ws.clock, now: () => ws.clock.now() + 10 * HOUR_MS };
  const settings = { kind: "ScheduledBulkExport", name: "another", config: tracingSettings(ws) };
  const stack = new Stack({ ...ws, clock }, settings);
  await stack.up({ ...declared, filter: "eq(is_root, true)" });
  expect(stack.messages.join("\n")).toContain("differs from this one in filter alone");
});

test("a killed run is resumed when the server's Date is minutes off", async () => {
  for (const offset of [-600_000, 600_000]) {
    const platform = await startPlatform();
    const proxy = await startDatedProxy(platform, offset);
    const killed = new Stack(proxy);
    await kill(platform, () => killed.up(dockerDeployment()));
    expect(await killed.fork().up(dockerDeployment())).toBe("create");
    expect(await platform.deployments()).toHaveLength(1);
  }
});

// @covers 10.date
test("serverNow is the later one of the server's Date and the time of this machine", async () => {
  const dated = (date: string) => json(200, {}, { date });
  const server = await TestServer.start([
    dated("Sat, 28 Feb 2026 23:00:00 GMT"),
    dated("Sun, 01 Mar 2026 01:00:00 GMT"),
    dated("x"),
  ]);
  const { http, clock } = openHttpClient(server.url);
  for (const [ahead, skew] of [[0, -HOUR_MS], ...Array(2).fill([HOUR_MS, HOUR_MS])]) {
    await http.send({ method: "GET", path: "/ok" });
    expect([http.serverNow() - clock.now(), http.clockSkewMs]).toEqual([ahead, skew]);
  }
});

test("the Date of a proxy's page does not affect the server's time", async () => {
  const page = (response: Parameters<ReturnType<typeof html>>[0]) =>
    response
      .writeHead(404, { "content-type": "text/html", date: "Thu, 01 Jan 1970 00:00:00 GMT" })
      .end("<h1>Not here</h1>");
  const { http } = await startHttp([json(200, {}, { date: "Sun, 01 Mar 2026 00:00:30 GMT" }), page]);
  await http.send({ method: "GET", path: "/ok" });
  await expect(http.send({ method: "GET", path: "/ok" })).rejects.toThrow(": 404: ");
  expect(http.clockSkewMs).toBe(30_000);
});

test("a clock that jumps back by an hour delays no request and no wait", async () => {
  const clock = new TestClock();
  const limiter = new RateLimiter(clock, 0.1);
  await limiter.acquire();
  clock.shiftWallClock(-HOUR_MS);
  const turn = await limiter.acquire();
  limiter.backOff(turn, 5000);
  clock.shiftWallClock(-HOUR_MS);
  await limiter.acquire();
  expect(clock.elapsedMs).toBeLessThan(60_000);

  const before = clock.monotonic();
  let polls = 0;
  const wait = createWait({ clock, deadline: before + 60_000, progress: () => {}, random: () => 1 });
  await wait({
    kind: "test",
    what: "the end",
    poll: async () => {
      clock.shiftWallClock(polls++ === 0 ? -HOUR_MS : 0);
      return polls > 3 ? { done: true } : { pending: "WAITING" };
    },
  });
  expect(clock.monotonic() - before).toBeLessThan(10_000);
});

test("a clock that jumps ahead ends no wait early", async () => {
  const clock = new TestClock();
  let polls = 0;
  const poll = async () => {
    clock.shiftWallClock(HOUR_MS);
    return ++polls > 3 ? { done: "fine" } : { pending: "WAITING" };
  };
  const wait = createWait({ clock, deadline: clock.monotonic() + 60_000, progress: () => {} });
  expect(await wait({ kind: "test", what: "the end", poll })).toBe("fine");
});
