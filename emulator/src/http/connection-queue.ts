import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Runs the requests of a connection one after the other, each once the previous response has been sent. A client may
 * send hundreds of requests and read no response, which would fill the memory. Other connections run in between,
 * because the system buffers megabytes of responses for a client that does not read.
 */
export function queuePerConnection(listener: RequestListener): RequestListener {
  const latest = new WeakMap<Socket, ServerResponse>();
  const waiting: (() => void)[] = [];
  const runNext = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(runNext);
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const previous = latest.get(socket);
    latest.set(socket, outgoing);
    if (!previous || previous.closed) return listener(incoming, outgoing);
    void once(previous, "close").then(() => {
      waiting.push(() => socket.destroyed || listener(incoming, outgoing));
      if (waiting.length === 1) setImmediate(runNext);
    });
  };
}
