import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A third-party S3 server that stores objects as plain files below `folder`: `<bucket>/<key>`. */
export interface ForeignBucket {
  /** Supports the path style; `http://localhost:<port>` supports both styles. */
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  folder: string;
  createBucket(name: string): void;
  stop(): Promise<void>;
}

/**
 * Describes tests that need the third-party server. If it is unavailable, they are skipped with a warning, or fail if
 * CI is set. The first use builds the server in about 90 s; the set-up caches it.
 */
export function describeWithForeignBucket(name: string, tests: () => void): void {
  if (serverPath() === undefined) describe.skip(name, tests);
  else describe(name, tests);
}

/** Starts a server on a free port, and waits until it responds. */
export async function startForeignBucket(): Promise<ForeignBucket> {
  const path = serverPath();
  if (path === undefined) throw new Error("versitygw is not available: see the warning above");
  const home = mkdtempSync(join(tmpdir(), "foreign-bucket-"));
  const [folder, meta] = [join(home, "buckets"), join(home, "meta")];
  for (const part of [folder, meta]) mkdirSync(part);
  const port = await freePort();
  const [accessKeyId, secretAccessKey] = ["foreign", randomBytes(15).toString("hex")];
  const args = ["--quiet", "--port", `127.0.0.1:${port}`, "--virtual-domain", `localhost:${port}`];
  const child = spawn(path, [...args, "posix", "--sidecar", meta, folder], {
    env: { ...process.env, ROOT_ACCESS_KEY_ID: accessKeyId, ROOT_SECRET_ACCESS_KEY: secretAccessKey },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReachable(url, child);
  return {
    url,
    accessKeyId,
    secretAccessKey,
    folder,
    createBucket: (name) => mkdirSync(join(folder, name)),
    async stop() {
      if (child.exitCode === null && child.kill()) await once(child, "exit");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

let cachedPath: { path: string | undefined } | undefined;

/** Returns the path of the server, which is built unless it is cached; undefined if it is unavailable. */
function serverPath(): string | undefined {
  cachedPath ??= { path: installServer() };
  return cachedPath.path;
}

function installServer(): string | undefined {
  try {
    const script = resolve(__dirname, "../../../../scripts/run.mjs");
    const stdout = execFileSync(process.execPath, [script, "tool", "versitygw"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return stdout.trim().split("\n").at(-1);
  } catch (error) {
    if (process.env.CI) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    console.warn(`SKIPPED: tests with a third-party S3 server, which is not available here.\n${reason}`);
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

async function waitUntilReachable(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (child.exitCode === null && Date.now() < deadline) {
    if (await fetch(url).catch(() => undefined)) return;
    await sleep(25);
  }
  child.kill();
  throw new Error(`versitygw did not respond at ${url}`);
}
