/** `agentgraph init`: finds the server, the platform and the workspace, and writes them to the stack configuration. */
import type { InitOptions } from "../init/values";
import { printJson } from "../shared/json";
import { findProjectFolder } from "../shared/pulumi/project";
import { ENVIRONMENT_ONLY, readStackConfig } from "../shared/pulumi/stack-config";
import { type CommandContext, EXIT, type Options, type Subcommand, UsageError } from "../shared/subcommand";
import { columnsOf, wrapText } from "../shared/text/wrap";

export const init: Subcommand<InitOptions> = {
  name: "init",
  summary: "Find server, platform and workspace, and write them to the stack configuration.",
  options: [
    { flags: "--url <URL>", description: "base URL of the platform (default: that of the settings)" },
    { flags: "--api-key-env <name>", description: "environment variable that contains the API key" },
    { flags: "--workspace <ID>", description: "workspace, if the API key is valid for several" },
    { flags: "--store-key", description: "also store the API key in the stack configuration, encrypted" },
    { flags: "--stack <name>", description: "stack that is configured (default: the selected stack)" },
  ],
  help: `
Reads the settings as a program does: from the stack configuration, from the
variables AGENTGRAPH_..., and from the variables and the profile file of the
platform's own tools, such as LANGSMITH_API_KEY and LANGSMITH_ENDPOINT. Sends
only GET requests. Writes nothing if the server cannot be reached or rejects
the API key, and nothing that the stack configuration contains already.

Without --store-key, the API key stays where it is, and each run reads it there.
If the API key is valid for several workspaces, a terminal is asked for one; in
a pipeline, use --workspace.

Examples:
  agentgraph init
  agentgraph init --url https://agents.example.com --api-key-env TEAM_KEY
  agentgraph init --stack production --store-key --json`,
  failureMeaning: "the server cannot be used, or the stack configuration not written",

  async run(_args, options, context) {
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { readInitSettings } = await import("../init/settings.js");
    const { connect } = await import("../init/connect.js");
    const { valuesToWrite, writeValues } = await import("../init/values.js");
    const { toJson, toText } = await import("../init/report.js");
    const { cleanText } = await import("../../provider/text/clean.js");
    const { credentialsIn } = await import("../../provider/settings/settings.js");
    const { stack } = options;
    const stored = await readConfig(stack, context);
    for (const key of stored.encrypted) context.secrets.add(String(stored.config[key]));
    const settings = readInitSettings(stored.config, options, context.env);
    for (const value of credentialsIn(settings)) context.secrets.add(value);
    const found = await connect(settings, await askerOf(options, context), context.now);
    const values = valuesToWrite(found, stored, options);
    await writeValues(values, stack, context);
    const report = { found, values, keepsKey: options.storeKey !== true, stack };
    const text = () => wrapText(cleanText(toText(report), context.secrets), columnsOf(context.stdout));
    context.stdout.write(options.json ? printJson(toJson(report), context.secrets) : text());
    return EXIT.success;
  },
};

async function readConfig(stack: string | undefined, context: CommandContext) {
  if (findProjectFolder(context.folder) === undefined) {
    const remedy = "Create a project with `pulumi new typescript`, or run the command in the folder of a program.";
    throw new UsageError(`There is no Pulumi.yaml in ${context.folder} or its parent folders. ${remedy}`);
  }
  const { status, message, remedy = "Install the CLI.", ...read } = await readStackConfig(stack, context);
  if (status === "ok") return read;
  const reason = message.replace(`, so ${ENVIRONMENT_ONLY}`, "");
  throw new UsageError(
    `There is no stack to configure: ${reason}. ${remedy} \`pulumi stack init dev\` creates a stack.`,
  );
}

/** Returns what asks for a line of text; undefined without a terminal. */
async function askerOf({ json }: Options, { stdin, stdout, stderr, secrets }: CommandContext) {
  if (json === true || !stdin.isTTY || !stdout.isTTY) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const { cleanText } = await import("../../provider/text/clean.js");
  return async (question: string) => {
    const terminal = createInterface({ input: stdin, output: stderr });
    // Ctrl+C and Ctrl+D reject.
    const line = terminal.question(cleanText(question, secrets)).catch(() => "");
    return line.finally(() => terminal.close());
  };
}
