import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Platform } from "../platform";

/** A proxy in front of the emulator that closes its port after every response, until the client sleeps. */
export class OneShotProxy implements Pick<Platform, "clock" | "url"> {
  /** Number of times it was opened again. */
  openCount = 0;
  readonly clock: Platform["clock"];

  private constructor(
    platform: Platform,
    private readonly server: Server,
    private readonly port: number,
  ) {
    this.clock = {
      now: platform.clock.now,
      monotonic: platform.clock.monotonic,
      sleep: async (milliseconds) => {
        await this.open();
        await platform.clock.sleep(milliseconds);
      },
      deadline: platform.clock.deadline,
    };
  }

  static async start(platform: Platform): Promise<OneShotProxy> {
    const { hostname, port } = new URL(platform.url);
    const server = createServer((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const forwarded = request({ hostname, port, method, path: url, headers }, (response) => {
        server.close();
        outgoing.writeHead(response.statusCode ?? 0, { ...response.headers, connection: "close" });
        response.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    started.push(server);
    return new OneShotProxy(platform, server, (server.address() as AddressInfo).port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Closes the port. */
  close(): void {
    this.server.close();
  }

  private async open(): Promise<void> {
    if (this.server.listening) return;
    this.server.listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
    this.openCount += 1;
  }
}

const started: Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) server.close();
});
