import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isNode, LineCounter, parseDocument } from "yaml";
import { UsageError } from "../errors";
import { closestMatch } from "../text/did-you-mean";
import * as v from "../validation/schema";
import { Validator } from "../validation/validator";
import { neutralTerms, Vocabulary } from "../validation/vocabulary";
import {
  type AgentCommands,
  type AgentsSettings,
  type Command,
  describeCommand,
  placeholderNames,
  splitWords,
} from "./commands";
import { programsIn } from "./shell-programs";

const sources = ["githost", "external_docker", "internal_docker", "internal_source", "internal_template"] as const;

const command = v.any();
const seconds = <const D extends number>(value: D) => v.withDefault(v.number({ minimum: 0, maximum: 86_400 }), value);

const timeouts = v.object("Timeouts", {
  clone: seconds(600),
  install: seconds(600),
  build: seconds(600),
  start: seconds(120),
  drain: seconds(30),
  stop: seconds(10),
});

const restart = v.object("Restart", { pause: seconds(1), longest: seconds(60) });

const entry = v.object("Agent", {
  source: v.any(),
  name: v.withDefault(v.string({ minLength: 1 }), "*"),
  install: command,
  build: command,
  start: v.required(command),
  shell: v.withDefault(v.boolean(), false),
  folder: v.string({ minLength: 1 }),
  environment: v.withDefault(v.map(v.string()), {}),
  inherit: v.withDefault(v.list(v.string({ minLength: 1 })), []),
  timeouts: v.withDefault(timeouts, {}),
  restart: v.withDefault(restart, {}),
  port_owner: v.enumOf(["agent", "any"]),
});

const file = v.object("AgentsFile", {
  agents: v.required(v.list(entry)),
  limits: v.withDefault(
    v.object("Limits", {
      processes: v.withDefault(v.integer({ minimum: 1, maximum: 1000 }), 50),
      log_lines: v.withDefault(v.integer({ minimum: 1, maximum: 1_000_000 }), 10_000),
    }),
    {},
  ),
});

type Entry = v.Infer<typeof entry>;

