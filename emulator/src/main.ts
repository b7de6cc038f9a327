#!/usr/bin/env node
import "./cli/check-node";
import "./cli/silence-sqlite-warning";
import { Command, InvalidArgumentError, Option } from "commander";
import {
  defaultFolder,
  describeBucket,
  type OutputFormat,
  startInBackground,
  status,
  stopBackground,
  writePidFile,
} from "./cli/daemon";
import { registerSubcommands } from "./cli/register";
import { UsageError } from "./runtime/errors";
import {
  agentAuths,
  agentServers,
  type EmulatorOptions,
  editions,
  parseGraphs,
  parseVocabulary,
  plans,
  platforms,
} from "./runtime/options";
import { closestMatch } from "./runtime/text/did-you-mean";
import { logError, printableLines } from "./runtime/text/printable";
import { emulatorVersion } from "./runtime/version";

/** The default port of the command. */
const defaultPort = 7420;

function parsePort(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65536) return Number(text);
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}

function parseSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("Expected a number of seconds greater than 0.");
}

function parseSpeed(text: string): number | "instant" {
  return text === "instant" ? text : Number(text);
}

function parseList(text: string): string[] {
  return text.split(",").map((argument) => argument.trim());
}

/** Parses an option that can be repeated. */
function appendToList(text: string, previous: string[] = []): string[] {
  return [...previous, ...parseList(text)];
}

/** Adds the options of an emulator. */
function addOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--port <number>", "port to listen on; 0 selects a free one")
        .argParser(parsePort)
        .default(defaultPort),
    )
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(
      new Option(
        "--allow-host <name>",
        "host name that clients may use, besides localhost, IP addresses and --host; can be repeated",
      )
        .env("EMULATOR_ALLOW_HOST")
        .argParser(appendToList),
    )
    .addOption(
      new Option(
        "--allow-origin <origin>",
        "origin whose web pages may use agent servers, besides those on this machine",
      )
        .env("EMULATOR_ALLOW_ORIGIN")
        .argParser(appendToList),
    )
    .addOption(
      new Option(
        "--bucket-port <number>",
        `port of the bucket (default: the one after --port, ${defaultPort + 1})`,
      ).argParser(parsePort),
    )
    .option("--bucket-key <id>", "access key ID of the bucket (default: generated and kept in the data folder)")
    .option(
      "--bucket-secret <secret>",
      "secret access key of the bucket (default: generated and kept in the data folder)",
    )
    .option("--data <folder>", "data folder (default: a temporary folder, removed on exit)")
    .option("--api-key <key>", "the only accepted API key (default: any key is accepted)")
    .option("--vocabulary <json>", "vendor-specific terms of the API, as JSON", parseVocabulary)
    .option("--demo", "seed the workspace with deployments, threads, exports and a week of traces")
    .option("--strict", "reject everything that the interface and its notes do not define")
    .option("--interface-only", "serve only the interface, without the additions of its notes")
    .addOption(new Option("--edition <edition>", "type of installation to emulate").choices(editions).default("any"))
    .addOption(
      new Option("--platform <name>", "the platform that the interface describes, or the one that is reported today")
        .choices(platforms)
        .default("described"),
    )
    .addOption(
      new Option("--plan <plan>", "plan of the workspace; developer excludes bulk exports and listeners")
        .choices(plans)
        .default("plus"),
    )
    .option("--app-version <version>", "version of the self-hosted application; rejects newer features")
    .addOption(new Option("--agent-auth <who>", "authentication of agent servers").choices(agentAuths).default("none"))
    .addOption(
      new Option(
        "--agent-server <language>",
        "published agent server to emulate where they differ; javascript has no crons",
      )
        .choices(agentServers)
        .default("python"),
    )
    .option("--graphs <names>", "graphs of every deployment, such as agent=echo,approval=interrupt", parseGraphs)
    .option("--agents <file>", "file that says which commands run as agents, in place of the built-in graphs")
    .option("--agent <folder>", "folder of one agent for every deployment, which --start starts")
    .option("--start <command>", 'command that starts the agent, such as "node server.js {port}"; without a shell')
    .addOption(
      new Option(
        "--timeout <seconds>",
        "seconds within which the agent of --start has to be healthy (default: 120)",
      ).argParser(parseSeconds),
    )
    .option("--without <routes>", "routes to disable, separated by commas; names are listed below", parseList)
    .option("--speed <factor>", "factor by which the clock runs, or instant", parseSpeed);
}

