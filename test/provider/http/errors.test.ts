import { describeNetworkError, HttpError } from "../../../provider/http/errors";

const base = { method: "PATCH", path: "/v2/deployments/d", detail: "words" };
const questions = (error: HttpError) => ({
  notFound: error.isNotFound,
  route: error.isUnsupportedRoute,
  denied: error.isUnauthorized,
  throttled: error.isRateLimited,
  transient: error.isRetryable,
  acted: error.outcomeUnknown,
});
const none = { notFound: false, route: false, denied: false, throttled: false, transient: false, acted: false };

it.each([
  [[400, 409, 422], {}],
  [[401, 403], { denied: true }],
  [[404], { notFound: true, route: true }],
  [[405, 501], { route: true }],
  [[408, 500, 502], { transient: true, acted: true }],
  [[429], { throttled: true, transient: true }],
])("An HttpError knows what the statuses %j mean", (statuses, meaning) => {
  for (const status of statuses)
    expect([status, questions(new HttpError({ ...base, status }))]).toEqual([status, { ...none, ...meaning }]);
});

it.each([
  [["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"], false],
  [["ECONNRESET", "UND_ERR_SOCKET", "ETIMEDOUT", undefined], true],
])("Without a response, %j mean an unknown outcome: %p", (codes, acted) => {
  for (const code of codes) {
    const error = new HttpError({ ...base, ...(code && { code }) });
    expect([error.outcomeUnknown, error.isRetryable, error.shortCode]).toEqual([acted, true, code ?? "network"]);
  }
});

const rejected = { ...base, status: 403, requestId: "r-1", hint: "Ask for the permission." };

it("An HttpError says what failed, in the server's words, what to do, and with which settings and request", () => {
  const settings = [
    ["server", "https://a.example"],
    ["bearer token", "from the test"],
  ] as const;
  expect(new HttpError({ ...rejected, settings }).message.split("\n")).toEqual([
    ...["PATCH /v2/deployments/d: 403: words", "Ask for the permission.", "  server        https://a.example"],
    ...["  bearer token  from the test", "  request ID    r-1"],
  ]);
  expect(new HttpError(base).message).toBe("PATCH /v2/deployments/d: no response: words");
});

it.each([
  [400, "0.4"],
  [9940, "9.9"],
  [9960, "10.0"],
  [10_400, "10"],
  [270_000, "270"],
])("Several attempts in %d ms are part of the message as %s s", (elapsedMs, seconds) => {
  const error = new HttpError(rejected).afterAttempts(6, elapsedMs);
  expect(error.originLines).toEqual(["  request ID  r-1", `  attempts    6 in ${seconds} s`]);
  expect(error.message).toContain(`permission.\n${error.originLines.join("\n")}`);
  expect(error).toMatchObject({ attempts: 6, elapsedMs, status: 403 });
});

it("One attempt is not mentioned, nor a request without an ID", () => {
  expect(new HttpError(base).afterAttempts(1, 5000).message).toBe("PATCH /v2/deployments/d: no response: words");
  expect(new HttpError({ ...base, requestId: "" }).originLines).toEqual([]);
});

it("An HttpError in one line has the request ID behind the server's words", () => {
  const error = new HttpError(rejected);
  expect([error.quote, error.summary]).toEqual([
    "words (request ID r-1)",
    "PATCH /v2/deployments/d: 403: words (request ID r-1)",
  ]);
  expect(new HttpError(base).quote).toBe("words");
});

it("The advice of an HttpError is its hint and the settings", () => {
  const settings = [["server", "https://a.example"]] as const;
  expect(new HttpError({ ...rejected, settings }).advice).toBe("Ask for the permission.\n  server  https://a.example");
  expect(new HttpError(base).advice).toBeUndefined();
});

it("An HttpError prints no stack, since the host prints it far from the resource", () => {
  expect(new HttpError(base).stack).not.toContain(" at ");
});

it("A hint is added before those that an HttpError has", () => {
  const error = new HttpError({ ...base, status: 403, requestId: "r-1" }).withHint("First.").withHint("Zeroth.");
  expect(error.message).toBe("PATCH /v2/deployments/d: 403: words\nZeroth.\nFirst.\n  request ID  r-1");
  expect(error).toMatchObject({ name: "HttpError", status: 403, requestId: "r-1" });
});

it.each([
  [{ name: "TimeoutError", message: "x" }, "ETIMEDOUT", "https://a.example did not respond in time"],
  [{ name: "AbortError", message: "x" }, "ETIMEDOUT", "https://a.example did not respond in time"],
  [{ name: "Error", message: "read failed", code: "ECONNRESET" }, "ECONNRESET", "https://a.example: read failed"],
  [{ message: "", errors: [{ code: "ECONNREFUSED" }] }, "ECONNREFUSED", "https://a.example: ECONNREFUSED"],
  [{ message: "", errors: [] }, undefined, "https://a.example: network error"],
  [{ message: "7F:error:0A\n", reason: "no cipher", code: "ERR_SSL_X" }, "ERR_SSL_X", "https://a.example: no cipher"],
])("The network error %j is described with its server", (error, code, detail) => {
  expect(describeNetworkError(error, "https://a.example")).toEqual({ code, detail });
});

it.each([
  [299, true],
  [300, false],
  [undefined, false],
])("The status %p with an unusable body is unexpected: %p", (status, isUnexpected) => {
  const error = new HttpError({ ...base, ...(status && { status }) });
  expect([error.isUnexpected, error.outcomeUnknown]).toEqual([isUnexpected, isUnexpected || status === undefined]);
});
