/** Requests to routes that a server may lack: how long they are repeated, and which rejection means what. */
import { HttpError, type HttpErrorDetails } from "../../../../provider/http/errors";
import { sendOptional, sendRemoval, sendWithRouteRetry } from "../../../../provider/resources/shared/optional-route";
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

describe("sendOptional", () => {
  it.each<[string, HttpError, number]>([
    ["half a minute after a 404", rejection(404), 30_000],
    ["half a minute after a 405 that lists no methods", rejection(405, { allow: "" }), 30_000],
    ["half a minute after a 405 that lists the method itself", rejection(405, { allow: "get, patch" }), 30_000],
    ["half a minute after a 404 that lists other methods", rejection(404, { allow: "GET" }), 30_000],
    ["a second after a 405 that lists other methods", rejection(405, { allow: "GET" }), 1000],
  ])("counts a route as missing %s", async (_what, error, delay) => {
    const clock = new TestClock();
    const result = await sendOptional({ send: rejected(error), exists: async () => true, clock });
    expect([result, clock.elapsedMs]).toEqual([{ missing: error }, delay]);
  });

  it("does not count a route as missing when the object no longer exists", async () => {
    const clock = new TestClock();
    const error = rejection(404);
    const result = await sendOptional({ send: rejected(error), exists: async () => false, clock });
    expect([result, clock.elapsedMs]).toEqual([{ gone: error }, 0]);
  });
});

describe("sendRemoval", () => {
  const lost = rejection(502);
  const remove = (error: Error, exists: () => Promise<boolean>) =>
    sendRemoval({ send: rejected(error), exists, clock: new TestClock() });

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
