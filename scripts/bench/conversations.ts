/**
 * `npm run bench -- --conversations`: a backup, a restore and a comparison of published servers, and loops of single
 * requests.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureServer, type InstalledServer, withServer } from "../record/servers.ts";
import { ROOT } from "../setup/paths.mjs";
import type { Figure } from "./figures.ts";

const TURNS = 7;
/** Concurrent requests while threads are created. */
const WRITERS = 6;
const POLL_MS = 50;
/** Seconds for 1,000 threads, and megabytes at any number. */
const TARGETS = { backup: 15, restore: 45, verify: 12 };
const MOST_MEGABYTES = 80;

interface Tools {
  node: string;
  env: NodeJS.ProcessEnv;
}

/** @param count Threads. */
export async function conversationFigures({ node, env }: Tools, count: number, now: (status: string) => void) {
  const figures: Figure[] = [];
  for (const kind of ["python", "javascript"] as const) {
    const home = await ensureServer(kind, undefined, env);
    const server: InstalledServer = { kind, home, env, graphSet: "conversations" };
    const measure = (from: string) =>
      withServer(server, (to) => measureMove({ node, env, kind, from, to, count, now }));
    figures.push(...(await withServer(server, measure)));
  }
  return figures;
}

interface Move extends Tools {
  kind: string;
  from: string;
  to: string;
  count: number;
  now: (status: string) => void;
}

async function measureMove({ node, env, kind, from, to, count, now }: Move): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-bench-"));
  const run = (name: string, ...args: string[]) => {
    now(`${kind}: ${name}`);
    const child = spawn(node, [join(ROOT, "dist/cli/main.js"), name, ...args], { cwd: folder, env, stdio: "ignore" });
    return measureChild(child);
  };
  try {
    now(`${kind}: creating ${count} threads`);
    const ids = await seed(from, count);
    const single = await loops(from, to, ids);
    const commands = {
      backup: await run("backup", "--url", from, "--to", "backup"),
      restore: await run("restore", "--from", "backup", "--url", to),
      verify: await run("verify", "--from", "backup", "--url", to),
    };
    const figures = Object.entries(commands).flatMap(([name, { seconds, megabytes }]): Figure[] => {
      const loop = single[name as keyof typeof single];
      const what = `${name} (${kind})`;
      const how = `${count} threads of ${TURNS * 3} checkpoints; a loop of single requests takes ${loop.toFixed(1)} s`;
      const most = (TARGETS[name as keyof typeof TARGETS] * count) / 1000;
      return [
        { what, unit: "s", most, measured: seconds, how },
        { what: `${what}, memory`, unit: "MB", most: MOST_MEGABYTES, measured: megabytes, how: "most resident memory" },
      ];
    });
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the time of a command, and its most resident memory as far as the system shows it. */
async function measureChild(child: ChildProcess) {
  const begin = performance.now();
  let megabytes = 0;
  const look = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  };
  const timer = setInterval(() => void look(), POLL_MS);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  if (code !== 0) throw new Error(`A command ended with exit code ${code}.`);
  return { seconds: (performance.now() - begin) / 1000, megabytes };
}

async function seed(url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  async function write() {
    for (let n = next++; n < count; n = next++) {
      const body = { metadata: { graph_id: "chat" }, supersteps: superstepsOf(n) };
      ids[n] = (await post<{ thread_id: string }>(`${url}/threads`, body)).thread_id;
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write));
  return ids;
}

/** Measures what one request after the other takes for the same: no line is repeated, and nothing is compared. */
async function loops(from: string, to: string, ids: readonly string[]) {
  const read = (url: string, id: string) => post(`${url}/threads/${id}/history`, { limit: 1000 });
  const write = async (n: number) => {
    const body = { metadata: { graph_id: "chat" }, supersteps: superstepsOf(n) };
    const { thread_id: id } = await post<{ thread_id: string }>(`${to}/threads`, body);
    await read(to, id);
    await fetch(`${to}/threads/${id}`, { method: "DELETE" });
  };
  return {
    backup: await time(() => inTurn(ids, (id) => read(from, id))),
    restore: await time(() => inTurn(ids, (_, n) => write(n))),
    verify: await time(() => inTurn(ids, (id) => read(from, id))),
  };
}

async function inTurn(ids: readonly string[], handle: (id: string, n: number) => Promise<unknown>): Promise<void> {
  for (const [n, id] of ids.entries()) await handle(id, n);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

const superstepsOf = (n: number) =>
  Array.from({ length: TURNS }, (_, turn) => {
    const message = (role: string) => ({ role, content: `${role} ${n}.${turn}`, id: `${role}${turn}` });
    const asked = { messages: [message("user")] };
    const answered = { messages: [message("assistant")], total: 1, last: String(turn) };
    return [
      { updates: [{ as_node: "__input__", values: asked }] },
      { updates: [{ as_node: "__start__", values: asked }] },
      { updates: [{ as_node: "reply", values: answered }] },
    ];
  }).flat();

async function post<T>(url: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json", connection: "close" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
