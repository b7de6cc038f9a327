/** The HTTP client against a real server on this machine: what is retried, what never is, and what an error says. */
import { Readable } from "node:stream";
import type { HttpError } from "../../../provider/http/errors";
import { failureOf } from "../../support/errors";
import { fine, get, openHttpClient, post, startHttp } from "../../support/servers/http-client";
import { closedPort, html, json, type Reply, TestServer } from "../../support/servers/server";

describe("A successful request", () => {
  it("sends headers, query and body, and returns the status and JSON", async () => {
    const { server, http } = await startHttp([json(201, { id: 1 })]);
    const query = { limit: 5, flag: true, none: undefined };
    expect(await http.send({ ...post, query })).toMatchObject({ status: 201, json: { id: 1 } });
    expect(server.requests).toMatchObject([
      { method: "POST", url: "/v2/things?limit=5&flag=true", body: '{"name":"a"}' },
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      ...{ accept: "application/json", "x-api-key": "the-key", "content-type": "application/json" },
    });
  });

  it("is sent below the path of the base URL, with or without a trailing slash", async () => {
    const server = await TestServer.start([fine]);
    for (const base of ["/platform", "/platform/"]) await openHttpClient(new URL(base, server.url)).http.send(get);
    expect(server.requests.map(({ url }) => url)).toEqual(["/platform/v2/things", "/platform/v2/things"]);
  });

  it("may have an empty response", async () => {
    const server = await TestServer.start([(response) => response.writeHead(204).end()]);
    expect(await openHttpClient(server.url).http.send({ method: "DELETE", path: "/x" })).toMatchObject({ status: 204 });
  });

  it("with an HTML page instead of JSON fails with a question about the URL, and is not retried", async () => {
    const server = await TestServer.start([html(200, "<html>Sign in</html>")]);
    const error = await failureOf(openHttpClient(server.url).http.send(get));
    expect(error.message).toMatch(/not JSON.*<html>Sign in.*\n.*URL/s);
    expect(server.requests).toHaveLength(1);
  });
});

describe("An error", () => {
  it("of a refused connection contains the address and what to check", async () => {
    const origin = `http://127.0.0.1:${await closedPort()}`;
    const error = await failureOf(openHttpClient(new URL(origin)).http.send(get));
    expect(error.message).toMatch(
      new RegExp(`\nNothing is listening at this address\\. .*\n {2}server {4}${origin}\n {2}attempts {2}6 in .* s$`),
    );
    expect(error).toMatchObject({ notSent: true, outcomeUnknown: false, shortCode: "ECONNREFUSED" });
  });

  it("of 404 blames the URL when the path contains no ID, and not when it does", async () => {
    const { http } = await startHttp([json(404, { detail: "Not Found" })]);
    await expect(http.send(get)).rejects.toThrow(/\nThe server does not have this route\. .*base URL/);
    const path = "/v2/things/5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";
    expect((await failureOf(http.send({ method: "GET", path }))).message).toBe(`GET ${path}: 404: Not Found`);
  });

  it("shares its cause with others of the same server and credential, unless it concerns a single object", async () => {
    const causeOf = async (status: number, detail: string) => {
      const server = await TestServer.start([json(status, { detail })]);
      const error = (await failureOf(openHttpClient(server.url).http.send(get))) as HttpError;
      return error.sharedCause?.replaceAll(server.url.origin, "");
    };
    expect(await causeOf(401, "expired")).toBe(await causeOf(401, "Expired at 12:00:01"));
    expect(await causeOf(403, "the plan")).not.toBe(await causeOf(403, "the workspace"));
    expect(await causeOf(422, "name: taken")).toBeUndefined();
    expect(await causeOf(401, "expired")).not.toBe(await causeOf(403, "expired"));
    const base = new URL("/platform", `http://127.0.0.1:${await closedPort()}`);
    const refused = (await failureOf(openHttpClient(base).http.send({ method: "GET", path: "" }))) as HttpError;
    expect(refused.path).toBe("/platform");
    expect(refused.sharedCause).toMatch(/^ECONNREFUSED\n/);
    expect(refused.sharedCause).toContain(base.origin);
  });

  // @covers 2.request-id
  it.each([
    [{ "x-request-id": "r-17" }, "r-17"],
    [{ "x-request-id": " ", "request-id": "r-17" }, "r-17"],
    [{ "x-request-id": "r-17", "x-correlation-id": "c-1" }, "r-17"],
    [{ "x-correlation-id": "c-1" }, "c-1"],
    [{ "x-amzn-requestid": "gateway-1" }, "gateway-1"],
    [{ "x-amz-request-id": "STORE1" }, "STORE1"],
  ])("contains the request ID of a response with the headers %j", async (headers, id) => {
    const server = await TestServer.start([json(400, { detail: "no" }, headers as Record<string, string>)]);
    expect((await failureOf(openHttpClient(server.url).http.send(get))).message).toBe(
      `GET /v2/things: 400: no\n  request ID  ${id}`,
    );
  });

  it("contains the request ID of a successful response that cannot be used", async () => {
    const headers = { "content-type": "text/html", "x-request-id": "r-17" };
    const server = await TestServer.start([(response) => response.writeHead(200, headers).end("<html>")]);
    await expect(openHttpClient(server.url).http.send(get)).rejects.toThrow(/\n {2}request ID {2}r-17$/);
  });

  it("contains the attempts, the time of all of them, and the request ID of the last one", async () => {
    const failure = (id: string) => json(503, { detail: "busy" }, { "x-request-id": id, "retry-after": "9" });
    const server = await TestServer.start(["r-1", "r-2", "r-3", "r-4", "r-5", "r-6"].map(failure));
    expect((await failureOf(openHttpClient(server.url).http.send(get))).message).toBe(
      "GET /v2/things: 503: busy\n  request ID  r-6\n  attempts    6 in 45 s",
    );
  });

  it("never repeats the request body", async () => {
    const detail = [{ loc: ["body", "secrets", 0, "value"], msg: "too long", input: "a-secret-value" }];
    const server = await TestServer.start([json(422, { detail })]);
    const body = { secrets: [{ value: "a-secret-value" }] };
    const error = await failureOf(openHttpClient(server.url).http.send({ ...post, body }));
    expect(error.message).toBe("POST /v2/things: 422: secrets.0.value: too long");
  });
});

