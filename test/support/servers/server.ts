import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen";

/** A request as the server received it. */
export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that sends its n-th reply to the n-th request, and its last reply to all later ones. */
export class TestServer {
  readonly requests: ReceivedRequest[] = [];
  connections = 0;

  private constructor(
    private readonly server: Server,
    readonly url: URL,
  ) {}

  static async start(replies: Reply[], port = 0): Promise<TestServer> {
    const server = createServer(async (request, response) => {
      const { method = "", url = "", headers } = request;
      test.requests.push({ method, url, headers, body: await text(request) });
      replies[Math.min(test.requests.length, replies.length) - 1]?.(response, request);
    });
    server.on("connection", () => test.connections++);
    const test = new TestServer(server, new URL(`http://127.0.0.1:${await listen(server, port)}`));
    return test;
  }

  get port(): number {
    return Number(this.url.port);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, "close");
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

export const html =
  (status: number, body: string): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": "text/html" }).end(body);

/** Resets the connection after reading the request. */
export const reset: Reply = (_response, request) => request.socket.resetAndDestroy();

/** Returns a port on which no server listens. */
export async function closedPort(): Promise<number> {
  const server = await TestServer.start([]);
  await server.stop();
  return server.port;
}
