/** Free ports for programs that cannot listen on port 0. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port that is free, as is the one after it. It is none of those that the system gives away by itself: another test
 * would be given it in the meantime.
 */
export async function freePorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + 2 * randomInt(5000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
