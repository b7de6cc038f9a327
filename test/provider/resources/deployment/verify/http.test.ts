/** Checks that send one request to the agent server. */
import type { HttpCheck } from "../../../../../provider/resources/deployment/schema/verify";
import { assertRunnable } from "../../../../../provider/resources/deployment/verify/run-check";
import { check, LABEL } from "../../../../support/deployments/checks";
import { failureOf } from "../../../../support/errors";
import { startAgentClient } from "../../../../support/servers/agent-client";
import { html, json, type Reply, reset } from "../../../../support/servers/server";

const ok = json(200, { status: "ok", count: 1, items: [{ n: 1, name: "a" }] });

async function checkHttp(http: HttpCheck, replies: Reply[] = [ok], more: Partial<Parameters<typeof check>[0]> = {}) {
  const server = await startAgentClient(...replies);
  const { mismatch, rows } = await check({ http, attempts: 1, ...more }, server);
  return { ...server, mismatch, rows };
}

it.each([
  ["any success by default", { path: "/ok" }],
  ["the status of a failure", { path: "/x", expect: { status: 404 } }, json(404, { detail: "x" })],
  ["the status of a redirect", { path: "/x", expect: { status: 302 } }, json(302, {}, { location: "/y" })],
  ["a text", { path: "/ok", expect: { contains: '"status":"ok"' } }],
  ["a text that is not JSON", { path: "/", expect: { contains: "Hello" } }, html(200, "<p>Hello</p>")],
  ["a line", { path: "/", expect: { matches: "^b: \\d$" } }, html(200, "a: 1\nb: 2\n")],
  ["a part of JSON", { path: "/ok", expect: { json: { count: 1.0, items: [{ name: "a" }] } } }],
  ["JSON of a failure", { path: "/x", expect: { status: 400, json: { a: null } } }, json(400, { a: null })],
] as [string, HttpCheck, Reply?][])("A response passes that is %s", async (_what, http, reply = ok) => {
  expect((await checkHttp(http, [reply])).mismatch).toBeUndefined();
});

const inJson = (json: unknown) => ({ path: "/ok", expect: { json } });
it.each([
  ["a 500", { path: "/x" }, json(500, { detail: "boom" }), "a status from 200 to 299", 'status 500: {"detail":"boom"}'],
  ["no failure", { path: "/ok", expect: { status: 404 } }, html(200, ""), "status 404", "status 200"],
  [
    "a redirect",
    { path: "/x" },
    json(307, {}, { location: "https://elsewhere.example/x" }),
    "a status from 200 to 299",
    "status 307, a redirect to https://elsewhere.example/x, which is not followed",
  ],
  ["other text", { path: "/", expect: { contains: "Hi" } }, html(200, "a\nb"), 'a text that contains "Hi"', '"a\\nb"'],
  ["empty", { path: "/", expect: { matches: "x" } }, html(200, "\n"), 'a text that matches "x"', "an empty text"],
  ["not JSON", { path: "/", expect: { json: {} } }, html(200, "<p>"), "JSON with {}", 'no JSON, but "<p>"'],
  ["another value", inJson({ count: "1" }), ok, 'count with "1"', "count with 1"],
  ["longer", inJson({ items: [] }), ok, "items with []", 'items with [{"n":1,"name":"a"}]'],
  ["without a key", inJson({ items: [{ x: 1 }] }), ok, "items[0].x with 1", "items[0].x with nothing"],
  ["without an inherited key", inJson({ toString: 1 }), ok, "toString with 1", "toString with nothing"],
] as [string, HttpCheck, Reply, string, string][])(
  "A response that is %s fails",
  async (_what, http, reply, expected, actual) => {
    expect((await checkHttp(http, [reply])).mismatch).toEqual({ expected, actual });
  },
);

it("The request has the declared method, path, query and headers, and texts as they are", async () => {
  const headers = { "x-api-key": "another", "X-Trace": "1" };
  const { server } = await checkHttp({ path: "/a b/../c?q=1&q=%2F#part", headers, body: "text" });
  expect(server.requests).toMatchObject([
    { method: "POST", url: "/c?q=1&q=%2F", body: "text", headers: { "x-api-key": "another", "x-trace": "1" } },
  ]);
});

