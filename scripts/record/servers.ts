/** Installs and starts the published agent servers with the graphs that are recorded. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { digestOf, inCache } from "../setup/cache.mjs";
import { PLATFORM, ROOT, toolchainOf, which } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";
import { installLocked } from "../tools/npm-packages.ts";

export type ServerKind = "python" | "javascript";

/** In place of a version: whatever is published. */
const NEWEST = "newest";
const CONVERSATIONS = [
  ...["chat", "trim", "steps", "wide", "loop", "fan", "hop", "sent", "ask", "two", "sub", "deep", "each"],
  ...["mem2", "memask", "nested", "mem", "fail", "brk", "func"],
];
const RECORDED = ["echo", "counter", "interrupt", "failing", "subgraph", "memory"];
const CONTEXTS = ["support", "plain", "recursive", "bare"];
/** The graphs that are recorded, those whose conversations are moved, and those with contexts, by file. */
const GRAPHS = {
  python: { graphs: RECORDED, conversations: CONVERSATIONS, contexts: [...CONTEXTS, "typed", "configured"] },
  javascript: { graphs: RECORDED, conversations: CONVERSATIONS, contexts: CONTEXTS },
};
export type GraphSet = keyof typeof GRAPHS.python;
const MAX_START_SECONDS = 120;
/** Characters of its output that an error shows. */
const MAX_OUTPUT = 2000;

interface PublishedServer {
  /** The package whose version names the recording. */
  packageName: string;
  ending: string;
  authentication: string;
  configuration: object;
  /** Installs the locked versions, or this version of the package with whatever it requires. */
  install(draft: string, version: string | undefined, env: NodeJS.ProcessEnv): Promise<unknown>;
  /** The program and its first arguments. */
  command(home: string): string[];
  /** By package. */
  versions(home: string): Promise<Record<string, string>>;
}

export const SERVERS: Record<ServerKind, PublishedServer> = {
  python: {
    packageName: "langgraph-api",
    ending: ".py",
    authentication: "auth.py",
    configuration: { dependencies: ["."] },
    install: installPython,
    // As a module: the programs of the environment contain the path where it was created.
    command: (home) => [join(home, "bin", "python"), "-m", "langgraph_cli", "dev", "--no-reload"],
    versions: versionsOfPython,
  },
  javascript: {
    packageName: "@langchain/langgraph-api",
    ending: ".mjs",
    authentication: "auth.mjs",
    configuration: { node_version: "22" },
    install: installJavascript,
    // Before 1.5, it cannot start without watching files.
    command: (home) => [join(home, "node_modules", ".bin", "langgraphjs"), "dev"],
    versions: versionsOfJavascript,
  },
};

const lockFolder = (kind: ServerKind) => toolchainOf(`agent-server-${kind}`);

export async function ensureServer(kind: ServerKind, version: string | undefined, env: NodeJS.ProcessEnv) {
  const lock = kind === "python" ? "requirements.txt" : "package-lock.json";
  const digest = await digestOf(join(lockFolder(kind), lock));
  // The newest version changes, so it is installed once a day.
  const day = version === NEWEST ? new Date().toISOString().slice(0, 10) : "";
  const name = `agent-server-${kind}-${version ? version + day : digest}-${PLATFORM}`;
  const title = `Agent server (${kind})`;
  return inCache(name, title, (draft: string) =>
    step(title, "installing it (once)", () => SERVERS[kind].install(draft, version, env)),
  );
}

async function installPython(draft: string, version: string | undefined, env: NodeJS.ProcessEnv) {
  const python = which("python3", env);
  if (!python) throw new Problem("The agent server in Python requires Python 3.11 or newer on PATH.");
  const failed = "pip could not install the agent server in Python";
  await run(python, ["-m", "venv", draft], { env, failed });
  const what = version
    ? ["langgraph-cli[inmem]", version === NEWEST ? "langgraph-api" : `langgraph-api==${version}`]
    : ["--no-deps", "--requirement", join(lockFolder("python"), "requirements.txt")];
  await run(join(draft, "bin", "python"), ["-m", "pip", "install", "--quiet", ...what], { env, failed });
}

async function installJavascript(draft: string, version: string | undefined, env: NodeJS.ProcessEnv) {
  const what = "the agent server in JavaScript";
  await installLocked(what, lockFolder("javascript"), draft, env);
  if (!version) return;
  const name = `@langchain/langgraph-cli@${version === NEWEST ? "latest" : version}`;
  const args = ["install", name, "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", args, { cwd: draft, env, failed: `npm could not install ${what}` });
}

