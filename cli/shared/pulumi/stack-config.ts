/** Reads the stack configuration of a program in this folder. It contains decrypted secrets, so it is never printed. */

import type { CommandContext } from "../subcommand";
import { findProjectFolder } from "./project";
import { runPulumi } from "./pulumi";

/** Values by key, `agentgraph:apiKey`. */
export type Config = Record<string, unknown>;

export interface StackConfig {
  /** Empty if it could not be read. */
  config: Config;
  /** Keys whose values are encrypted. */
  encrypted: ReadonlySet<string>;
  /** `skipped`: no configuration to read; `fix`: the requested stack does not exist or cannot be read. */
  status: "ok" | "note" | "skipped" | "fix";
  message: string;
  /** What to do now. */
  remedy?: string;
}

const EMPTY_CONFIG: Pick<StackConfig, "config" | "encrypted"> = { config: {}, encrypted: new Set() };

export const ENVIRONMENT_ONLY = "only environment variables are used";
/** Message of the Pulumi CLI; its exit code is that of any failure. */
const NO_STACK_SELECTED = /\bno stack selected\b/;

export async function readStackConfig(
  stack: string | undefined,
  { folder, env }: Pick<CommandContext, "folder" | "env">,
): Promise<StackConfig> {
  if (findProjectFolder(folder) === undefined) {
    const remedy =
      stack === undefined
        ? undefined
        : "--stack requires a Pulumi project: run the command in the folder of the program.";
    const status = stack === undefined ? "skipped" : "fix";
    const message = `no Pulumi.yaml in ${folder} or its parent folders, so ${ENVIRONMENT_ONLY}`;
    return { ...EMPTY_CONFIG, status, message, ...(remedy && { remedy }) };
  }
  const stackArgs = stack === undefined ? [] : ["--stack", stack];
  const result = await runPulumi(
    ["config", "--json", "--show-secrets", "--non-interactive", ...stackArgs],
    folder,
    env,
  );
  if (result.outcome === "missing") {
    return { ...EMPTY_CONFIG, status: "skipped", message: `the Pulumi CLI is not on PATH, so ${ENVIRONMENT_ONLY}` };
  }
  const values = result.outcome === "ok" ? parseConfig(result.stdout) : undefined;
  if (values) return { ...values, status: "ok", message: `configuration of ${describeStack(stack)}` };
  if (stack === undefined && NO_STACK_SELECTED.test(result.stderr)) {
    const remedy = "To use the configuration of a stack, run `pulumi stack select` or pass --stack.";
    return { ...EMPTY_CONFIG, status: "note", message: `no stack is selected, so ${ENVIRONMENT_ONLY}`, remedy };
  }
  const [firstLine = ""] = result.stderr
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  return {
    ...EMPTY_CONFIG,
    status: stack === undefined ? "note" : "fix",
    message:
      `cannot read the configuration of ${describeStack(stack)}, so ${ENVIRONMENT_ONLY}: ` +
      `${result.outcome === "timeout" ? "the Pulumi backend did not respond" : firstLine}`,
    remedy:
      "Select a stack (`pulumi stack select` or --stack), log in, and set PULUMI_CONFIG_PASSPHRASE if the " +
      "stack has a passphrase.",
  };
}

const describeStack = (stack: string | undefined) => (stack === undefined ? "the selected stack" : `stack ${stack}`);

interface PrintedValue {
  value?: unknown;
  objectValue?: unknown;
  secret?: boolean;
}

/** Parses the output of `pulumi config --json`. */
function parseConfig(text: string): Pick<StackConfig, "config" | "encrypted"> | undefined {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, PrintedValue>);
    const encrypted = entries.filter(([, { secret }]) => secret === true).map(([key]) => key);
    const config = Object.fromEntries(entries.map(([key, { value, objectValue }]) => [key, objectValue ?? value]));
    return { config, encrypted: new Set(encrypted) };
  } catch {
    return undefined;
  }
}
