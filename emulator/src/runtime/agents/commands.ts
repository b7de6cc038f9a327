import { matchesPath } from "../text/glob";

/** The commands of one entry of the agents file, and how they run. */
export interface AgentCommands {
  /** The sources of the deployments that it applies to; undefined: all. */
  source: readonly string[] | undefined;
  /** The pattern of their names, in which `*` is any text. */
  name: string;
  install: Command | undefined;
  build: Command | undefined;
  start: Command;
  /** The folder that they run in, absolute; undefined: the unpacked source. */
  folder: string | undefined;
  environment: Readonly<Record<string, string>>;
  /** The variables of the emulator's own environment that they receive. */
  inherit: readonly string[];
  /** In milliseconds. */
  timeouts: Readonly<Record<TimeoutName, number>>;
  /** Milliseconds before the first restart after a crash, and the longest pause. */
  restart: { pause: number; longest: number };
  /** Who may listen at the port of the agent: its own processes, or any, such as a container engine that it asks. */
  portOwner: "agent" | "any";
}

/**
 * `clone` is how long Git may take for a repository, `drain` how long a replaced agent may finish its open requests,
 * `stop` the time between SIGTERM and SIGKILL.
 */
export type TimeoutName = "clone" | "install" | "build" | "start" | "drain" | "stop";

/** A program with its arguments, or the script of a shell. */
export type Command = { words: readonly string[] } | { script: string };

/** What `--agents` or `--agent` configures. */
export interface AgentsSettings {
  entries: readonly AgentCommands[];
  limits: { processes: number; logLines: number };
}

/** The values that commands can contain, such as `{port}`; undefined where a revision has none. */
export type Placeholders = Readonly<Record<PlaceholderName, string | undefined>>;
export type PlaceholderName = (typeof placeholderNames)[number];
export const placeholderNames = ["port", "folder", "image", "config", "name", "revision"] as const;

/** A command that cannot be run. Its message is for the log of the revision. */
export class CommandError extends Error {}

/** Returns the first entry that applies to a deployment; undefined if it has the built-in graphs. */
export function commandsFor(
  { agents }: { agents: AgentsSettings | undefined },
  { source, name }: { source: string; name: string },
): AgentCommands | undefined {
  return agents?.entries.find(
    (entry) => (entry.source?.includes(source) ?? true) && matchesPath(entry.name, name.replaceAll("/", "-")),
  );
}

/** Returns a command as it was written, for logs. */
export function describeCommand(command: Command): string {
  return "script" in command ? command.script : command.words.join(" ");
}

/**
 * Returns the program and its arguments. Values come from requests: each stays within its argument, and a shell
 * receives them as variables, so that none is ever read as a command. @throws CommandError
 */
export function fillCommand(
  command: Command,
  values: Placeholders,
): { argv: string[]; environment: Record<string, string> } {
  const text = "script" in command ? command.script : command.words.join(" ");
  const used = placeholderNames.filter((name) => text.includes(`{${name}}`));
  const filled = Object.fromEntries(used.map((name) => [name, checkedValue(name, values)]));
  if ("words" in command) {
    const argv = command.words.map((word) => word.replace(pattern, (all, name) => filled[name] ?? all));
    return { argv, environment: {} };
  }
  const script = command.script.replace(pattern, (all, name) => (name in filled ? `\${${variable(name)}}` : all));
  const environment = Object.fromEntries(used.map((name) => [variable(name), filled[name] ?? ""]));
  return { argv: ["/bin/sh", "-c", script], environment };
}

const pattern = /\{([a-z]+)\}/g;

const variable = (name: string) => `AGENTGRAPH_${name.toUpperCase()}`;

/** The values that requests choose. */
const requested: readonly PlaceholderName[] = ["image", "config", "name"];

function checkedValue(name: PlaceholderName, values: Placeholders): string {
  const value = values[name];
  if (value === undefined || value === "")
    throw new CommandError(`The command uses {${name}}, which this revision does not have`);
  // A program would read it as an option.
  if (value.startsWith("-")) throw new CommandError(`The value of {${name}} begins with a hyphen: "${value}"`);
  // The folder, in which the configuration is, may have any name.
  const chosen = name === "config" ? value.slice(values.folder?.length) : value;
  const [odd] = /^[^\p{L}\p{N}./_]|[^\p{L}\p{M}\p{N}._:/@+=,-]/u.exec(chosen) ?? [];
  // An argument may be code, such as that of `node -e`, in which other characters end a text or begin an expression.
  if (requested.includes(name) && odd !== undefined) {
    throw new CommandError(
      `The value of {${name}} contains ${JSON.stringify(odd)}, which a command could read as code`,
    );
  }
  return value;
}

/**
 * Splits a command into words as a shell does, with single and double quotes and backslashes, but expands nothing.
 * Returns undefined if a quote is not closed.
 */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  const token = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+)/gsuy;
  let end = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    words.push((match[1] ?? "").replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gsu, unquote));
    end = token.lastIndex;
  }
  return text.slice(end).trim() === "" ? words : undefined;
}

function unquote(_: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? "";
}
