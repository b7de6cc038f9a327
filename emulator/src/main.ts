#!/usr/bin/env node
import "./cli/silence-sqlite-warning";
import { Command, InvalidArgumentError, Option } from "commander";
import { defaultFolder, describeBucket, startInBackground, status, stopBackground, writePidFile } from "./cli/daemon";
import { addSteering } from "./cli/register";
import { UsageError } from "./runtime/errors";
import { agentAuths, type EmulatorOptions, editions, parseGraphs, parseVocabulary, plans } from "./runtime/options";
import { closestMatch } from "./runtime/text/did-you-mean";
import { emulatorVersion } from "./runtime/version";

/** The port of the command when none is given. */
const defaultPort = 7420;

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65536) return Number(text);
  throw new InvalidArgumentError("It takes a number from 0 to 65535.");
}

function speed(text: string): number | "instant" {
  return text === "instant" ? text : Number(text);
}

function words(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}

/** The options that say how an emulator is. */
function withOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--port <number>", "port to listen on; 0 takes a free one")
        .argParser(wholeNumber)
        .default(defaultPort),
    )
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(
      new Option(
        "--bucket-port <number>",
        `port of the bucket (default: the one after --port, ${defaultPort + 1})`,
      ).argParser(wholeNumber),
    )
    .option("--bucket-key <id>", "access key id of the bucket; made up and kept without it")
    .option("--bucket-secret <secret>", "secret access key of the bucket; made up and kept without it")
    .option("--data <folder>", "folder that keeps everything; without it nothing is kept")
    .option("--api-key <key>", "the one API key that is accepted; without it any key is")
    .option("--vocabulary <json>", "words of the wire, as JSON", parseVocabulary)
    .option("--demo", "fill the workspace with deployments and their traces of the last days")
    .option("--strict", "refuse what the interface and its notes do not hold")
    .option("--interface-only", "serve the interface alone, without what its notes add")
    .addOption(new Option("--edition <edition>", "which installation to be").choices(editions).default("any"))
    .addOption(
      new Option("--plan <plan>", "what is paid for; developer has no bulk exports and no listeners")
        .choices(plans)
        .default("plus"),
    )
    .option("--app-version <version>", "of a self-hosted application, to refuse what came later")
    .addOption(new Option("--agent-auth <who>", "what agent servers ask for").choices(agentAuths).default("none"))
    .option("--graphs <names>", "graphs that every deployment has, such as agent=echo,approval=interrupt", parseGraphs)
    .option("--without <routes>", "switch routes off, by comma; their names are below", words)
    .option("--speed <factor>", "how fast the clock runs, or instant", speed);
}

/** The emulator itself, loaded by who needs it: what only asks one that runs does not wait for it. */
function emulator(): typeof import("./index") {
  return require("./index") as typeof import("./index");
}

function routesHelp(): string {
  return `\nRoutes that --without knows: ${emulator().routeNames().join(", ")}`;
}

/** The bucket's port when none is given: the one after the emulator's, or a free one as well. */
function portAfter(port = 0): number {
  return port === 0 || port === 65_535 ? 0 : port + 1;
}

async function runHere(options: EmulatorOptions): Promise<void> {
  const { bucketPort = portAfter(options.port) } = options;
  const running = await emulator().start({ ...options, bucketPort });
  const { controlPlane, admin } = running.urls;
  const forget = options.data === undefined ? () => {} : writePidFile(options.data, controlPlane, running.bucket);
  const leave = () => {
    forget();
    void running.stop().then(() => process.exit(0));
  };
  process.once("SIGINT", leave);
  process.once("SIGTERM", leave);
  console.log(`The emulator listens at ${controlPlane} (admin: ${admin})`);
  console.log(describeBucket(running.bucket));
  const { hostname } = new URL(controlPlane);
  if (!/^(localhost|127\..*|\[::1\])$/.test(hostname)) {
    console.error(
      `Whoever reaches ${hostname} can steer this emulator and read its secrets: ${admin} asks for no key.`,
    );
  }
}

/** A mistake of the person is one sentence, not a stack. */
function orExplain<A extends unknown[]>(work: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      console.error(error.message);
      process.exitCode = 1;
    }
  };
}

/** What is left on the line without a sub-command is a misspelt one. */
function refuseWords([word]: readonly string[]): void {
  if (word === undefined) return;
  const names = program.commands.map((command) => command.name());
  throw new UsageError(
    `There is no command "${word}"; did you mean "${closestMatch(word, names)}"? There are ${names.join(", ")}; without one it runs in the foreground.`,
  );
}

const program = withOptions(new Command("agentgraph-emulator"))
  .description("The agent platform on one machine. Without a sub-command it runs in the foreground.")
  .version(emulatorVersion)
  .configureHelp({ showGlobalOptions: true })
  .addHelpText("after", routesHelp)
  .allowExcessArguments()
  .action(
    orExplain(async (options: EmulatorOptions, { args }: Command) => {
      refuseWords(args);
      await runHere(options);
    }),
  );

/** Sub-commands share the options above, wherever on the line they stand. */
function subCommand(
  name: string,
  description: string,
  work: (options: EmulatorOptions & { data: string }) => Promise<void>,
): void {
  const run = orExplain(async () =>
    work({ ...program.opts<EmulatorOptions>(), data: program.opts().data ?? defaultFolder() }),
  );
  program.command(name).description(description).addHelpText("after", routesHelp).action(run);
}

subCommand("start", "Run in the background; returns once it answers.", startInBackground);
subCommand("stop", "Stop the one in the background.", stopBackground);
subCommand("status", "Say whether one runs in the background; exit code 1 when none does.", status);
addSteering(program);

void program.parseAsync().catch((error) => {
  // parseVocabulary throws while the options are read.
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
});