/** Reads the file of `--agents`. @throws UsageError that names the path and the line. */
export function readAgentsFile(path: string): AgentsSettings {
  const lines = new LineCounter();
  const document = parseDocument(readText(path), { lineCounter: lines, uniqueKeys: true });
  const at = (offset: number) => `${path}:${lines.linePos(offset).line}`;
  const [syntaxError] = document.errors;
  if (syntaxError) throw new UsageError(`${at(syntaxError.pos[0])}: ${firstLine(syntaxError.message)}`);
  const locate = (loc: readonly (string | number)[]) => {
    for (let length = loc.length; length >= 0; length--) {
      const node = length === 0 ? document.contents : document.getIn(loc.slice(0, length), true);
      if (isNode(node) && node.range) return at(node.range[0]);
    }
    return path;
  };
  return parseAgents(document.toJS() ?? {}, dirname(resolve(path)), (loc, problem) => {
    const field = loc.reduce<string>(
      (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}.${part}`),
      "",
    );
    throw new UsageError(`${locate(loc)}: ${field.replace(/^\./, "") || "the file"}: ${problem}`);
  });
}

/** Returns the settings of `--agent`, `--start` and `--timeout`: one agent for every deployment. @throws UsageError */
export function singleAgent(folder: string, start: string, timeout?: number): AgentsSettings {
  const inherit = ["PATH", "HOME", ...(process.platform === "win32" ? ["SystemRoot", "TEMP", "USERPROFILE"] : [])];
  const agent = { folder, start, inherit, ...(timeout !== undefined && { timeouts: { start: timeout } }) };
  return parseAgents({ agents: [agent] }, process.cwd(), (loc, problem) => {
    const option = loc.includes("timeouts") ? "timeout" : loc.at(-1) === "start" ? "start" : "agent";
    throw new UsageError(`Invalid --${option}: ${problem}`);
  });
}

type Fail = (loc: readonly (string | number)[], problem: string) => never;

function parseAgents(content: unknown, base: string, fail: Fail): AgentsSettings {
  const vocabulary = new Vocabulary(neutralTerms);
  const options = { vocabulary, rejectUnknown: true, exactTypes: false, enforceCeilings: false, rejectReadOnly: false };
  const validator = new Validator(options, {});
  const { agents, limits } = (validator.validate(file, content, []) ?? {}) as v.Infer<typeof file>;
  const [issue] = validator.issues;
  if (issue) fail(issue.loc, explain(issue.type, issue.msg, issue.loc));
  if (agents.length === 0) fail(["agents"], "expected at least one agent");
  const { processes = 50, log_lines: logLines = 10_000 } = limits as { processes?: number; log_lines?: number };
  return {
    entries: agents.map((agent, index) =>
      parseEntry(agent, base, (loc, problem) => fail(["agents", index, ...loc], problem)),
    ),
    limits: { processes, logLines },
  };
}

function parseEntry(agent: Entry, base: string, fail: Fail): AgentCommands {
  const { shell, name, environment, inherit } = agent;
  if (shell && process.platform === "win32") fail(["shell"], "a shell is supported on Linux and macOS only");
  const parse = (field: "install" | "build" | "start") => {
    const value = agent[field];
    return value === undefined || value === null
      ? undefined
      : parseCommand(value, shell, (problem) => fail([field], problem));
  };
  const start = parse("start") ?? fail(["start"], "expected a command");
  const folder = agent.folder === undefined ? undefined : resolve(base, agent.folder);
  if (folder !== undefined && !isFolder(folder)) fail(["folder"], `the folder ${folder} does not exist`);
  const times = { ...defaultsOf(timeouts.fields), ...agent.timeouts };
  const pauses = { ...defaultsOf(restart.fields), ...agent.restart };
  return {
    source: parseSources(agent.source, fail),
    name,
    install: parse("install"),
    build: parse("build"),
    start,
    folder,
    environment,
    inherit,
    timeouts: inMilliseconds(times) as AgentCommands["timeouts"],
    restart: inMilliseconds(pauses) as AgentCommands["restart"],
    portOwner: agent.port_owner ?? (containerEngine.test(describeCommand(start)) ? "any" : "agent"),
  };
}

/** Programs that let another process listen for the agent. */
const containerEngine = /(^|[\s/])(docker|podman|nerdctl|finch)\s/;

function parseSources(value: unknown, fail: Fail): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list = Array.isArray(value) ? value : [value];
  for (const item of list) {
    if (!sources.some((source) => source === item)) {
      fail(["source"], `unknown source "${item}"; expected one of ${sources.join(", ")}`);
    }
  }
  return list.map(String);
}

/** A placeholder in the name of a program. */
const inProgram = /\{(?!folder\})[a-z]+\}/;

function parseCommand(value: unknown, shell: boolean, fail: (problem: string) => never): Command {
  if (shell) {
    if (typeof value === "string" && value.trim() !== "") {
      const [chosen] = programsIn(value).flatMap((program) => inProgram.exec(program) ?? []);
      if (chosen) fail(`the program contains ${chosen}, so a request would choose what runs`);
      return { script: value };
    }
    fail("expected the text of a script, because shell is true");
  }
  const words = typeof value === "string" ? splitWords(value) : value;
  if (words === undefined) fail("a quote is not closed");
  if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === "string")) {
    fail("expected a command: a text, or a list of a program and its arguments");
  }
  const [chosen] = String(words[0]).match(inProgram) ?? [];
  if (chosen) fail(`the program contains ${chosen}, so a request would choose what runs`);
  for (const [, name = ""] of words.join(" ").matchAll(/\{([a-z]+)\}/g)) {
    if (placeholderNames.some((known) => known === name)) continue;
    fail(`unknown placeholder {${name}}; did you mean {${closestMatch(name, placeholderNames)}}?`);
  }
  return { words };
}

function explain(type: string, message: string, loc: readonly (string | number)[]): string {
  if (type === "extra_forbidden") {
    const known = loc.length === 1 ? Object.keys(file.fields) : Object.keys(entry.fields);
    return loc.length <= 3 ? `unknown field; expected one of ${known.join(", ")}` : "unknown field";
  }
  if (type === "missing") return "is missing";
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function defaultsOf(fields: v.Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.default]));
}

function inMilliseconds(times: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(Object.entries(times).map(([name, value]) => [name, Number(value) * 1000]));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`Could not read the agents file ${path}: ${error instanceof Error ? error.message : error}`);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const firstLine = (text: string) => (text.split("\n")[0] ?? "").replace(/:$/, "");
