import { type IncomingMessage, request, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Context } from "../../runtime/context";
import { requestHeaders, responseHeaders } from "./headers";
import { logRequest } from "./log";
import { agentError, noResponse, resolveTarget, type Target, untilStarted } from "./target";

/** A request for another protocol, with the connection that it came by. */
interface UpgradeRequest {
  incoming: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** Forwards a connection such as a web socket in both directions until one side closes it. */
export async function forwardUpgrade(context: Context, url: URL, client: UpgradeRequest): Promise<void> {
  const receivedAt = performance.now();
  const { incoming, socket } = client;
  // A client that disconnects is not an error.
  socket.on("error", () => {});
  let status: number | null = null;
  await untilStarted(context, url);
  try {
    const target = resolveTarget(context, url, (name) => incoming.headers[name.toLowerCase()]?.toString());
    const close = target.agent.openRequest();
    try {
      status = await connect(target, url, client);
    } finally {
      close();
    }
  } catch (error) {
    const { status: failed, headers, text } = agentError(context, error);
    status = failed;
    const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(text ?? ""), connection: "close" });
    socket.end(
      `${statusLine(failed)}${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text ?? ""}`,
    );
  }
  logRequest(context, url, incoming, { status, receivedAt });
}

/**
 * Resolves with the status of the agent's response once the connection is closed. @throws ApiError 502 without a
 * response.
 */
async function connect(target: Target, url: URL, { incoming, socket, head }: UpgradeRequest): Promise<number> {
  const { host, port, path, prefix } = target;
  const upgrade = ["Connection", "Upgrade", "Upgrade", incoming.headers.upgrade ?? ""];
  const headers = [...requestHeaders(incoming, url, prefix), ...upgrade];
  const upstream = request({ host, port, path, method: incoming.method, headers, agent: false });
  socket.once("close", () => upstream.destroy());
  const responded = new Promise<[IncomingMessage, Duplex | undefined, Buffer]>((resolve, reject) => {
    upstream.once("upgrade", (response, stream, first) => resolve([response, stream, first]));
    upstream.once("response", (response) => resolve([response, undefined, Buffer.alloc(0)]));
    upstream.once("error", (error) => reject(noResponse(url, error)));
  });
  upstream.end();
  const [response, stream, first] = await responded;
  const { statusCode = 502 } = response;
  const passedOn = responseHeaders(response);
  if (stream === undefined) {
    socket.write(headOf(statusCode, [...passedOn, "Connection", "close"]));
    await pipeline(response, socket).catch(() => {});
    return statusCode;
  }
  socket.write(headOf(statusCode, [...passedOn, "Connection", "Upgrade", "Upgrade", response.headers.upgrade ?? ""]));
  if (first.length > 0) socket.write(first);
  if (head.length > 0) stream.write(head);
  await Promise.allSettled([pipeline(stream, socket), pipeline(socket, stream)]);
  stream.destroy();
  socket.destroy();
  return statusCode;
}

const statusLine = (status: number) => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;

function headOf(status: number, headers: readonly string[]): string {
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}\r\n`] : []));
  return `${statusLine(status)}${lines.join("")}\r\n`;
}
