/** The definition of a subcommand for a running emulator, as data; register.ts maps it to the command-line library. */
import { printableJson, printableValue } from "../runtime/text/printable";

/** Exit codes. Scripts depend on them. */
export const EXIT = {
  ok: 0,
  /** No emulator is running, or it rejected the request. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
} as const;
type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Input and output of a command. */
export interface CommandIo {
  stdout: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  /** Start options on the command line that locate the emulator; `data` is a folder. */
  startOptions: { port?: number; host?: string; data?: string };
}

/** Option values by camelCase name; all commands have `json` and `url`. */
export type Options = Readonly<Record<string, unknown>> & { json?: boolean; url?: string };

export interface Subcommand {
  name: string;
  /** One line in the list of commands. */
  summary: string;
  /** The argument of the command in Commander's syntax: `<duration>`. */
  argument?: { form: string; meaning: string };
  options?: readonly OptionDefinition[];
  /** Text that `--help` shows below the options. */
  help?: string;
  run(args: readonly string[], options: Options, io: CommandIo): Promise<void>;
}

interface OptionDefinition {
  flags: string;
  meaning: string;
  /** Parses the value; `before` is the parsed value of an earlier occurrence. */
  parse?: (text: string, previous: unknown) => unknown;
}

/** A command with subcommands; the first one is the default. */
export interface CommandGroup {
  members: readonly Subcommand[];
  help: string;
}

/** An error for the user: what failed, why, and what to do. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly code: ExitCode = EXIT.failed,
  ) {
    super(message);
  }
}

/** Creates an error for invalid arguments. */
export function usageError(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}

/** What a command prints with --json. The fields are those of its schema in the package. */
export interface Output {
  /** Version of this form. Fields may be added to it; nothing else changes. */
  version: 1;
}

/** Output of a command for a running emulator. */
export interface ClientOutput extends Output {
  /** URL of the emulator. */
  url: string;
}

/** Prints a result as JSON or text. */
export function printResult<R extends Output>(
  { json }: Options,
  { stdout }: CommandIo,
  result: Omit<R, "version">,
  text: (result: Omit<R, "version">) => string,
): void {
  stdout.write(json ? `${printableJson({ version: 1, ...result }, 2)}\n` : `${text(printableValue(result))}\n`);
}
