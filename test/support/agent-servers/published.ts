/** The published agent servers, which anybody can install, as separate processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { PropertyMap } from "../../../provider/schema/schema";

const ROOT = resolve(__dirname, "../../..");

export const SERVERS = ["python", "javascript"] as const;
export type ServerKind = (typeof SERVERS)[number];

export interface PublishedServer {
  url: string;
  /** @param user Of a server that authenticates users. */
  call<T = PropertyMap>(
    method: string,
    path: string,
    body?: unknown,
    user?: string,
  ): Promise<{ status: number; body: T }>;
  stop(): Promise<void>;
}

/**
 * Starts a server with the graphs of the recordings, or others. Installs it unless it is cached.
 * @param isAuthenticated Whether it authenticates users, by their names.
 */
export async function startPublished(
  kind: ServerKind,
  graphs = "graphs",
  isAuthenticated = false,
): Promise<PublishedServer> {
  const script = join(ROOT, "scripts/run.mjs");
  // It ends with this process, at the end of a run: nothing is left behind.
  const { TEST_RUN_ID: _, NODE_COMPILE_CACHE: __, NODE_OPTIONS: ___, ...env } = process.env;
  const version = env.AGENT_SERVERS === "newest" ? ["--version", "newest"] : [];
  const args = [
    ...[script, "record"],
    ...["--server", kind, "--serve", "--graphs", graphs],
    ...version,
    ...(isAuthenticated ? ["--authenticated"] : []),
  ];
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const url = await urlFrom(child);
  // It does not keep a worker of Jest alive, and ends with it.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as Socket | null)?.unref();
  return {
    url,
    async call(method, path, body, user) {
      // A server closes an idle connection just when the next request is sent.
      const authorization = user !== undefined && { authorization: `Bearer ${user}` };
      const headers = {
        connection: "close",
        ...authorization,
        ...(body !== undefined && { "content-type": "application/json" }),
      };
      const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
      const text = await response.text();
      return { status: response.status, body: parse(text) as never };
    },
    async stop() {
      child.stdin?.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function urlFrom({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("the server has no output");
  for await (const line of createInterface({ input: stdout })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+$/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error("the server did not start");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
