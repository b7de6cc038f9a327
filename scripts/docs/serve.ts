/** Serves the website on this machine. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { Problem } from "../setup/problem.mjs";

const TYPES: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/**
 * Prints the address, and then builds the website. Requests wait for it, and the server ends with the process.
 * @throws Problem if the port cannot be used, and what `build` throws
 */
export async function serve(folder: string, base: string, port: string, build: () => Promise<void>) {
  let built: Promise<void> | undefined;
  const server = createServer(async ({ url = "" }, response) => {
    await built;
    const path = pathOf(url, base);
    const content = path && (await readFile(join(folder, path)).catch(() => undefined));
    const shown = (content && path) ?? "404.html";
    response.writeHead(content ? 200 : 404, { "content-type": TYPES[extname(shown)] ?? "text/plain" });
    response.end(content ?? (await readFile(join(folder, shown))));
  });
  await listen(server, port);
  console.log(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}${base} shows the website as soon as it is ` +
      "built. Ctrl-C ends it.",
  );
  built = build();
  try {
    await built;
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
}

/** Returns the path of a file in the website, or nothing if the URL is malformed. */
function pathOf(url: string, base: string): string | undefined {
  try {
    const path = normalize(decodeURIComponent(new URL(url, "http://127.0.0.1").pathname)).replace(base, "/");
    return path.endsWith("/") ? `${path}index.html` : path;
  } catch {
    return undefined;
  }
}

async function listen(server: Server, port: string) {
  const number = Number(port);
  if (!Number.isInteger(number) || number < 0 || number > 65535) throw new Problem(`"${port}" is not a valid port.`);
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      const reason = code === "EADDRINUSE" ? "is in use" : `cannot be used (${code})`;
      reject(new Problem(`Port ${port} ${reason}. Choose another one with --port.`));
    });
    server.listen(number, "127.0.0.1", resolve);
  });
}