async function versionsOfPython(home: string) {
  const [lib = ""] = await readdir(join(home, "lib"));
  const names = await readdir(join(home, "lib", lib, "site-packages"));
  const info = names.flatMap((name) => {
    const [, project = "", version = ""] = /^(.+)-([^-]+)\.dist-info$/.exec(name) ?? [];
    return /^langgraph(_api|_cli|_runtime_inmem)?$/.test(project) ? [[project.replaceAll("_", "-"), version]] : [];
  });
  return Object.fromEntries(info.sort());
}

async function versionsOfJavascript(home: string) {
  const names = ["@langchain/langgraph", "@langchain/langgraph-api", "@langchain/langgraph-cli"];
  const read = async (name: string) => {
    return [name, JSON.parse(await readFile(join(home, "node_modules", name, "package.json"), "utf8")).version];
  };
  return Object.fromEntries(await Promise.all(names.map(read)));
}

export interface InstalledServer {
  kind: ServerKind;
  home: string;
  env: NodeJS.ProcessEnv;
  isAuthenticated?: boolean;
  /** Default: those that are recorded. */
  graphSet?: GraphSet | undefined;
}

/** Ports that are tried: another program may take one before the server listens. */
const MAX_PORTS = 3;

/** Starts a server in a new folder, runs `use` with its origin, and ends it. */
export async function withServer<T>(server: InstalledServer, use: (origin: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const attempt = await tryServer(server, use);
    if ("done" in attempt) return attempt.done;
    if (!/address already in use|EADDRINUSE/i.test(attempt.output) || tries >= MAX_PORTS)
      throw new Problem(`The agent server did not start within ${MAX_START_SECONDS} s. It printed:\n${attempt.output}`);
  }
}

/** Returns the result of `use`, or what the server printed when it did not start. */
async function tryServer<T>(
  { kind, home, env, isAuthenticated = false, graphSet }: InstalledServer,
  use: (origin: string) => Promise<T>,
): Promise<{ done: T } | { output: string }> {
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-record-"));
  const port = await freePort();
  const { start, environment } = await writeProject(folder, { kind, home, isAuthenticated, graphSet }, String(port));
  const [program = "", ...args] = start;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const keep = (part: Buffer) => {
    output = (output + part).slice(-MAX_OUTPUT);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
  };
  // A signal ends this process (setup/run.mjs), and the server has its own process group.
  process.once("exit", stop);
  try {
    const origin = `http://127.0.0.1:${port}`;
    const isReady = await waitUntilReady(origin, () => child.exitCode !== null);
    return isReady ? { done: await use(origin) } : { output };
  } finally {
    process.off("exit", stop);
    stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Writes the graphs and their configuration into a folder. Returns its start command, with its variables. */
export async function writeProject(
  folder: string,
  { kind, home, isAuthenticated = false, graphSet = "graphs" }: Omit<InstalledServer, "env">,
  port: string,
) {
  const { ending, authentication, configuration, command } = SERVERS[kind];
  const graphs = graphSet + ending;
  await mkdir(folder, { recursive: true });
  const files = [graphs, ...(isAuthenticated ? [authentication] : [])];
  for (const file of files) await cp(join(ROOT, "scripts", "record", "graphs", file), join(folder, file));
  const paths = Object.fromEntries(GRAPHS[kind][graphSet].map((name) => [name, `./${graphs}:${name}`]));
  const auth = isAuthenticated && { auth: { path: `./${authentication}:auth` } };
  const settings = { ...configuration, graphs: paths, env: {}, ...auth };
  await writeFile(join(folder, "langgraph.json"), JSON.stringify(settings));
  // Node loads the graphs as modules.
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  if (kind === "javascript") await symlink(join(home, "node_modules"), join(folder, "node_modules"));
  return {
    start: [...command(home), "--no-browser", "--host", "127.0.0.1", "--port", port],
    environment: { LANGSMITH_TRACING: "false", LANGGRAPH_CLI_NO_ANALYTICS: "1" },
  };
}

async function waitUntilReady(origin: string, hasEnded: () => boolean): Promise<boolean> {
  for (let seconds = 0; seconds < MAX_START_SECONDS && !hasEnded(); seconds += 0.5) {
    const isReady = await fetch(`${origin}/ok`).then(
      // One of the servers authenticates this request as well.
      ({ ok, status }) => ok || status === 401,
      () => false,
    );
    if (isReady) return true;
    await setTimeout(500);
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}