it.each([
  [{ path: "/x" }, "GET", ""],
  [{ path: "/x", body: { a: 1 } }, "POST", '{"a":1}'],
  [{ path: "/x", body: { a: 1 }, method: "PUT" }, "PUT", '{"a":1}'],
  [{ path: "/x", method: "HEAD" }, "HEAD", ""],
] as [HttpCheck, string, string][])("The check %j is sent as %s with the body %j", async (http, method, body) => {
  expect((await checkHttp(http)).server.requests).toMatchObject([{ method, url: "/x", body }]);
});

it("A failed attempt is one request, and is followed by a pause and the next one", async () => {
  const more = { attempts: 3, pause: "5s" };
  const { mismatch, rows, requests, clock } = await checkHttp({ path: "/x" }, [reset, json(503, { a: 1 }), ok], more);
  expect(mismatch).toBeUndefined();
  expect(requests()).toHaveLength(3);
  expect(clock.elapsedMs).toBe(10_000);
  expect(rows).toEqual([
    LABEL,
    expect.stringMatching(/^check 1 of 1: attempt 1 failed: no response: .*ECONNRESET|closed|hang/),
    'check 1 of 1: attempt 2 failed: status 503: {"a":1}, 5 s',
  ]);
});

it("A check has failed after its last attempt", async () => {
  const { mismatch, requests } = await checkHttp({ path: "/x" }, [json(429, {}, { "retry-after": "60" })], {
    attempts: 2,
  });
  expect(mismatch).toEqual({ expected: "a status from 200 to 299", actual: "status 429: {}" });
  expect(requests()).toHaveLength(2);
});

it("A timeout may be longer than any run", async () => {
  expect((await checkHttp({ path: "/x" }, [ok], { timeout: "9999h", pause: "9999h" })).mismatch).toBeUndefined();
});

it.each<[string, Reply, RegExp]>([
  ["never begins", () => undefined, /^no response within 50ms$/],
  ["never ends", (response) => void response.write("{"), /^no response within 50ms$/],
  ["is cut off", (response) => response.write("{", () => response.destroy()), /^no response: /],
])("A response that %s fails", async (_what, reply, actual) => {
  const { mismatch } = await checkHttp({ path: "/x" }, [reply], { timeout: "50ms" });
  expect(mismatch).toEqual({ expected: "a response", actual: expect.stringMatching(actual) });
});

it("Canceling ends the request that is under way, and does not count as a failure of the check", async () => {
  const canceling = new AbortController();
  const server = await startAgentClient(() => canceling.abort(), ok);
  const clock = Object.assign(server.clock, { canceled: canceling.signal });
  expect((await failureOf(check({ http: { path: "/x" } }, { ...server, clock }))).name).toBe("CanceledError");
  expect(server.requests()).toHaveLength(1);
});

it("The texts of a mismatch are short, and contain no secrets, however short these are", async () => {
  const server = await startAgentClient(html(200, `${"x".repeat(490)}the-secret${"x".repeat(9000)}`));
  const http = { path: "/", expect: { contains: "abc" } };
  const secrets = { "verify.0.http.expect.contains": "abc", other: "the-secret" };
  const { mismatch } = await check({ http, attempts: 1 }, { ...server, secrets });
  expect(mismatch?.expected).toBe("a text that contains [secret]");
  expect(mismatch?.actual).toMatch(/^"x{490}\[secret\]?/);
  expect(mismatch?.actual.length).toBeLessThan(520);
});

it.each([
  ["a name with a space", { "X Name": "the-value" }],
  ["a value with a line break", { "X-Name": "the-value\n" + "x" }],
  ["the length of the body", { "Content-Length": "1" }],
])("A header with %s is refused before anything is sent", async (_what, headers) => {
  const error = await failureOf(assertRunnable([{ http: { path: "/", headers } }]));
  expect(error.message).toMatch(/^The header ".*" of a check in verify cannot be sent\. Use a valid name/);
  expect(error.message).not.toContain("the-value");
});
