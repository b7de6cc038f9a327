/** Responses that are larger or deeper than any that a client could use, or that never end. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { failureOf } from "../../support/errors";
import { openHttpClient, startHttp } from "../../support/servers/http-client";
import { TestServer } from "../../support/servers/server";

const MIB = 1024 * 1024;

/** Writes until the client stops reading, and counts the bytes. */
const endless = (status: number, written: { mib: number }) => (response: ServerResponse) => {
  response.writeHead(status, { "content-type": "application/json" });
  const chunk = Buffer.alloc(MIB, " ");
  const more = () => {
    while (!response.destroyed && response.write(chunk)) written.mib++;
    if (!response.destroyed)
      response.once("drain", () => {
        written.mib++;
        more();
      });
  };
  more();
};

test.each([
  [200, 80, "GET /x: 200: the response is larger than 64 MiB\nDoes the URL point to the API itself?"],
  [400, 16, "GET /x: 400: "],
])("An endless response with %i fails before %i MiB, and its connection is closed", async (status, mib, text) => {
  const written = { mib: 0 };
  const server = await TestServer.start([endless(status, written)]);
  const { http } = openHttpClient(server.url, { requestTimeoutMs: 20_000 });
  const error = await failureOf(http.send({ method: "GET", path: "/x" }));
  expect(error).toMatchObject({ name: "HttpError", status, message: expect.stringContaining(text) });
  expect(written.mib).toBeLessThan(mib);
});

test("A server's message is truncated to 2,000 characters, its request ID and redirect target to 200", async () => {
  const long = "word ".repeat(100_000);
  const headers = { "x-request-id": "r".repeat(5000), location: `https://x.example/${"y".repeat(5000)}` };
  const server = await TestServer.start([
    (response) => response.writeHead(400, { ...headers }).end(JSON.stringify({ detail: long })),
    (response) => response.writeHead(307, { ...headers }).end(),
  ]);
  const { http } = openHttpClient(server.url);
  for (let call = 0; call < 2; call++) {
    expect((await failureOf(http.send({ method: "GET", path: "/x" }))).message.length).toBeLessThan(2500);
  }
});

describe("A response that is nested deeply", () => {
  const nested = (levels: number) => `${"[".repeat(levels - 1)}["]\\"[{"]${"]".repeat(levels - 1)}`;
  const respond = (status: number, body: string) => async () => {
    const server = await TestServer.start([(response) => response.writeHead(status).end(body)]);
    return openHttpClient(server.url).http.send({ method: "GET", path: "/x" });
  };

  it("is parsed up to 500 levels", async () => {
    expect((await respond(200, nested(500))()).json).toEqual(JSON.parse(nested(500)));
  });

  it.each([501, 100_000])("fails with %i levels", async (levels) => {
    await expect(respond(200, nested(levels))()).rejects.toThrow(
      "GET /x: 200: the response is nested more than 500 levels deep\n",
    );
  });

  it.each([
    ["many objects and lists beside each other", [Array.from({ length: 600 }, () => [{}])]],
    ["brackets in texts", { a: "[{".repeat(600), b: `"${'\\"['.repeat(600)}`, c: "\\" }],
  ])("may have %s", async (_what, value) => {
    expect((await respond(200, JSON.stringify(value))()).json).toEqual(value);
  });

  it("fails with 501 levels after texts, of objects as of lists", async () => {
    const objects = `${'{"\\"a]":'.repeat(501)}1${"}".repeat(501)}`;
    await expect(respond(200, objects)()).rejects.toThrow("nested more than 500 levels deep");
  });

  it("is shown by its beginning where it is an error", async () => {
    const { message } = await failureOf(respond(400, `{"detail":${nested(100_000)}}`)());
    expect(message).toMatch(/^GET \/x: 400: /);
    expect(message.length).toBeLessThan(500);
  });
});

test.each<[string, string, unknown]>([
  ["a byte order mark", '\ufeff{"id":"a"}', { id: "a" }],
  ["a byte order mark alone", "\ufeff", undefined],
  ["a line break alone", "\r\n", undefined],
])("A response with %s is read as if it had none", async (_what, body, json) => {
  const server = await TestServer.start([(response) => response.writeHead(200).end(body)]);
  expect(await openHttpClient(server.url).http.send({ method: "GET", path: "/x" })).toMatchObject({ json });
});

test("A compressed response is read, although none was requested", async () => {
  const respond = (status: number, body: object) => (response: ServerResponse) =>
    response.writeHead(status, { "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(body)));
  const empty = (response: ServerResponse) => response.writeHead(204, { "content-encoding": "gzip" }).end();
  const plain = (response: ServerResponse) => response.writeHead(200, { "content-encoding": "gzip" }).end("not zipped");
  const trace = Array.from({ length: 60_000 }, (_, line) => line);
  const replies = [
    ...[respond(200, { id: "a" }), respond(422, { detail: "no such graph" }), empty, plain, respond(422, { trace })],
  ];
  const { http } = await startHttp(replies);
  expect(await http.send({ method: "GET", path: "/x" })).toMatchObject({ json: { id: "a" } });
  await expect(http.send({ method: "GET", path: "/x" })).rejects.toThrow("GET /x: 422: no such graph");
  expect(await http.send({ method: "DELETE", path: "/x" })).toMatchObject({ status: 204, json: undefined });
  const failure = http.send({ method: "GET", path: "/x" });
  await expect(failure).rejects.toThrow('the response is not JSON (it begins with "not zipped")');
  await expect(http.send({ method: "GET", path: "/x" })).rejects.toThrow(/422: … \(\d+ characters in all\)/);
});

test("The message of an error that begins with a byte order mark is shown", async () => {
  const server = await TestServer.start([(out) => out.writeHead(422).end('\ufeff{"detail":"no such graph"}')]);
  await expect(openHttpClient(server.url).http.send({ method: "GET", path: "/x" })).rejects.toThrow(
    "GET /x: 422: no such graph",
  );
});

test("A probe returns any response after one request below the base URL, also after the timeout", async () => {
  const late = (response: ServerResponse) => void setTimeout(() => response.writeHead(503).end("<p>busy</p>"), 60);
  const server = await TestServer.start([late, (response) => response.end("not JSON")]);
  const { http } = openHttpClient(new URL("/agents/a?tenant=1", server.url), { requestTimeoutMs: 20 });
  const probe = { method: "GET", path: "/x", search: "q=1&q=%2F", isProbe: true, timeoutMs: 5000 } as const;
  expect(await http.send(probe)).toMatchObject({ status: 503, text: "<p>busy</p>", json: undefined });
  expect(await http.send(probe)).toMatchObject({ status: 200, text: "not JSON" });
  expect(server.requests.map(({ url }) => url)).toEqual(Array(2).fill("/agents/a/x?tenant=1&q=1&q=%2F"));
});
