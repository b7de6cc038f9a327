/** A subcommand as data, so that only main.ts depends on the parser of the command line. */
import type { Readable } from "node:stream";
import { UserError } from "../../provider/text/user-error";

/** Exit codes. Frozen, because pipelines depend on them. */
export const EXIT = {
  /** Nothing needs attention. */
  success: 0,
  /** A problem to fix, a failed preview, or an effect that `--fail-on` names. */
  failure: 1,
  /** Invalid arguments or input. */
  usage: 2,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Everything that a command uses of its process. */
export interface CommandContext {
  stdin: Readable & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
  /** Working directory. */
  folder: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Values that are redacted from all output; commands add those that they read. */
  secrets: Set<string>;
}

/** Values of options by name in camel case; every command has `json`. A command declares the types that it parses. */
export type Options = Readonly<Record<string, unknown>>;

export interface Subcommand<O extends Options = Options> {
  name: string;
  /** One line in the list of commands. */
  summary: string;
  /** Positional arguments, in the syntax of commander: `[files...]`. */
  args?: { form: string; description: string };
  /** `parse` reads a text that is not empty. A list that it returns is added to those of earlier uses of the option. */
  options: readonly { flags: string; description: string; parse?: (text: string) => unknown }[];
  /** Text of `--help` below the options: details and examples. */
  help: string;
  /** Meaning of exit code 1. */
  failureMeaning: string;
  run(args: readonly string[], options: O, context: CommandContext): Promise<ExitCode>;
}

/** Invalid arguments or input: what is wrong, why, and what to do. */
export class UsageError extends UserError {
  override name = "UsageError";
}
