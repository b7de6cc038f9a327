/** A server that repeats recorded responses, one of them with a hostile change. */
import { once } from "node:events";
import { createServer } from "node:http";
import { listen } from "../servers/listen";
import { type Exchange, ORIGIN, routeOf } from "./recording";

/** More than any operation needs with a server that repeats its last response forever. */
const MAX_REQUESTS = 3000;

const NOT_FOUND = { status: 404, headers: { "content-type": "application/json" }, body: '{"detail":"Not Found"}' };

export class HostileServer {
  /** Requests since the last `play`. */
  requests = 0;
  private exchanges: Map<string, Omit<Exchange, "route">[]> = new Map();
  private readonly counts = new Map<string, number>();

  private constructor(readonly url: string) {}

  static async start(): Promise<HostileServer> {
    const server = createServer(async (incoming, outgoing) => {
      incoming.resume();
      await once(incoming, "end").catch(() => {});
      const { status, headers, body } = hostile.next(routeOf(incoming.method, incoming.url));
      outgoing.writeHead(status, headers).end(body);
    });
    const hostile = new HostileServer(`http://127.0.0.1:${await listen(server)}`);
    return hostile;
  }

  /** Repeats these responses from now on: of each route in order, the last one to all further requests. */
  play(exchanges: readonly Exchange[]): void {
    this.requests = 0;
    this.counts.clear();
    this.exchanges = Map.groupBy(
      exchanges.map((exchange) => ({ ...exchange, body: exchange.body.replaceAll(ORIGIN, this.url) })),
      ({ route }) => route,
    );
  }

  private next(route: string): Omit<Exchange, "route"> {
    if (++this.requests > MAX_REQUESTS) return { ...NOT_FOUND, status: 410 };
    const count = this.counts.get(route) ?? 0;
    this.counts.set(route, count + 1);
    const recorded = this.exchanges.get(route);
    return recorded?.[Math.min(count, recorded.length - 1)] ?? NOT_FOUND;
  }

  get isExhausted(): boolean {
    return this.requests > MAX_REQUESTS;
  }
}
