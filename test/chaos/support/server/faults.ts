/** Faults between the provider and the server, and how the proxy chooses one for a request. */
import type { Slot } from "../kinds";
import { ANSWER } from "../kinds/deployment";
import type { FaultSpec } from "../program/schedule";

/** What happens to a request. It reaches the server unless `lost`. */
export interface Fault {
  /** The server never receives it. */
  isLost?: true;
  /** The connection is reset in place of a response. */
  resets?: true;
  /** No response comes until the request times out. */
  hangs?: true;
  /** With `hangs`: the server receives it after it has timed out. */
  arrivesLate?: true;
  /** The response comes after this time. */
  delayMs?: number;
  /** The response ends in the middle of its body. */
  isTruncated?: true;
  /** The response is replaced. */
  status?: number;
  body?: string;
  headers?: Record<string, string>;
  /** The response repeats the request: its body and its API key. */
  echoes?: true;
  /** The server receives it twice, unless it is a POST, which no proxy repeats. */
  isRepeated?: true;
  /** The process dies at this request, without a response. */
  kills?: true;
  /** The user presses Ctrl-C at this request. */
  interrupts?: true;
  /** The server restarts, and breaks all its connections. */
  restarts?: true;
}

const json = (detail: string) => JSON.stringify({ detail });
const page = (title: string) => `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
const respond = (status: number, body: string, headers: Record<string, string> = {}): Fault => ({
  ...{ status, body },
  headers: { "content-type": body.startsWith("<") ? "text/html" : "application/json", ...headers },
});

export const FAULTS: Record<string, Fault> = {
  "resets before": { isLost: true, resets: true },
  "resets after": { resets: true },
  "times out before": { isLost: true, hangs: true },
  "times out after": { hangs: true },
  "times out, then arrives": { hangs: true, arrivesLate: true },
  "is slow": { delayMs: 20_000 },
  "is truncated": { isTruncated: true },
  "is delivered twice": { isRepeated: true },
  "429": { isLost: true, ...respond(429, json("Too many requests"), { "retry-after": "3" }) },
  "500": { isLost: true, ...respond(500, json("the database is down")) },
  "500 after": respond(500, json("the database is down")),
  "502 page": { isLost: true, ...respond(502, page("502 Bad Gateway")) },
  "502 page after": respond(502, page("502 Bad Gateway")),
  "503": { isLost: true, ...respond(503, page("503 Service Temporarily Unavailable"), { "retry-after": "2" }) },
  "504 page after": respond(504, page("504 Gateway Time-out")),
  "404 page": { isLost: true, ...respond(404, "default backend - 404", { "content-type": "text/plain" }) },
  "404 json": { isLost: true, ...respond(404, json("Not Found")) },
  "405 page": { isLost: true, ...respond(405, page("405 Not Allowed")) },
  "501 page": { isLost: true, ...respond(501, page("501 Not Implemented")) },
  "400 with the request": { isLost: true, echoes: true, ...respond(400, "{}") },
  "403 with the request": { isLost: true, echoes: true, ...respond(403, "{}") },
  "500 with the request after": { echoes: true, ...respond(500, "{}") },
  "200 login page": { isLost: true, ...respond(200, page("Sign in")) },
  dies: { isLost: true, kills: true },
  "dies after": { kills: true },
  "is interrupted": { interrupts: true },
  "server restarts before": { isLost: true, resets: true, restarts: true },
  "server restarts after": { resets: true, restarts: true },
};

/** The faults of one command. */
export class FaultPlan {
  private readonly pending: (FaultSpec & { left: number })[];
  /** How many faults were injected. */
  count = 0;

  constructor(specs: readonly FaultSpec[]) {
    this.pending = specs.map((spec) => ({ ...spec, left: spec.times }));
  }

  take(
    { method, url }: { method: string; url: string },
    slot: Slot | undefined,
  ): { name: string; fault: Fault } | undefined {
    for (const spec of this.pending) {
      if (spec.left === 0 || (spec.of && spec.of !== slot) || (spec.method && spec.method !== method)) continue;
      if (spec.ofCheck && !url.endsWith(ANSWER)) continue;
      if (spec.skip-- > 0) continue;
      spec.left -= 1;
      this.count += 1;
      return { name: spec.what, fault: FAULTS[spec.what] ?? {} };
    }
    return undefined;
  }
}
