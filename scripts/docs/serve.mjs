/** Serves the website on this machine. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { Problem } from "../setup/problem.mjs";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Prints the address. Requests wait until `isBuilt()` is called, and the server ends with the process. */
export async function serve(folder, base, port) {
  const { promise: built, resolve: isBuilt } = Promise.withResolvers();
  const server = createServer(async ({ url }, response) => {
    await built;
    const { pathname } = new URL(url, "http://127.0.0.1");
    const path = normalize(decodeURIComponent(pathname)).replace(base, "/");
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const content = await readFile(file).catch(() => undefined);
    response.writeHead(content ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "text/plain" });
    response.end(content ?? (await readFile(join(folder, "404.html"))));
  });
  await new Promise((resolve, reject) => {
    server.once("error", () => reject(new Problem(`Port ${port} is in use. Choose another one with --port.`)));
    server.listen(port, "127.0.0.1", resolve);
  });
  console.log(
    `http://127.0.0.1:${server.address().port}${base} shows the website as soon as it is built. Ctrl-C ends it.`,
  );
  return { isBuilt };
}
