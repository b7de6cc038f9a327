/**
 * `npm run record`: records what a published agent server responds to the requests of the recording of the server in
 * Python, in test/recordings/, or how its conversations are read and written again, in test/recordings/conversations/.
 */
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { environment } from "../setup/environment.mjs";
import { ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import type { OptionsOf } from "../tools/options.ts";
import { byVersion, type Exchange, exchange, type RecordingHeader, type Step, usesRefused } from "./exchange.ts";
import { Names } from "./names.ts";
import { ensureServer, SERVERS, type ServerKind, withServer, writeProject } from "./servers.ts";

export const usage = {
  command: "npm run record",
  summary: "Records what a published agent server responds to the requests of test/recordings.",
  options: {
    server: { type: "string", form: "NAME", meaning: "python or javascript" },
    version: { type: "string", form: "X", meaning: "a version, or newest, in place of the locked one in toolchain/" },
    graphs: {
      type: "string",
      form: "NAME",
      meaning:
        "graphs, the default; conversations: those whose threads are moved between two servers; contexts: " +
        "those whose schemas become types",
    },
    authenticated: { type: "boolean", meaning: "with --serve: the server authenticates users" },
    serve: { type: "boolean", meaning: "record nothing: print the server's URL, and run it until the input ends" },
    folder: {
      type: "string",
      form: "FOLDER",
      meaning: "record nothing: write the served project there, print its start command for the emulator's --agents",
    },
  },
} as const;

const FOLDER = join(ROOT, "test", "recordings");
const POLL_MS = 100;
const MAX_POLLS = 300;

export async function main(options: OptionsOf<typeof usage>) {
  const { server = "", version, serve = false, folder, graphs = "graphs", authenticated = false } = options;
  if (server !== "python" && server !== "javascript") throw new Problem("Add --server python or --server javascript.");
  if (graphs !== "graphs" && graphs !== "conversations" && graphs !== "contexts")
    throw new Problem("--graphs is graphs, conversations or contexts.");
  const env = environment([]);
  const home = await ensureServer(server, version, env);
  const served = { kind: server, home, env, graphSet: graphs } as const;
  if (serve) return withServer({ ...served, isAuthenticated: authenticated }, serveUntilInputEnds);
  if (folder !== undefined) {
    const command = await writeProject(folder, { kind: server, home }, "{port}");
    return console.log(JSON.stringify({ folder, ...command }));
  }
  const versions = await SERVERS[server].versions(home);
  const header: RecordingHeader = { server, versions, recorded: new Date().toISOString().slice(0, 10) };
  if (graphs === "conversations") {
    const { recordConversations } = await import("./conversations.ts");
    const all = await recordConversations(server === "python", (use) => withServer(served, use));
    return write(join("conversations", fileName(server, versions)), [header, ...all]);
  }
  if (graphs === "contexts") {
    const all = await withServer(served, recordSchemas);
    return writeSchemas(fileName(server, versions).replace("jsonl", "json"), header, all);
  }
  const steps = await readSteps();
  const names = new Names(JSON.stringify(steps.map(({ request, written = request }) => written)));
  const recordSteps = (isAuthenticated: boolean) => {
    const sent = steps.filter(({ authenticated = false }) => authenticated === isAuthenticated);
    return withServer({ ...served, isAuthenticated }, (origin) => record(origin, names, sent));
  };
  const exchanges = [...(await recordSteps(false)), ...(await recordSteps(true))];
  const lost = steps.filter((step) => !exchanges.some(({ name }) => name === step.name)).map(({ name }) => name);
  // Its recording is the only text of the requests.
  if (server === "python" && lost.length > 0)
    throw new Problem(`Nothing is written: these requests name what the server has refused: ${lost.join(", ")}.`);
  await write(fileName(server, versions), [header, ...exchanges]);
}

/** Returns the schemas of each graph's context; of a graph without one, the status of the response. */
async function recordSchemas(origin: string): Promise<object[]> {
  const call = (path: string, init: RequestInit = {}) => fetch(origin + path, init);
  const headers = { "content-type": "application/json" };
  const found = await call("/assistants/search", { method: "POST", headers, body: JSON.stringify({ limit: 100 }) });
  const assistants = (await found.json()) as { assistant_id: string; graph_id: string }[];
  const responses = assistants.map(async ({ assistant_id: id, graph_id }) => {
    const response = await call(`/assistants/${id}/schemas`);
    if (!response.ok) return { graph_id, status: response.status };
    const { context_schema, config_schema } = (await response.json()) as Record<string, unknown>;
    return { graph_id, context_schema, config_schema };
  });
  return (await Promise.all(responses)).sort((a, b) => (a.graph_id < b.graph_id ? -1 : 1));
}

/** Writes a file that `agentgraph types` reads. */
async function writeSchemas(name: string, header: RecordingHeader, graphs: readonly object[]): Promise<void> {
  const file = join(FOLDER, "contexts", name);
  const lines = graphs.map((graph) => JSON.stringify(graph)).join(",\n");
  const start = JSON.stringify({ ...header, graphs: [] }).slice(0, -"]}".length);
  await writeFile(file, `${start}\n${lines}\n]}\n`);
  console.log(`${graphs.length} graphs are in ${file}.`);
}

async function write(name: string, [header, ...entries]: readonly object[]): Promise<void> {
  const file = join(FOLDER, name);
  const lines = [header, ...entries].map((line) => JSON.stringify(line));
  await writeFile(file, `${lines.join("\n")}\n`);
  console.log(`${entries.length} entries are in ${file}.`);
}

async function serveUntilInputEnds(origin: string): Promise<void> {
  console.log(origin);
  await once(process.stdin.resume(), "end");
}

const fileName = (server: ServerKind, versions: Record<string, string>) =>
  `${server}-${versions[SERVERS[server].packageName]}.jsonl`;

/** Returns the requests to the newest server in Python, which has all features; those to others are some of these. */
async function readSteps(): Promise<Step[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^python-.*\.jsonl$/.test(file)).sort(byVersion);
  const [, ...lines] = (await readFile(join(FOLDER, files.at(-1) ?? ""), "utf8")).trimEnd().split("\n");
  return lines.map((line): Step => {
    const { response: _, ...step } = JSON.parse(line);
    return step;
  });
}

async function record(origin: string, names: Names, steps: readonly Step[]): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const step of steps) {
    if (usesRefused(step, exchanges)) continue;
    await prepare(origin, step);
    const { request: recorded, written: sent = recorded, ...about } = step;
    const resolved = names.resolve(sent);
    const { body: content, ...head } = await exchange(origin, resolved, step.until);
    const named = content !== undefined && { body: names.define(origin, step.name, content) };
    const response = { ...head, headers: names.define(origin, step.name, head.headers), ...named };
    const request = names.define(origin, step.name, resolved);
    const written = !isDeepStrictEqual(request, sent) && { written: sent };
    exchanges.push({ ...about, ...written, request, response });
  }
  return exchanges;
}

async function prepare(origin: string, { settle, wait = 0 }: Step) {
  await setTimeout(wait * 1000);
  for (let polls = 0; settle !== undefined && polls < MAX_POLLS; polls++) {
    const { body } = await exchange(origin, { method: "GET", path: `/threads/${settle}` });
    if ((body as { status?: string }).status !== "busy") return;
    await setTimeout(POLL_MS);
  }
}
