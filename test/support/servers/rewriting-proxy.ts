import { createServer } from "node:http";
import type { Platform, RemoteObject } from "../platform";
import { listen } from "./listen";

/** Starts a proxy in front of the emulator that rewrites every deployment in a response. */
export async function startRewritingProxy(
  platform: Platform,
  rewrite: (deployment: RemoteObject) => unknown,
  /**
   * Rewrites the whole body of a response, by the request's path and query; or these themselves, before they are
   * forwarded.
   */
  {
    respond = (_url: string, text: string): string | Promise<string> => text,
    forward = (url: string) => url,
    /** Returns a page that is the response in place of the emulator's. */
    page = (_url: string): { status: number; text: string } | undefined => undefined,
    /** Whether a request gets no response. */
    isIgnored = (_url: string): boolean => false,
  } = {},
): Promise<Pick<Platform, "clock" | "url">> {
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { method = "GET", url = "", headers } = incoming;
    if (isIgnored(url)) return;
    const found = page(url);
    if (found) return void outgoing.writeHead(found.status, { "content-type": "text/html" }).end(found.text);
    const { host: _, connection: __, "content-length": ___, ...forwardedHeaders } = headers;
    const body = parts.length === 0 ? null : Buffer.concat(parts);
    const send = () =>
      fetch(platform.url + forward(url), { method, headers: forwardedHeaders as Record<string, string>, body });
    const response = await send().catch(() => undefined);
    if (!response) return void incoming.socket.destroy();
    const text = await response.text();
    const date = response.headers.get("date");
    outgoing.writeHead(response.status, { "content-type": "application/json", ...(date && { date }) });
    outgoing.end(
      url.startsWith("/v2/deployments") && text !== "" ? rewriteDeployments(text, rewrite) : await respond(url, text),
    );
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, clock: platform.clock };
}

function rewriteDeployments(text: string, rewrite: (deployment: RemoteObject) => unknown): string {
  const json = JSON.parse(text);
  for (const one of [json, ...(json.resources ?? [])]) if (one?.source_config) rewrite(one);
  return JSON.stringify(json);
}
