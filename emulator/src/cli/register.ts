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

/** What steers a running emulator, each loaded when it is called: a start waits for none of them. */
const steering: Readonly<Record<string, { summary: string; load(): Promise<Subcommand | Family> }>> = {
  reset: {
    summary: "Empty the running emulator; says what was removed.",
    load: async () => (await import("./reset.js")).reset,
  },
  advance: {
    summary: "Move its clock: advance 30s, 10m, 2h, 3d.",
    load: async () => (await import("./advance.js")).advance,
  },
  faults: {
    summary: "List, add and remove troubles.",
    load: async () => (await import("./faults.js")).faults,
  },
  logs: {
    summary: "Show the requests that it received, or the logs of a deployment.",
    load: async () => (await import("./logs.js")).logs,
  },
};

const more = `
It goes to the emulator at --url; else at --port; else to the one whose data is in --data; else to the one at
AGENTGRAPH_CONTROL_PLANE_URL; else to the one that "start" started in this folder; else to http://127.0.0.1:7420.

Exit codes:
  0  done
  1  not done: no emulator answers, or it refused
  2  the command line is wrong`;

/** Adds them to the command. */
export function addSteering(program: Command): void {
  for (const [name, { summary }] of Object.entries(steering)) program.command(name).description(summary);
  program.hook("preSubcommand", async (_, command) => {
    const known = steering[command.name()];
    if (known !== undefined) fill(command, await known.load(), program);
  });
}

function fill(command: Command, definition: Subcommand | Family, program: Command): void {
  command.configureHelp({ showGlobalOptions: false });
  // Commander's own code for a wrong line is 1, which here says that no emulator did it.
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
    .option("--url <address>", "where the emulator is")
    .option("--json", "write JSON for machines")
    .addHelpText("after", `${help}\n${more}`)
    .showHelpAfterError(`Run agentgraph-emulator ${line} --help to see what there is.`)
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
  // A reader such as `head` may leave early; that is no error.
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

/** What is left on the line is a misspelt command, or too much. */
function refuseMoreWords(command: Command, words: number): void {
  const word = command.args[words];
  if (word === undefined) return;
  const names = (command.parent?.commands ?? []).map((sibling) => sibling.name());
  const isFamily = command.parent?.parent !== null;
  throw mistake(
    isFamily && names[0] === command.name()
      ? `There is no "${command.parent?.name()} ${word}"; did you mean "${closestMatch(word, names)}"? There are ${names.join(", ")}.`
      : `"${word}" is one word too many: see agentgraph-emulator ${command.name()} --help.`,
  );
}

/** Of the options of a start those that say where the emulator is; the others would change nothing now. */
function givenFor(program: Command, command: Command): Surroundings["given"] {
  const given = Object.keys(program.opts()).filter((name) => program.getOptionValueSource(name) === "cli");
  const strange = given.find((name) => !["port", "host", "data"].includes(name));
  if (strange !== undefined) {
    const flag = program.options.find((option) => option.attributeName() === strange)?.long;
    throw mistake(`${flag} says how an emulator is started, and "${command.name()}" asks one that runs. Leave it out.`);
  }
  const { port, host, data } = program.opts<Surroundings["given"]>();
  return { ...(given.includes("port") && { port }), ...(given.includes("host") && { host }), data };
}

/** A wrong value of an option is told as commander tells of others. */
function explained(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof CommandError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
