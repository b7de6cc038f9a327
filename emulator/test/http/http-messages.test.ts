import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type Client, start } from "../support/emulator";

/** Sends a request that no library would write, and returns the raw response. */
async function sendRaw({ emulator }: Client, head: string): Promise<string> {
  const { hostname, port } = new URL(emulator.urls.controlPlane);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(`${head}\r\nx-api-key: k\r\nconnection: close\r\n\r\n`);
  return text(socket);
}

test("a response has a Content-Length", async () => {
  const { headers } = await (await start()).get("/v2/deployments");
  expect(headers.get("content-length")).toBe(String('{"resources":[],"offset":0}'.length));
});

test.each([
  "GET /v2/deployments HTTP/1.1\r\nhost: a b",
  "GET /v2/deployments HTTP/1.1\r\nhost: a/b",
  "OPTIONS * HTTP/1.1\r\nhost: x",
])("%j has an invalid address and is rejected", async (head) => {
  expect(await sendRaw(await start(), head)).toMatch(/^HTTP\/1.1 400 [\s\S]*"detail":"Invalid address or Host header"/);
});
