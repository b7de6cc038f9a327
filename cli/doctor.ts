/** `agentgraph doctor`: finds what prevents a program from reaching the server, and how to fix it. Read-only. */
import { styleText } from "node:util";
import type { Check, Group } from "./doctor/check";
import { EXIT, type Subcommand, type Surroundings } from "./shared/subcommand";

export const doctor: Subcommand = {
  name: "doctor",
  summary: "Check settings, API key, server and installation. Read-only.",
  options: [{ flags: "--stack <name>", meaning: "stack whose configuration is used (default: the selected stack)" }],
  help: `
Uses the settings of a program in this folder: those of the stack if there is a Pulumi.yaml and the Pulumi CLI is
installed, otherwise those of the environment. Sends only GET and OPTIONS requests. API keys are never printed.

Examples:
  agentgraph doctor
  agentgraph doctor --stack production --json`,
  found: "problems to fix",

  async run(_words, options, surroundings) {
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { checkProgram } = await import("./doctor/program.js");
    const { checkService } = await import("./doctor/service.js");
    const { findSettings } = await import("./doctor/settings.js");
    const { cleanMessage: clean } = await import("../provider/text/clean.js");
    const { credentialsIn } = await import("../provider/settings/settings.js");
    const stack = options.stack as string | undefined;
    const { group: config, settings } = await findSettings(stack, surroundings);
    const program = await checkProgram(surroundings);
    const found = [program, config, ...(settings ? await checkService(settings, surroundings) : [])];
    // A server may repeat the API key in an error.
    const secrets = settings ? credentialsIn(settings) : [];
    const groups = cleaned(found, (text) => clean(text, secrets));
    const toFix = groups.flatMap(({ checks }) => checks).filter(({ status }) => status === "fix").length;
    const json = { version: 1, toFix, groups };
    const text = options.json ? `${JSON.stringify(json, null, 2)}\n` : report(groups, toFix, surroundings);
    surroundings.stdout.write(text);
    return toFix > 0 ? EXIT.found : EXIT.fine;
  },
};

/** Redacts all texts, before they are colored or wrapped. */
function cleaned(groups: readonly Group[], safe: (text: string) => string): Group[] {
  return groups.map(({ title, checks }) => ({
    title: safe(title),
    checks: checks.map(({ says, todo, ...check }) => ({
      ...check,
      says: safe(says),
      ...(todo !== undefined && { todo: safe(todo) }),
    })),
  }));
}

const MARKS = {
  ok: ["ok", "green"],
  note: ["note", "yellow"],
  fix: ["FIX", "red"],
  skipped: ["-", "gray"],
} as const satisfies Record<Check["status"], readonly [string, Parameters<typeof styleText>[0]]>;

function report(groups: readonly Group[], toFix: number, { stdout, env }: Surroundings): string {
  // No colors in files and pipes, or if NO_COLOR is set.
  const isColored = stdout.isTTY === true && !env.NO_COLOR;
  const painted: typeof styleText = (format, text) =>
    isColored ? styleText(format, text, { validateStream: false }) : text;
  const lines = groups.flatMap(({ title, checks }) => [painted("bold", title), ...checks.flatMap(told), ""]);
  function told({ status, says, todo = "" }: Check): string[] {
    const [word, color] = MARKS[status];
    const [first = "", ...more] = wrapped(says);
    const steps = wrapped(todo).map((line, index) => `${INDENT}${index === 0 ? "-> " : "   "}${line}`);
    return [`  ${painted(color, word.padEnd(5))} ${first}`, ...more.map((line) => INDENT + line), ...steps];
  }
  const last = toFix === 0 ? "Nothing to fix." : `${toFix} ${toFix === 1 ? "problem" : "problems"} to fix.`;
  return `${[...lines, painted("bold", last)].join("\n")}\n`;
}

const INDENT = "        ";
/** Characters of a line, without indentation. */
const WIDTH = 100;

/** Wraps text between words. */
function wrapped(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap(
    (line) => line.trim().match(new RegExp(`\\S(?:.{0,${WIDTH - 2}}\\S)?(?=\\s|$)|\\S+`, "g")) ?? [],
  );
}
