/** Reads the stack configuration of a program in this folder. It contains decrypted secrets, so it is never printed. */
import { projectFolder } from "./project";
import { pulumi } from "./pulumi";
import type { Surroundings } from "./subcommand";

/** Values by key, `agentgraph:apiKey`. */
export type Config = Record<string, unknown>;

export interface StackConfig {
  /** Empty if it could not be read. */
  config: Config;
  /** Keys whose values are encrypted. */
  encrypted: ReadonlySet<string>;
  /** `skipped`: no configuration to read; `fix`: the requested stack does not exist or cannot be read. */
  status: "ok" | "note" | "skipped" | "fix";
  says: string;
  /** What to do now. */
  todo?: string;
}

const NOTHING: Pick<StackConfig, "config" | "encrypted"> = { config: {}, encrypted: new Set() };

const ENVIRONMENT_ONLY = "only environment variables are used";
/** Message of the Pulumi CLI; its exit code is that of any failure. */
const NONE_SELECTED = /\bno stack selected\b/;

export async function stackConfig(
  stack: string | undefined,
  { folder, env }: Pick<Surroundings, "folder" | "env">,
): Promise<StackConfig> {
  if (projectFolder(folder) === undefined) {
    const todo =
      stack === undefined
        ? undefined
        : "--stack requires a Pulumi project: run the command in the folder of the program.";
    const status = stack === undefined ? "skipped" : "fix";
    const says = `no Pulumi.yaml in ${folder} or its parent folders, so ${ENVIRONMENT_ONLY}`;
    return { ...NOTHING, status, says, ...(todo && { todo }) };
  }
  const of = stack === undefined ? [] : ["--stack", stack];
  const answer = await pulumi(["config", "--json", "--show-secrets", "--non-interactive", ...of], folder, env);
  if (answer.outcome === "missing") {
    return { ...NOTHING, status: "skipped", says: `the Pulumi CLI is not on PATH, so ${ENVIRONMENT_ONLY}` };
  }
  const read = answer.outcome === "fine" ? valuesIn(answer.stdout) : undefined;
  if (read) return { ...read, status: "ok", says: `configuration of ${stackNamed(stack)}` };
  if (stack === undefined && NONE_SELECTED.test(answer.stderr)) {
    const todo = "To use the configuration of a stack, run `pulumi stack select` or pass --stack.";
    return { ...NOTHING, status: "note", says: `no stack is selected, so ${ENVIRONMENT_ONLY}`, todo };
  }
  const [said = ""] = answer.stderr
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  return {
    ...NOTHING,
    status: stack === undefined ? "note" : "fix",
    says: `cannot read the configuration of ${stackNamed(stack)}, so ${ENVIRONMENT_ONLY}: ${said}`,
    todo: "Select a stack (`pulumi stack select` or --stack), log in, and set PULUMI_CONFIG_PASSPHRASE if the stack has a passphrase.",
  };
}

const stackNamed = (stack: string | undefined) => (stack === undefined ? "the selected stack" : `stack ${stack}`);

interface PrintedValue {
  value?: unknown;
  objectValue?: unknown;
  secret?: boolean;
}

/** Parses the output of `pulumi config --json`. */
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
