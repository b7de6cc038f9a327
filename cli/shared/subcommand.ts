/** What a sub-command is: told as data, so that main.ts alone knows how a command line is read. */
import type { Readable } from "node:stream";
import { UserError } from "../../provider/text/user-error";

/** How a command ends. Frozen: pipelines build on it. */
export const EXIT = {
  /** Nothing to do. */
  fine: 0,
  /** Something must be fixed, or what `--fail-on` names was found. */
  found: 1,
  /** The command line, or what was given to read, is wrong. */
  usage: 2,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The world of a command, so that tests can be one. */
export interface Surroundings {
  stdin: Readable & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
  /** The folder that it is called in. */
  folder: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Values that nothing may show which is written: commands add those that they read. */
  secrets: Set<string>;
}

/** Values of options by name, in camel case; `--json` is one of every command. */
export type Options = Readonly<Record<string, unknown>>;

export interface Subcommand {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The words after the command, as commander writes them: `[files...]`. */
  words?: { form: string; meaning: string };
  options: readonly { flags: string; meaning: string; read?: (text: string) => unknown }[];
  /** What `--help` says below the options: examples, and what needs more than a line. */
  help: string;
  /** What its exit code 1 tells. */
  found: string;
  run(words: readonly string[], options: Options, surroundings: Surroundings): Promise<ExitCode>;
}

/** A mistake of the person at the command line: what, why, what to do. */
export class UsageError extends UserError {
  override name = "UsageError";
}