it("A redirect fails with its target, and the API key does not follow it", async () => {
  const elsewhere = await TestServer.start([fine]);
  const server = await TestServer.start([json(307, {}, { location: `${elsewhere.url.origin}/v2/things` })]);
  const error = await failureOf(openHttpClient(server.url).http.send(get));
  expect(error.message).toContain(`redirects to ${elsewhere.url.origin}/v2/things`);
  expect(elsewhere.requests).toHaveLength(0);
});

it.each(["/base/v2/things/?limit=1", "http://{host}/base/v2/things/"])(
  "A redirect to %s only adds a slash, and is not explained as another base URL",
  async (location) => {
    const redirect: Reply = (response, request) =>
      json(307, {}, { location: location.replace("{host}", request.headers.host ?? "") })(response, request);
    const server = await TestServer.start([redirect]);
    const facts = { addressRemedy: "set it to <url>." };
    const error = await failureOf(openHttpClient(new URL("/base", server.url), { facts }).http.send(get));
    expect(error.message.split("\n").slice(1)).toEqual([
      `${server.url.origin} redirects to the same path with or without a slash at its end, and redirects are not ` +
        "followed. A proxy in front of the API may change it: let it forward paths as they are.",
    ]);
  },
);

it("Headers of a request replace those of the client, whatever their case", async () => {
  const server = await TestServer.start([fine]);
  await openHttpClient(server.url).http.send({ ...get, headers: { "X-Api-Key": "another", Accept: "text/plain" } });
  expect(server.requests[0]?.headers).toMatchObject({ "x-api-key": "another", accept: "text/plain" });
  expect(server.requests[0]?.headers).not.toHaveProperty("content-type");
});

describe("An upload", () => {
  const content = { size: 5, type: "application/gzip", open: () => Readable.from([Buffer.from("bytes")]) };
  const put = { method: "PUT", path: "", content } as const;
  const page = "\n <!DOCTYPE html><html>Sign in</html>";

  it("sends the stream with its type and size, and accepts any response of a store", async () => {
    const server = await TestServer.start([html(200, "<?xml version='1.0'?><Result/>"), html(200, `x${page}`)]);
    const { http } = openHttpClient(new URL("/bucket/key?signature=s", server.url));
    for (let sent = 0; sent < 2; sent++) expect(await http.send(put)).toMatchObject({ status: 200 });
    expect(server.requests[0]).toMatchObject({
      ...{ method: "PUT", url: "/bucket/key?signature=s", body: "bytes" },
      headers: { "content-type": "application/gzip", "content-length": "5" },
    });
  });

  it("fails when an HTML page responds, since that is not a store", async () => {
    for (const body of [page, "<html lang='en'>Sign in</html>"]) {
      const server = await TestServer.start([html(200, body)]);
      expect((await failureOf(openHttpClient(new URL("/bucket/key", server.url)).http.send(put))).message).toBe(
        "PUT upload URL: 200: the response is an HTML page, so something other than the store responded",
      );
    }
  });
});

it("A request to another machine is sent through the proxy of the environment", async () => {
  const proxy = await TestServer.start([fine]);
  process.env.http_proxy = proxy.url.href;
  try {
    await openHttpClient(new URL("http://agents.invalid")).http.send(get);
  } finally {
    delete process.env.http_proxy;
  }
  expect(proxy.requests).toMatchObject([{ method: "GET", url: "http://agents.invalid/v2/things" }]);
});

// @covers 10.redirects
it("A redirect without a target, and a failure at the base URL itself, are described", async () => {
  const server = await TestServer.start([json(302, {}), json(400, { detail: "no" }, { allow: "GET" })]);
  const { http } = openHttpClient(new URL("/platform", server.url));
  const redirect = await failureOf(http.send({ method: "GET", path: "" }));
  expect(redirect.message).toBe(
    `GET /platform: 302: {}\n${server.url.origin} redirects to another URL. Use that URL instead: redirects ` +
      "are not followed, so that the API key cannot leak.",
  );
  expect(await failureOf(http.send({ method: "GET", path: "" }))).toMatchObject({ allow: "GET", path: "/platform" });
});
