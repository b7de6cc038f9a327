#!/usr/bin/env node
/** The command `agentgraph`. Each subcommand is one file and one entry in the list below. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { cleanMessage } from "../provider/text/clean";
import { UserError } from "../provider/text/user-error";
import { adopt } from "./adopt";
import { doctor } from "./doctor";
import { review } from "./review";
import { EXIT, type ExitCode, type Options, type Subcommand, type Surroundings, UsageError } from "./shared/subcommand";
import { ownVersion } from "./shared/version";

const subcommands: readonly Subcommand[] = [doctor, adopt, review];

const exitCodes = (found: string) => `
Exit codes:
  0  success
  1  ${found}
  2  invalid arguments or input`;

/** Codes of commander for requests that are not errors. */
const ASKED_FOR: ReadonlySet<string> = new Set(["commander.helpDisplayed", "commander.version"]);

function programOf(surroundings: Surroundings, end: (code: ExitCode) => void): Command {
  const program = new Command("agentgraph")
    .description("Diagnose, review and adopt agentgraph resources.")
    .version(ownVersion())
    .addHelpText("after", exitCodes("findings (see each command)"))
    .exitOverride()
    .showHelpAfterError("Run agentgraph --help for usage.")
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      writeErr: (text) => surroundings.stderr.write(text),
    });
  for (const subcommand of subcommands) add(subcommand, program, surroundings, end);
  return program;
}

function add(subcommand: Subcommand, program: Command, surroundings: Surroundings, end: (code: ExitCode) => void) {
  const { name, summary, words, options, help, found, run } = subcommand;
  const command = program
    .command(name)
    .description(summary)
    .option("--json", "print JSON instead of text")
    .addHelpText("after", `\n${help.trim()}\n${exitCodes(found)}`)
    .showHelpAfterError(`Run agentgraph ${name} --help for usage.`);
  if (words) command.argument(words.form, words.meaning);
  for (const { flags, meaning, read } of options) {
    const option = new Option(flags, meaning);
    command.addOption(read ? option.argParser((text) => explained(read, text)) : option);
  }
  command.action(async () => {
    end(await run(command.args, command.opts<Options>(), surroundings));
  });
}

/** Reports an invalid value of an option in the form that commander uses for its own checks. */
function explained(read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof UsageError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

async function main(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  try {
    const program = programOf(surroundings, (ended) => {
      code = ended;
    });
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return ASKED_FOR.has(error.code) ? EXIT.fine : EXIT.usage;
    if (!(error instanceof UserError)) throw error;
    surroundings.stderr.write(`error: ${cleanMessage(error.message, surroundings.secrets)}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.found;
  }
}

const { stdin, stdout, stderr, env } = process;
// A reader such as `head` may close the pipe early, which is not an error.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
const folder = process.cwd();
const surroundings: Surroundings = { stdin, stdout, stderr, env, folder, now: Date.now, secrets: new Set() };
void main(process.argv.slice(2), surroundings).then((code) => {
  process.exitCode = code;
});
