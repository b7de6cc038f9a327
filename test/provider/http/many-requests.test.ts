/** Many requests of one client: how many at a time, and in which order. */
import { fine, get, openHttpClient, post, startHttp } from "../../support/servers/http-client";
import { json, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";

describe("Many requests", () => {
  it("use no more concurrent connections than the setting allows", async () => {
    const server = await TestServer.start([fine]);
    const { http } = openHttpClient(server.url, { maxConcurrentRequests: 3 });
    await Promise.all(Array.from({ length: 12 }, () => http.send(get)));
    expect([server.requests.length, server.connections]).toEqual([12, 3]);
  });

  it("wait in the queue without a timeout, which starts when a request is sent", async () => {
    let deadlines = 0;
    const atArrival: number[] = [];
    const server = await TestServer.start([
      (...exchange) => {
        atArrival.push(deadlines);
        fine(...exchange);
      },
    ]);
    const deadline = () => {
      deadlines += 1;
      return new AbortController().signal;
    };
    const { http } = openHttpClient(server.url, {
      maxConcurrentRequests: 1,
      clock: Object.assign(new TestClock(), { deadline }),
    });
    await Promise.all(Array.from({ length: 4 }, () => http.send(post)));
    expect(atArrival).toEqual([1, 2, 3, 4]);
  });

  it("do not wait for one of them that fails for another reason", async () => {
    const { server, http, clock } = await startHttp([json(503, {}, { "retry-after": "30" }), fine]);
    clock.pause();
    const first = http.send(get);
    await clock.waitForSleepers(1);
    const second = http.send({ ...get, path: "/v2/others" });
    await Promise.race([second, clock.waitForSleepers(2)]);
    expect([server.requests.length, clock.elapsedMs]).toEqual([2, 0]);
    clock.resume();
    await Promise.all([first, second]);
  });

  it("all wait after one of them receives a 429", async () => {
    const sentAt: number[] = [];
    const record =
      (reply: typeof fine): typeof fine =>
      (...exchange) => {
        sentAt.push(clock.elapsedMs);
        reply(...exchange);
      };
    const { http, clock } = await startHttp([record(json(429, {}, { "retry-after": "30" })), record(fine)]);
    clock.pause();
    const first = http.send(get);
    await clock.waitForSleepers(1);
    const second = http.send({ ...get, path: "/v2/others" });
    clock.resume();
    await Promise.all([first, second]);
    expect(sentAt.map((at) => Math.floor(at / 1000))).toEqual([0, 30, 30]);
  });
});
