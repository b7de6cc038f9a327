/** `agentgraph doctor`: what stands between a program and the service, and what to do about it. It changes nothing. */
import { styleText } from "node:util";
import type { Check, Group } from "./doctor/check";
import { EXIT, type Subcommand, type Surroundings } from "./shared/subcommand";

export const doctor: Subcommand = {
  name: "doctor",
  summary: "Check settings, key, service and installation, and say what to fix. Changes nothing.",
  options: [{ flags: "--stack <name>", meaning: "the stack whose config is read; the selected one when absent" }],
  help: `
Settings are those that a program in this folder would have: of the stack where there is a Pulumi.yaml and the Pulumi
CLI, else of the environment. The service is only asked (GET, OPTIONS). No key is ever shown.

Examples:
  agentgraph doctor
  agentgraph doctor --stack production --json`,
  found: "something must be fixed",

  async run(_words, options, surroundings) {
    // Loaded here and not above: they are slow to load, and no other command and no --help needs them.
    const { checkProgram } = await import("./doctor/program.js");
    const { checkService } = await import("./doctor/service.js");
    const { findSettings } = await import("./doctor/settings.js");
    const { cleanMessage: clean } = await import("../provider/text/clean.js");
    const { credentialsIn } = await import("../provider/settings/settings.js");
    const stack = options.stack as string | undefined;
    const { group: config, settings } = await findSettings(stack, surroundings);
    const program = await checkProgram(surroundings);
    const found = [program, config, ...(settings ? await checkService(settings, surroundings) : [])];
    // A server may repeat in an error what it was sent.
    const secrets = settings ? credentialsIn(settings) : [];
    const groups = cleaned(found, (text) => clean(text, secrets));
    const toFix = groups.flatMap(({ checks }) => checks).filter(({ status }) => status === "fix").length;
    const json = { version: 1, toFix, groups };
    const text = options.json ? `${JSON.stringify(json, null, 2)}\n` : report(groups, toFix, surroundings);
    surroundings.stdout.write(text);
    return toFix > 0 ? EXIT.found : EXIT.fine;
  },
};

/** Before anything is painted or broken into lines. */
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
  // A file or a pipe gets no colours, and nobody who does not want them.
  const coloured = stdout.isTTY === true && !env.NO_COLOR;
  const painted: typeof styleText = (format, text) =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  const lines = groups.flatMap(({ title, checks }) => [painted("bold", title), ...checks.flatMap(told), ""]);
  function told({ status, says, todo = "" }: Check): string[] {
    const [word, colour] = MARKS[status];
    const [first = "", ...more] = wrapped(says);
    const steps = wrapped(todo).map((line, index) => `${INDENT}${index === 0 ? "-> " : "   "}${line}`);
    return [`  ${painted(colour, word.padEnd(5))} ${first}`, ...more.map((line) => INDENT + line), ...steps];
  }
  const last = toFix === 0 ? "Nothing to fix." : `${toFix} ${toFix === 1 ? "thing" : "things"} to fix.`;
  return `${[...lines, painted("bold", last)].join("\n")}\n`;
}

const INDENT = "        ";
/** Characters of a line, without its indentation. */
const WIDTH = 100;

/** Lines that a terminal shows whole, broken between words. */
function wrapped(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap(
    (line) => line.trim().match(new RegExp(`\\S(?:.{0,${WIDTH - 2}}\\S)?(?=\\s|$)|\\S+`, "g")) ?? [],
  );
}
