/** Responses that are larger than any that a client could use, or that never end. */
import type { ServerResponse } from "node:http";
import { failureOf } from "../../support/errors";
import { openHttpClient } from "../../support/http-client";
import { TestServer } from "../../support/server";

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

test("An endless response fails after 64 MiB, and its connection is closed", async () => {
  const written = { mib: 0 };
  const server = await TestServer.start([endless(200, written)]);
  const error = await failureOf(
    openHttpClient(server.url, { requestTimeoutMs: 20_000 }).http.send({ method: "GET", path: "/x" }),
  );
  expect(error.message).toBe("GET /x: 200: the response is larger than 64 MiB\nDoes the URL point to the API itself?");
  expect(written.mib).toBeLessThan(80);
});

test("An endless error body is shown by its beginning, and read no further", async () => {
  const written = { mib: 0 };
  const server = await TestServer.start([endless(400, written)]);
  const error = await failureOf(
    openHttpClient(server.url, { requestTimeoutMs: 20_000 }).http.send({ method: "GET", path: "/x" }),
  );
  expect(error).toMatchObject({ name: "HttpError", status: 400 });
  expect(written.mib).toBeLessThan(16);
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
