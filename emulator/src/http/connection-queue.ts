import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Performs the requests of a connection one after the other, each once the answer before it has left. A client may send
 * hundreds at once and read no answer: to perform them all would fill the memory. Other clients have their turn between
 * two of them, since the system takes megabytes of answers for one that does not read.
 */
export function queuePerConnection(listener: RequestListener): RequestListener {
  const latest = new WeakMap<Socket, ServerResponse>();
  const waiting: (() => void)[] = [];
  const performNext = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(performNext);
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const before = latest.get(socket);
    latest.set(socket, outgoing);
    if (!before || before.closed) return listener(incoming, outgoing);
    void once(before, "close").then(() => {
      waiting.push(() => socket.destroyed || listener(incoming, outgoing));
      if (waiting.length === 1) setImmediate(performNext);
    });
  };
}
