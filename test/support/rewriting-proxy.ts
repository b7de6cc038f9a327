import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Platform, Remote } from "./platform";

const started: Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) server.close();
});

/** The emulator behind an address of its own, where every deployment in a response is rewritten first. */
export async function startRewritingFront(
  platform: Platform,
  rewrite: (deployment: Remote) => unknown,
  /** The whole body of a response, by the request's path and query. */
  { respond = (_url: string, text: string) => text } = {},
): Promise<Pick<Platform, "clock" | "url">> {
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { method = "GET", url = "", headers } = incoming;
    const { host: _, connection: __, "content-length": ___, ...kept } = headers;
    const body = parts.length === 0 ? null : Buffer.concat(parts);
    const send = () => fetch(platform.url + url, { method, headers: kept as Record<string, string>, body });
    const answer = await send().catch(() => undefined);
    if (!answer) return void incoming.socket.destroy();
    const text = await answer.text();
    const date = answer.headers.get("date");
    outgoing.writeHead(answer.status, { "content-type": "application/json", ...(date && { date }) });
    outgoing.end(url.startsWith("/v2/deployments") && text !== "" ? rewritten(text, rewrite) : respond(url, text));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  started.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock: platform.clock };
}

function rewritten(text: string, rewrite: (deployment: Remote) => unknown): string {
  const json = JSON.parse(text);
  for (const one of [json, ...(json.resources ?? [])]) if (one?.source_config) rewrite(one);
  return JSON.stringify(json);
}
