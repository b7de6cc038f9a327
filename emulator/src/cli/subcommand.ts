/** What a sub-command that steers a running emulator is: told as data, so that register.ts alone knows how a command line is read. */

/** How such a command ends. Frozen: scripts build on it. */
export const EXIT = {
  /** Done. */
  fine: 0,
  /** Not done: no emulator answers, or it refused. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
} as const;
type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The world of a command. */
export interface Surroundings {
  stdout: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  /** Options of the start that were given, which say where the emulator is; `data` is a folder. */
  given: { port?: number; host?: string; data?: string };
}

/** Values of options by name, in camel case; `json` and `url` are in every command. */
export type Options = Readonly<Record<string, unknown>> & { json?: boolean; url?: string };

export interface Subcommand {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The word after the command, as commander writes it: `<duration>`. */
  word?: { form: string; meaning: string };
  options?: readonly Flag[];
  /** What `--help` says below the options. */
  help?: string;
  run(words: readonly string[], options: Options, surroundings: Surroundings): Promise<void>;
}

interface Flag {
  flags: string;
  meaning: string;
  /** Reads the text; `before` is what an earlier one on the same line gave. */
  read?: (text: string, before: unknown) => unknown;
}

/** A command with commands of its own; the first of them is meant where none is named. */
export interface Family {
  members: readonly Subcommand[];
  help: string;
}

/** What a person has to know: what happened, why, what to do. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly code: ExitCode = EXIT.failed,
  ) {
    super(message);
  }
}

/** A mistake at the command line. */
export function mistake(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}

/** Writes the answer for machines, or for people. */
export function tell({ json }: Options, { stdout }: Surroundings, answer: object, text: () => string): void {
  stdout.write(json ? `${JSON.stringify({ version: 1, ...answer }, null, 2)}\n` : `${text()}\n`);
}
