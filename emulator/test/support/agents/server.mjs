// An agent server whose behavior the environment selects.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const { PORT, MODE = "", VERSION = "1", SECRET = "" } = process.env;
const modes = MODE.split(",");
const has = (mode) => modes.includes(mode);
/** How many times the health was requested. */
let looks = 0;

console.log(`starting version ${VERSION}`);
if (has("exit")) {
  console.error("cannot start: no model");
  process.exit(3);
}
if (has("throw")) throw new Error("no database");
if (has("taken"))
  createServer().listen(0, "127.0.0.1", function () {
    createServer().listen(this.address().port, "127.0.0.1");
  });
if (has("stderr"))
  console.error(
    "INFO:     Started server\n127.0.0.1 - - \"GET / HTTP/1.1\" 200 -\n2026-11-26 WARN: slow\nKeyError: 'MODEL'",
  );
/** A server in another session, as one that someone else started: it listens at the port of the agent. */
const squat = () => {
  const code = `const server = require("http").createServer((_, response) => response.end("{}"));
    server.listen(${PORT}, "127.0.0.1", () => console.log("ready")); setTimeout(() => process.exit(), 10_000);`;
  return spawn(process.execPath, ["-e", code], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
};
if (has("squatted")) squat();
/** Another program has the port of the first start. The file says that it was the first. */
const isFirst = process.env.FIRST_START !== undefined && !existsSync(process.env.FIRST_START);
if (isFirst) writeFileSync(process.env.FIRST_START, PORT);
if (has("leak")) console.log(`the key is ${SECRET}`);
if (has("ignore-sigterm")) process.on("SIGTERM", () => {});
if (has("fork")) {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
  console.log(`child ${child.pid}`);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://agent");
  if (has("log")) console.log(`127.0.0.1 - "${request.method} ${request.url} HTTP/1.1"`);
  if (request.headers["x-own"]) console.log(`x-own: ${request.headers["x-own"]}`);
  if (url.pathname === "/ok" && has("unhealthy")) return response.writeHead(503).end('{"ok": false}');
  if (url.pathname === "/ok") return response.writeHead(has("late") && looks++ < 2 ? 503 : 200).end("{}");
  if (url.pathname === "/assistants/search")
    return response.end('[{"graph_id":"support"},{"graph_id":"support"},{"graph_id":"sales"}]');
  if (url.pathname === "/hand-over") {
    server.close();
    squat().stdout.once("data", () => response.end("{}"));
    return;
  }
  if (url.pathname === "/crash") process.exit(7);
  if (url.pathname === "/page") {
    const ofOrigin = { "service-worker-allowed": "/", "clear-site-data": '"*"' };
    const shared = { "access-control-allow-origin": "*", "access-control-allow-methods": "*" };
    const headers = { "content-type": "text/html", "content-security-policy": "default-src 'self'", "x-own": "1" };
    return response.writeHead(200, { ...headers, ...ofOrigin, ...shared }).end("<script>fetch('/_emulator')</script>");
  }
  if (url.pathname === "/wait") {
    response.write("begin ");
    process.once("SIGUSR2", () => response.end(`end ${VERSION}`));
    return;
  }
  if (url.pathname === "/lines") {
    let line = 0;
    const print = () => {
      while (line < Number(process.env.LINES)) if (!process.stdout.write(`line ${++line}\n`)) return;
      process.stdout.off("drain", print);
      response.end(JSON.stringify({ version: VERSION }));
    };
    process.stdout.on("drain", print);
    return print();
  }
  if (url.pathname === "/environment") return response.end(JSON.stringify(process.env));
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString();
    const { method, url: path, headers } = request;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ version: VERSION, pid: process.pid, method, path, headers, body }));
  });
});
server.on("upgrade", (request, socket) => {
  const key = request.headers["sec-websocket-key"] ?? "";
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
      `${accept}\r\n\r\n`,
  );
  socket.pipe(socket);
});
const listen = () => server.listen(has("other-port") ? 0 : Number(PORT), "127.0.0.1");
if (isFirst) createServer().listen(Number(PORT), "127.0.0.1", listen);
else if (has("late")) setTimeout(listen, 300);
else if (has("silent") || has("taken") || has("squatted")) setInterval(() => {}, 1000);
else listen();
