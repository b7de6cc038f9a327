/** What a server shows of its routes: how long requests are repeated, and which rejection means what. */
import { LearnedProfile, sendWithRouteRetry, UnsupportedError } from "../../../../provider/api/profile/learned-profile";
import { HttpError, type HttpErrorDetails } from "../../../../provider/http/errors";
import { TestClock } from "../../../support/time/clock";

const rejection = (status: number, details: Partial<HttpErrorDetails> = {}) =>
  new HttpError({ method: "PATCH", path: "/things/1", status, detail: "no", ...details });

/** Returns a request that is rejected a number of times. */
const rejected =
  (error: Error, times = Number.POSITIVE_INFINITY) =>
  async () => {
    if (times-- > 0) throw error;
    return "the response";
  };

const ROUTE = "threads-patch";
/** Returns a profile of which nothing is known. */
function newProfile() {
  const clock = new TestClock();
  return { clock, profile: new LearnedProfile(clock) };
}

describe("a profile", () => {
  it.each<[string, HttpError, number]>([
    ["half a minute after a 404", rejection(404), 30_000],
    ["half a minute after a 405 that lists no methods", rejection(405, { allow: "" }), 30_000],
    ["half a minute after a 405 that lists the method itself", rejection(405, { allow: "get, patch" }), 30_000],
    ["half a minute after a 404 that lists other methods", rejection(404, { allow: "GET" }), 30_000],
    ["a second after a 405 that lists other methods", rejection(405, { allow: "GET" }), 1000],
  ])("learns that a route is missing %s", async (_what, error, delay) => {
    const { clock, profile } = newProfile();
    await expect(profile.send(ROUTE, { send: rejected(error) })).rejects.toMatchObject({
      ...{ name: "UnsupportedError", feature: ROUTE, rejection: error },
      message: `This server cannot change threads (${error.summary}).`,
    });
    expect([profile.has(ROUTE), clock.elapsedMs]).toEqual([false, delay]);
  });

  it("learns nothing of a route when the object no longer exists", async () => {
    const { clock, profile } = newProfile();
    const request = { send: rejected(rejection(404)), exists: async () => false };
    expect(await profile.send(ROUTE, request)).toBeUndefined();
    expect([profile.has(ROUTE), clock.elapsedMs]).toEqual([undefined, 0]);
  });

  // @covers 10.missing-routes
  it("waits half a minute for the first route that a server lacks, seconds for others, and never twice", async () => {
    const { clock, profile } = newProfile();
    profile.learn("threads-by-id", false);
    const waits: number[] = [];
    const [first, second, third] = [ROUTE, "threads-delete", "crons-patch"] as const;
    for (const route of [first, first, second, third, second]) {
      const before = clock.elapsedMs;
      await expect(profile.send(route, { send: rejected(rejection(404)) })).rejects.toThrow(UnsupportedError);
      waits.push(clock.elapsedMs - before);
    }
    expect(waits).toEqual([30_000, 0, 5000, 5000, 0]);
  });

  it("never learns that a route is missing that the server had before in this process", async () => {
    const { clock, profile } = newProfile();
    expect(await profile.send(ROUTE, { send: async () => "the response" })).toBe("the response");
    await expect(profile.send(ROUTE, { send: rejected(rejection(404)) })).rejects.toThrow(
      "responded to such a request earlier in this run",
    );
    expect(clock.elapsedMs).toBe(30_000);
  });

  it("learns that a route is present again when the server responds to it", async () => {
    const profile = new LearnedProfile(new TestClock(), { [ROUTE]: false });
    expect(await profile.send(ROUTE, { send: async () => "the response" })).toBe("the response");
    expect(profile.has(ROUTE)).toBe(true);
  });
});

describe("a removal", () => {
  const lost = rejection(502);
  const remove = (error: Error, exists: () => Promise<boolean>) =>
    newProfile().profile.remove(ROUTE, { send: rejected(error), exists });

  it("whose response is lost is resolved by whether the object still exists", async () => {
    expect(await remove(lost, async () => false)).toBeUndefined();
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
