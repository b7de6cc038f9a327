import { type Command, InvalidArgumentError, Option } from "commander";
import { closestMatch } from "../runtime/text/did-you-mean";
import { printableLines } from "../runtime/text/printable";
import {
  CommandError,
  type CommandGroup,
  type CommandIo,
  EXIT,
  type Options,
  type Subcommand,
  usageError,
} from "./subcommand";

/** Commands for a running emulator. Each is loaded on use, so that the start does not wait for them. */
const subcommands: Readonly<Record<string, { summary: string; load(): Promise<Subcommand | CommandGroup> }>> = {
  reset: {
    summary: "Reset the running emulator to its initial data.",
    load: async () => (await import("./reset.js")).reset,
  },
  advance: {
    summary: "Advance its clock, such as by 30s, 10m, 2h or 3d.",
    load: async () => (await import("./advance.js")).advance,
  },
  faults: { summary: "List, add and remove injected faults.", load: async () => (await import("./faults.js")).faults },
  logs: {
    summary: "Show the request log, or the logs of a deployment.",
    load: async () => (await import("./logs.js")).logs,
  },
};

const commonHelp = `
The command connects to --url; else --port; else the emulator with the data folder --data; else
AGENTGRAPH_CONTROL_PLANE_URL or AGENTGRAPH_URL; else the emulator that "start" started in this folder; else
http://127.0.0.1:7420.

Exit codes:
  0  success
  1  no emulator is running, or it rejected the request
  2  invalid arguments`;

/** Registers the commands for a running emulator. */
export function registerSubcommands(program: Command): void {
  for (const [name, { summary }] of Object.entries(subcommands)) program.command(name).description(summary);
  program.hook("preSubcommand", async (_, command) => {
    const definition = subcommands[command.name()];
    if (definition !== undefined) configureCommand(command, await definition.load(), program);
  });
}

function configureCommand(command: Command, definition: Subcommand | CommandGroup, program: Command): void {
  command.configureHelp({ showGlobalOptions: false });
  // Commander exits with 1 for invalid arguments, which here means that the emulator failed.
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.ok : EXIT.usage));
  if ("run" in definition) {
    configureSubcommand(command, definition, program);
    return;
  }
  const { members, help } = definition;
  command.addHelpText("after", `${help}\n${commonHelp}`);
  for (const [index, member] of members.entries()) {
    configureSubcommand(command.command(member.name, { isDefault: index === 0 }), member, program);
  }
}

function configureSubcommand(
  command: Command,
  { summary, argument, options = [], help = "", run }: Subcommand,
  program: Command,
): void {
  const line = [command.parent?.name(), command.name()].filter((name) => name !== program.name()).join(" ");
  command
    .description(summary)
    .option("--url <address>", "URL of the emulator")
    .option("--json", "print JSON")
    .addHelpText("after", `${help}\n${commonHelp}`)
    .showHelpAfterError(`Run agentgraph-emulator ${line} --help for help.`)
    .allowExcessArguments();
  if (argument) command.argument(argument.form, argument.meaning);
  for (const { flags, meaning, parse: read } of options) {
    const option = new Option(flags, meaning);
    command.addOption(read ? option.argParser((text, before) => toArgumentError(() => read(text, before))) : option);
  }
  command.action(() => runSubcommand(command, program, argument === undefined ? 0 : 1, run));
}

async function runSubcommand(
  command: Command,
  program: Command,
  argumentCount: number,
  run: Subcommand["run"],
): Promise<void> {
  const { stdout, env } = process;
  // A reader such as `head` may close the pipe early, which is not an error.
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed));
  try {
    assertNoExtraArguments(command, argumentCount);
    await run(command.args, command.opts<Options>(), { stdout, env, startOptions: locationOptions(program, command) });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(`error: ${printableLines(error.message)}`);
    process.exitCode = error.code;
  }
}

/** Rejects a misspelled command or an excess argument. */
function assertNoExtraArguments(command: Command, argumentCount: number): void {
  const argument = command.args[argumentCount];
  if (argument === undefined) return;
  const names = (command.parent?.commands ?? []).map((sibling) => sibling.name());
  const isFamily = command.parent?.parent !== null;
  throw usageError(
    isFamily && names[0] === command.name()
      ? `Unknown command "${command.parent?.name()} ${argument}"; did you mean ` +
          `"${closestMatch(argument, names)}"? Expected one of ${names.join(", ")}.`
      : `Unexpected argument "${argument}"; see agentgraph-emulator ${command.name()} --help.`,
  );
}

/**
 * Returns the start options that locate the emulator. @throws CommandError for others, which have no effect on a
 * running emulator.
 */
function locationOptions(program: Command, command: Command): CommandIo["startOptions"] {
  const given = Object.keys(program.opts()).filter((name) => program.getOptionValueSource(name) === "cli");
  const unexpected = given.find((name) => !["port", "host", "data"].includes(name));
  if (unexpected !== undefined) {
    const flag = program.options.find((option) => option.attributeName() === unexpected)?.long;
    throw usageError(`${flag} is an option of the start and has no effect on "${command.name()}". Remove it.`);
  }
  const { port, host, data } = program.opts<CommandIo["startOptions"]>();
  return { ...(given.includes("port") && { port }), ...(given.includes("host") && { host }), data };
}

/** Reports an invalid option value as Commander does. */
function toArgumentError(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof CommandError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
