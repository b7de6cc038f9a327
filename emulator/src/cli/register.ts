import { type Command, InvalidArgumentError, Option } from "commander";
import { closestMatch } from "../runtime/text/did-you-mean";
import {
  CommandError,
  EXIT,
  type Family,
  mistake,
  type Options,
  type Subcommand,
  type Surroundings,
} from "./subcommand";

/** Commands for a running emulator. Each is loaded on use, so that the start does not wait for them. */
const steering: Readonly<Record<string, { summary: string; load(): Promise<Subcommand | Family> }>> = {
  reset: {
    summary: "Reset the running emulator to its initial data.",
    load: async () => (await import("./reset.js")).reset,
  },
  advance: {
    summary: "Advance its clock, such as by 30s, 10m, 2h or 3d.",
    load: async () => (await import("./advance.js")).advance,
  },
  faults: {
    summary: "List, add and remove injected faults.",
    load: async () => (await import("./faults.js")).faults,
  },
  logs: {
    summary: "Show the request log, or the logs of a deployment.",
    load: async () => (await import("./logs.js")).logs,
  },
};

const more = `
The command connects to --url; else --port; else the emulator with the data folder --data; else
AGENTGRAPH_CONTROL_PLANE_URL; else the emulator that "start" started in this folder; else http://127.0.0.1:7420.

Exit codes:
  0  success
  1  no emulator is running, or it rejected the request
  2  invalid arguments`;

/** Registers the commands for a running emulator. */
export function addSteering(program: Command): void {
  for (const [name, { summary }] of Object.entries(steering)) program.command(name).description(summary);
  program.hook("preSubcommand", async (_, command) => {
    const known = steering[command.name()];
    if (known !== undefined) fill(command, await known.load(), program);
  });
}

function fill(command: Command, definition: Subcommand | Family, program: Command): void {
  command.configureHelp({ showGlobalOptions: false });
  // Commander exits with 1 for invalid arguments, which here means that the emulator failed.
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.fine : EXIT.usage));
  if ("run" in definition) {
    complete(command, definition, program);
    return;
  }
  const { members, help } = definition;
  command.addHelpText("after", `${help}\n${more}`);
  for (const [index, member] of members.entries()) {
    complete(command.command(member.name, { isDefault: index === 0 }), member, program);
  }
}

function complete(
  command: Command,
  { summary, word, options = [], help = "", run }: Subcommand,
  program: Command,
): void {
  const line = [command.parent?.name(), command.name()].filter((name) => name !== program.name()).join(" ");
  command
    .description(summary)
    .option("--url <address>", "URL of the emulator")
    .option("--json", "print JSON")
    .addHelpText("after", `${help}\n${more}`)
    .showHelpAfterError(`Run agentgraph-emulator ${line} --help for help.`)
    .allowExcessArguments();
  if (word) command.argument(word.form, word.meaning);
  for (const { flags, meaning, read } of options) {
    const option = new Option(flags, meaning);
    command.addOption(read ? option.argParser((text, before) => explained(() => read(text, before))) : option);
  }
  command.action(() => perform(command, program, word === undefined ? 0 : 1, run));
}

async function perform(command: Command, program: Command, words: number, run: Subcommand["run"]): Promise<void> {
  const { stdout, env } = process;
  // A reader such as `head` may close the pipe early, which is not an error.
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT.fine : EXIT.failed));
  try {
    refuseMoreWords(command, words);
    await run(command.args, command.opts<Options>(), { stdout, env, given: givenFor(program, command) });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = error.code;
  }
}

/** Rejects a misspelled command or an excess argument. */
function refuseMoreWords(command: Command, words: number): void {
  const word = command.args[words];
  if (word === undefined) return;
  const names = (command.parent?.commands ?? []).map((sibling) => sibling.name());
  const isFamily = command.parent?.parent !== null;
  throw mistake(
    isFamily && names[0] === command.name()
      ? `Unknown command "${command.parent?.name()} ${word}"; did you mean "${closestMatch(word, names)}"? Expected one of ${names.join(", ")}.`
      : `Unexpected argument "${word}"; see agentgraph-emulator ${command.name()} --help.`,
  );
}

/**
 * Returns the start options that locate the emulator. @throws CommandError for others, which have no effect on a
 * running emulator.
 */
function givenFor(program: Command, command: Command): Surroundings["given"] {
  const given = Object.keys(program.opts()).filter((name) => program.getOptionValueSource(name) === "cli");
  const strange = given.find((name) => !["port", "host", "data"].includes(name));
  if (strange !== undefined) {
    const flag = program.options.find((option) => option.attributeName() === strange)?.long;
    throw mistake(`${flag} is an option of the start and has no effect on "${command.name()}". Remove it.`);
  }
  const { port, host, data } = program.opts<Surroundings["given"]>();
  return { ...(given.includes("port") && { port }), ...(given.includes("host") && { host }), data };
}

/** Reports an invalid option value as Commander does. */
function explained(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof CommandError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
