/** `agentgraph doctor`: finds what prevents a program from reaching the server, and how to fix it. Read-only. */
import { styleText } from "node:util";
import type { Check, Group } from "../shared/check";
import { type CommandContext, EXIT, type Options, type Subcommand } from "../shared/subcommand";
import { columnsOf, wrapLine } from "../shared/text/wrap";

interface DoctorOptions extends Options {
  deployment?: string;
  stack?: string;
}

export const doctor: Subcommand<DoctorOptions> = {
  name: "doctor",
  summary: "Check settings, API key, server and installation. Read-only.",
  options: [
    {
      flags: "--deployment <name>",
      description: "also count what this deployment (name or ID) keeps: its conversations",
    },
    { flags: "--stack <name>", description: "stack whose configuration is used (default: the selected stack)" },
  ],
  help: `
Uses the settings of a program in this folder: those of the stack if there is a
Pulumi.yaml and the Pulumi CLI is installed, otherwise those of the environment.
Sends only GET and OPTIONS requests to the servers, and searches for the
assistants and crons of the stack, if it has any. Asks the Pulumi CLI whether
its backend is available, and for the state. Secrets are never printed.
With --deployment, its agent server gets searches, for 10 seconds at most.
docs/doctor.schema.json in the package describes the output of --json.

Examples:
  agentgraph doctor
  agentgraph doctor --stack production --json
  agentgraph doctor --deployment support`,
  failureMeaning: "problems to fix",

  async run(_args, options, context) {
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { checkInstallation } = await import("../doctor/program/program.js");
    const { checkAgentServers } = await import("../doctor/agent-servers.js");
    const { checkConversations } = await import("../doctor/conversations.js");
    const { checkServers } = await import("../doctor/service.js");
    const { checkSettings } = await import("../doctor/settings.js");
    const { checkStoredPlugins } = await import("../doctor/program/other-plugins.js");
    const { cleanMessage } = await import("../../provider/text/clean.js");
    const { credentialsIn } = await import("../../provider/settings/settings.js");
    const { deployment, stack } = options;
    const [{ group: config, settings, resources, secrets: encrypted }, program] = await Promise.all([
      checkSettings(stack, context),
      checkInstallation(context),
    ]);
    program.checks.push(...(await checkStoredPlugins(resources, context)));
    const servers = settings
      ? await Promise.all([
          checkServers(settings, context),
          checkAgentServers(resources, settings, context),
          deployment === undefined ? [] : checkConversations(deployment, settings),
        ])
      : [];
    const unredacted = [program, config, ...servers.flat()];
    // A server may repeat the API key in an error, and the Pulumi CLI the credentials of a backend.
    const secrets = [...(settings ? credentialsIn(settings) : []), ...encrypted, ...secretsIn(context.env)];
    const groups = redactGroups(unredacted, (text) => cleanMessage(text, secrets));
    const toFix = groups.flatMap(({ checks }) => checks).filter(({ status }) => status === "fix").length;
    const json = { version: 1, toFix, groups };
    const text = options.json ? `${JSON.stringify(json, null, 2)}\n` : formatReport(groups, toFix, context);
    context.stdout.write(text);
    return toFix > 0 ? EXIT.failure : EXIT.success;
  },
};

const SECRET_VARIABLE = /(?:TOKEN|SECRET|PASSWORD|PASSPHRASE|_KEY)$/i;

/** Returns the values of environment variables whose names end like those of secrets. */
const secretsIn = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value]) => (value && SECRET_VARIABLE.test(name) ? [value] : []));

/** Redacts all texts, before they are colored or wrapped. */
function redactGroups(groups: readonly Group[], redact: (text: string) => string): Group[] {
  return groups.map(({ title, checks }) => ({
    title: redact(title),
    checks: checks.map(({ message, remedy, ...check }) => ({
      ...check,
      message: redact(message),
      ...(remedy !== undefined && { remedy: redact(remedy) }),
    })),
  }));
}

const LABELS = {
  ok: ["ok", "green"],
  note: ["note", "yellow"],
  fix: ["FIX", "red"],
  skipped: ["-", "gray"],
} as const satisfies Record<Check["status"], readonly [string, Parameters<typeof styleText>[0]]>;

function formatReport(groups: readonly Group[], toFix: number, { stdout, env }: CommandContext): string {
  // No colors in files and pipes, or if NO_COLOR is set.
  const isColored = stdout.isTTY === true && !env.NO_COLOR;
  const paint: typeof styleText = (format, text) =>
    isColored ? styleText(format, text, { validateStream: false }) : text;
  const width = columnsOf(stdout) - INDENT.length;
  const lines = groups.flatMap(({ title, checks }) => [paint("bold", title), ...checks.flatMap(formatCheck), ""]);
  function formatCheck({ status, message, remedy = "" }: Check): string[] {
    const [label, color] = LABELS[status];
    const [first = "", ...more] = wrap(message, width);
    const remedyLines = wrap(remedy, width - ARROW.length).map(
      (line, index) => INDENT + (index === 0 ? ARROW : " ".repeat(ARROW.length)) + line,
    );
    return [`  ${paint(color, label.padEnd(5))} ${first}`, ...more.map((line) => INDENT + line), ...remedyLines];
  }
  const summary = toFix === 0 ? "Nothing to fix." : `${toFix} ${toFix === 1 ? "problem" : "problems"} to fix.`;
  return `${[...lines, paint("bold", summary)].join("\n")}\n`;
}

const INDENT = "        ";
const ARROW = "-> ";

const wrap = (text: string, width: number) => text.split("\n").flatMap((line) => wrapLine(line, width));
