/** Proxies that do not connect to a server, and the variables that name them. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** Runs with variables of the environment. */
export async function within<T>(variables: Record<string, string>, act: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await act();
  } finally {
    process.env = before;
  }
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server of a protocol below HTTP. */
export async function listen(onConnection: (socket: Socket, requests: string[]) => void) {
  const requests: string[] = [];
  const server = createServer((socket) =>
    onConnection(
      socket.on("error", () => undefined),
      requests,
    ),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Starts a proxy that refuses every tunnel. @param status 0 to end the connection without a response. */
export const startTunnel = (status: number) =>
  listen((socket, requests) => {
    socket.once("data", (data) => {
      requests.push(data.toString().split(" HTTP/")[0] ?? "");
      if (status === 0) socket.destroy();
      else socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    });
  });