/** Loads the emulator, which commands for a running emulator do not need. */
function loadEmulator(): typeof import("./index") {
  return require("./index") as typeof import("./index");
}

function routesHelp(): string {
  return `\nRoutes for --without: ${loadEmulator().routeNames().join(", ")}`;
}

/** Returns the default bucket port: the one after the emulator's, or a free one. */
function portAfter(port = 0): number {
  return port === 0 || port === 65_535 ? 0 : port + 1;
}

async function runInForeground(options: EmulatorOptions): Promise<void> {
  const { bucketPort = portAfter(options.port) } = options;
  const running = await loadEmulator().start({ ...options, bucketPort });
  const { controlPlane, admin } = running.urls;
  const removePidFile =
    options.data === undefined ? () => {} : writePidFile(options.data, controlPlane, running.bucket);
  const shutDown = () => {
    removePidFile();
    void running.stop().then(() => process.exit(0));
  };
  process.once("SIGINT", shutDown);
  process.once("SIGTERM", shutDown);
  console.log(`The emulator listens at ${controlPlane} (open it in a browser to see what it does; admin: ${admin})`);
  console.log(describeBucket(running.bucket));
  const { hostname } = new URL(controlPlane);
  if (!/^(localhost|127\..*|\[::1\])$/.test(hostname)) {
    console.error(
      `Warning: anyone who can reach ${hostname} can control this emulator and read its secrets (${admin} is ` +
        "unauthenticated).",
    );
  }
}

/** Prints a UsageError as one message without a stack trace. */
function withUsageErrors<A extends unknown[]>(action: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      console.error(printableLines(error.message));
      process.exitCode = 1;
    }
  };
}

/** Rejects a misspelled subcommand. */
function assertNoArguments([argument]: readonly string[]): void {
  if (argument === undefined) return;
  const names = program.commands.map((command) => command.name());
  throw new UsageError(
    `Unknown command "${argument}"; did you mean "${closestMatch(argument, names)}"? Expected one of ` +
      `${names.join(", ")}, or none to run in the foreground.`,
  );
}

const program = addOptions(new Command("agentgraph-emulator"))
  .description("Emulate the agent platform on this machine. Runs in the foreground without a subcommand.")
  .version(emulatorVersion)
  .configureHelp({ showGlobalOptions: true })
  .addHelpText("after", routesHelp)
  .allowExcessArguments()
  .action(
    withUsageErrors(async (options: EmulatorOptions, { args }: Command) => {
      assertNoArguments(args);
      await runInForeground(options);
    }),
  );

/** Registers a subcommand that shares the options above. */
function registerSubcommand(
  name: string,
  description: string,
  action: (options: EmulatorOptions & { data: string }, format: OutputFormat) => Promise<void>,
): void {
  const run = withUsageErrors(async (format: OutputFormat) =>
    action({ ...program.opts<EmulatorOptions>(), data: program.opts().data ?? defaultFolder() }, format),
  );
  const command = program.command(name).description(description).option("--json", "print JSON");
  command.addHelpText("after", routesHelp).action(run);
}

registerSubcommand("start", "Run in the background; returns when the emulator is ready.", startInBackground);
registerSubcommand("stop", "Stop the background emulator.", stopBackground);
registerSubcommand("status", "Show whether a background emulator is running; exits with 1 if not.", status);
registerSubcommands(program);

void program.parseAsync().catch((error) => {
  // parseVocabulary throws while the options are read.
  logError(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
});
