#!/usr/bin/env node
/** The command `agentgraph`. Each subcommand is one file of commands/ and one entry in the list below. */
import "./shared/check-node";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { cleanMessage } from "../provider/text/clean";
import { UserError } from "../provider/text/user-error";
import { adopt } from "./commands/adopt";
import { backup } from "./commands/backup";
import { doctor } from "./commands/doctor";
import { init } from "./commands/init";
import { requests } from "./commands/requests";
import { restore } from "./commands/restore";
import { review } from "./commands/review";
import { types } from "./commands/types";
import { verify } from "./commands/verify";
import {
  type CommandContext,
  EXIT,
  type ExitCode,
  type Options,
  type Subcommand,
  UsageError,
} from "./shared/subcommand";
import { packageVersion } from "./shared/version";

const subcommands: readonly Subcommand[] = [init, doctor, adopt, review, requests, types, backup, restore, verify];

const exitCodesHelp = (failureMeaning: string) => `
Exit codes:
  0  success
  1  ${failureMeaning}
  2  invalid arguments or input`;

/** Codes of commander for requests that are not errors. */
const NOT_ERRORS: ReadonlySet<string> = new Set(["commander.helpDisplayed", "commander.version"]);

function createProgram(context: CommandContext, setExitCode: (code: ExitCode) => void): Command {
  const program = new Command("agentgraph")
    .description("Set up, diagnose, review and adopt agentgraph resources.")
    .version(packageVersion())
    .addHelpText("after", exitCodesHelp("findings (see each command)"))
    .exitOverride()
    .showHelpAfterError("Run agentgraph --help for usage.")
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    });
  for (const subcommand of subcommands) addSubcommand(subcommand, program, context, setExitCode);
  return program;
}

function addSubcommand(
  subcommand: Subcommand,
  program: Command,
  context: CommandContext,
  setExitCode: (code: ExitCode) => void,
) {
  const { name, summary, args, options, help, failureMeaning, run } = subcommand;
  const command = program
    .command(name)
    .description(summary)
    .option("--json", "print JSON instead of text")
    .addHelpText("after", `\n${help.trim()}\n${exitCodesHelp(failureMeaning)}`)
    .showHelpAfterError(`Run agentgraph ${name} --help for usage.`);
  if (args) command.argument(args.form, args.description);
  for (const { flags, description, parse } of options) {
    const option = new Option(flags, description);
    const read = parse ?? ((text: string) => (option.variadic ? [text] : text));
    command.addOption(option.required ? option.argParser((text, earlier) => parseOption(read, text, earlier)) : option);
  }
  command.action(async () => {
    setExitCode(await run(command.args, command.opts<Options>(), context));
  });
}

/**
 * Returns the value of an option: a list with the values of its earlier uses. Reports an invalid one in the form that
 * commander uses for its own checks.
 */
function parseOption(parse: (text: string) => unknown, text: string, earlier: unknown): unknown {
  // A pipeline passes an empty text where a variable is not set, and without quotes the option that follows.
  if (/^\s*(--|$)/.test(text)) throw new InvalidArgumentError("Pass a value: it is empty, or another option.");
  try {
    const value = parse(text.trim());
    return Array.isArray(earlier) && Array.isArray(value) ? [...earlier, ...value] : value;
  } catch (error) {
    if (error instanceof UsageError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

async function main(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.success;
  try {
    const program = createProgram(context, (exitCode) => {
      code = exitCode;
    });
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return NOT_ERRORS.has(error.code) ? EXIT.success : EXIT.usage;
    if (!(error instanceof UserError)) throw error;
    context.stderr.write(`error: ${cleanMessage(error.message, context.secrets)}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failure;
  }
}

const { stdin, stdout, stderr, env } = process;
// A reader such as `head` may close the pipe early, which is not an error.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
const folder = process.cwd();
const context: CommandContext = { stdin, stdout, stderr, env, folder, now: Date.now, secrets: new Set() };
void main(process.argv.slice(2), context).then((code) => {
  process.exitCode = code;
});
