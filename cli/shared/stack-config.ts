/** The stack config that a program in this folder would be given. It holds secrets in clear, so nothing of it is ever shown. */
import { projectFolder } from "./project";
import { pulumi } from "./pulumi";
import type { Surroundings } from "./subcommand";

/** Values by key, `agentgraph:apiKey`. */
export type Config = Record<string, unknown>;

export interface StackConfig {
  /** Empty where it could not be read. */
  config: Config;
  /** The keys whose values are encrypted. */
  encrypted: ReadonlySet<string>;
  /** `skipped`: there is none to read; `fix`: one was asked for, and is not there or cannot be read. */
  status: "ok" | "note" | "skipped" | "fix";
  says: string;
  /** What to do now. */
  todo?: string;
}

/** Where nothing could be read. */
const NOTHING: Pick<StackConfig, "config" | "encrypted"> = { config: {}, encrypted: new Set() };

const ENVIRONMENT = "only the environment is read";
/** What the Pulumi CLI says then; its exit code is the one of any failure. */
const NONE_SELECTED = /\bno stack selected\b/;

export async function stackConfig(
  stack: string | undefined,
  { folder, env }: Pick<Surroundings, "folder" | "env">,
): Promise<StackConfig> {
  if (projectFolder(folder) === undefined) {
    const todo = stack === undefined ? undefined : "--stack needs it: run the command in the program's folder.";
    const status = stack === undefined ? "skipped" : "fix";
    const says = `there is no Pulumi.yaml in ${folder} or above it, so ${ENVIRONMENT}`;
    return { ...NOTHING, status, says, ...(todo && { todo }) };
  }
  const of = stack === undefined ? [] : ["--stack", stack];
  const answer = await pulumi(["config", "--json", "--show-secrets", "--non-interactive", ...of], folder, env);
  if (answer.outcome === "missing") {
    return { ...NOTHING, status: "skipped", says: `without the Pulumi CLI, ${ENVIRONMENT}` };
  }
  const read = answer.outcome === "fine" ? valuesIn(answer.stdout) : undefined;
  if (read) return { ...read, status: "ok", says: `config of ${stackNamed(stack)} was read` };
  if (stack === undefined && NONE_SELECTED.test(answer.stderr)) {
    const todo = "To have the config of one read, select it (pulumi stack select) or name it (--stack).";
    return { ...NOTHING, status: "note", says: `no stack is selected here, so ${ENVIRONMENT}`, todo };
  }
  const [said = ""] = answer.stderr
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  return {
    ...NOTHING,
    status: stack === undefined ? "note" : "fix",
    says: `config of ${stackNamed(stack)} could not be read, so ${ENVIRONMENT}: ${said}`,
    todo: "Select a stack (pulumi stack select, or --stack), log in, and give the passphrase if it has one.",
  };
}

const stackNamed = (stack: string | undefined) => (stack === undefined ? "the selected stack" : `stack ${stack}`);

interface PrintedValue {
  value?: unknown;
  objectValue?: unknown;
  secret?: boolean;
}

/** What `pulumi config --json` prints. */
function valuesIn(text: string): Pick<StackConfig, "config" | "encrypted"> | undefined {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, PrintedValue>);
    const encrypted = entries.filter(([, { secret }]) => secret === true).map(([key]) => key);
    const config = Object.fromEntries(entries.map(([key, { value, objectValue }]) => [key, objectValue ?? value]));
    return { config, encrypted: new Set(encrypted) };
  } catch {
    return undefined;
  }
}
