/** Your agent in the quickstart: `npm run up -- --agent <folder> --start <command>`. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PRIVATE } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";

const EXAMPLE = 'npm run up -- --agent ./my-agent --start "node server.js --port {port}"';

export const agentOptions = {
  agent: { type: "string", form: "<folder>", meaning: "folder of your own agent, which the emulator then runs" },
  start: { type: "string", form: "<command>", meaning: "command that starts it, with {port} for its port" },
  timeout: { type: "string", form: "<seconds>", meaning: "time in which it has to become healthy (default: 120)" },
  graph: {
    type: "string",
    form: "<id>",
    meaning: "its graph, for the assistant and the thread (default: the first one in its agentgraph.json)",
  },
};

/**
 * Returns the options of the emulator that run the agent, its graph, and the command of this run; `graph` is empty if
 * it is not known.
 * @returns {Promise<{ options: string[], graph: string, command: string } | undefined>} undefined without an own agent
 */
export async function readAgent(values) {
  const { agent, start, timeout, graph } = values;
  if (Object.values(values).every((value) => value === undefined)) return undefined;
  if (!agent || !start) throw new Problem(`--agent and --start are used together: \`${EXAMPLE}\`.`);
  // npm runs scripts in the folder of package.json.
  const folder = resolve(process.env.INIT_CWD ?? ".", agent);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Problem(`The folder ${folder} does not exist. Set --agent to the folder of your agent.`);
  if (timeout !== undefined && !(Number(timeout) > 0)) {
    throw new Problem(`"${timeout}" is not a valid timeout. Use a number of seconds, for example --timeout 30.`);
  }
  const options = ["--agent", folder, "--start", start, ...(timeout === undefined ? [] : ["--timeout", timeout])];
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quote(value)],
  );
  return { options, graph: graph ?? (await firstGraph(folder)), command: ["npm run up --", ...given].join(" ") };
}

/** Writes a word for a shell. */
const quote = (word) => (/^[\w./:=-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, "\\$&")}"`);

async function firstGraph(folder) {
  const text = await readFile(join(folder, "agentgraph.json"), "utf8").catch(() => "{}");
  try {
    return Object.keys(JSON.parse(text).graphs ?? {})[0] ?? "";
  } catch {
    throw new Problem(`${join(folder, "agentgraph.json")} is not valid JSON. Correct it, or set --graph.`);
  }
}

const OPTIONS_FILE = join(PRIVATE, "agent.json");

/** Returns the options of the last run with an own agent, until a run without one has succeeded. */
export async function storedOptions() {
  return JSON.parse(await readFile(OPTIONS_FILE, "utf8").catch(() => "[]"));
}

export async function storeOptions(options) {
  await mkdir(PRIVATE, { recursive: true });
  await writeFile(OPTIONS_FILE, JSON.stringify(options));
}
