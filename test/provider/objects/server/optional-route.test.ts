/** Requests to routes that a server may lack: how long they are repeated, and which rejection means what. */
import { RouteSupport } from "../../../../provider/api/route-support";
import { HttpError, type HttpErrorDetails } from "../../../../provider/http/errors";
import { sendOptional, sendRemoval, sendWithRouteRetry } from "../../../../provider/objects/server/optional-route";
import { TestClock } from "../../../support/clock";

const rejection = (status: number, details: Partial<HttpErrorDetails> = {}) =>
  new HttpError({ method: "PATCH", path: "/things/1", status, detail: "no", ...details });

/** Returns a request that is rejected a number of times. */
const rejected =
  (error: Error, times = Number.POSITIVE_INFINITY) =>
  async () => {
    if (times-- > 0) throw error;
    return "the response";
  };

const newRoute = () => ({ route: "a route", support: new RouteSupport() });

describe("sendOptional", () => {
  it.each<[string, HttpError, number]>([
    ["half a minute after a 404", rejection(404), 30_000],
    ["half a minute after a 405 that lists no methods", rejection(405, { allow: "" }), 30_000],
    ["half a minute after a 405 that lists the method itself", rejection(405, { allow: "get, patch" }), 30_000],
    ["half a minute after a 404 that lists other methods", rejection(404, { allow: "GET" }), 30_000],
    ["a second after a 405 that lists other methods", rejection(405, { allow: "GET" }), 1000],
  ])("counts a route as missing %s", async (_what, error, delay) => {
    const clock = new TestClock();
    const result = await sendOptional({ send: rejected(error), exists: async () => true, clock, ...newRoute() });
    expect([result, clock.elapsedMs]).toEqual([{ missing: error }, delay]);
  });

  it("does not count a route as missing when the object no longer exists", async () => {
    const clock = new TestClock();
    const error = rejection(404);
    const result = await sendOptional({ send: rejected(error), exists: async () => false, clock, ...newRoute() });
    expect([result, clock.elapsedMs]).toEqual([{ gone: error }, 0]);
  });

  // @covers 10.missing-routes
  it("waits half a minute for the first route that a server lacks, seconds for each other, and never twice for one", async () => {
    const [clock, support] = [new TestClock(), new RouteSupport()];
    const request = { send: rejected(rejection(404)), exists: async () => true, clock, support };
    const waits: number[] = [];
    for (const route of ["first", "first", "second", "third", "second"]) {
      const before = clock.elapsedMs;
      expect(await sendOptional({ ...request, route })).toHaveProperty("missing");
      waits.push(clock.elapsedMs - before);
    }
    expect(waits).toEqual([30_000, 0, 5000, 5000, 0]);
  });

  it("never counts a route as missing that the server had before in this process", async () => {
    const [clock, support] = [new TestClock(), new RouteSupport()];
    const request = { exists: async () => true, clock, support, route: "first" };
    await sendOptional({ ...request, send: async () => "the response" });
    await expect(sendOptional({ ...request, send: rejected(rejection(404)) })).rejects.toThrow(
      "responded to such a request earlier in this run",
    );
    expect(clock.elapsedMs).toBe(30_000);
  });

  it("counts a route as present again when the server responds to it", async () => {
    const [clock, support] = [new TestClock(), new RouteSupport()];
    const request = { exists: async () => true, clock, support, route: "first" };
    await sendOptional({ ...request, send: rejected(rejection(404)) });
    expect(await sendOptional({ ...request, send: async () => "the response" })).toEqual({ response: "the response" });
    expect(support.has("first")).toBe(true);
  });
});

describe("sendRemoval", () => {
  const lost = rejection(502);
  const remove = (error: Error, exists: () => Promise<boolean>) =>
    sendRemoval({ send: rejected(error), exists, clock: new TestClock(), ...newRoute() });

  it("resolves a lost response by whether the object still exists", async () => {
    expect(await remove(lost, async () => false)).toEqual({ gone: lost });
    await expect(remove(lost, async () => true)).rejects.toBe(lost);
    await expect(remove(lost, rejected(rejection(503)) as never)).rejects.toBe(lost);
  });

  it("does not hide a rejection, or an error that is not the server's", async () => {
    const [denied, defect] = [rejection(403), new TypeError("x is not a function")];
    await expect(remove(denied, async () => false)).rejects.toBe(denied);
    await expect(remove(defect, async () => false)).rejects.toBe(defect);
    await expect(remove(lost, rejected(defect) as never)).rejects.toBe(defect);
  });
});

it("sendWithRouteRetry repeats a request for half a minute and fails with the last rejection", async () => {
  const clock = new TestClock();
  const error = rejection(404);
  expect(await sendWithRouteRetry(rejected(error, 4), clock)).toBe("the response");
  expect(clock.elapsedMs).toBe(30_000);
  await expect(sendWithRouteRetry(rejected(error), clock)).rejects.toBe(error);
});
