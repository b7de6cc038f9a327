/**
 * `agentgraph review`: formats a preview as a comment for a pull request. Sends no requests, unless `--live` is passed.
 */
import { resolve } from "node:path";
import { cleanText } from "../../provider/text/clean";
import { closestMatch } from "../../provider/text/did-you-mean";
import { EFFECTS, type FailOn, OTHER_VALUES } from "../review/fail-on";
import type { Preview } from "../review/preview/preview-json";
import type { Matches, Review } from "../review/summary";
import { readInputFile, readStream } from "../shared/input-file";
import { printJson } from "../shared/json";
import {
  type CommandContext,
  EXIT,
  type ExitCode,
  type Options,
  type Subcommand,
  UsageError,
} from "../shared/subcommand";
import { singleLine } from "../shared/text/markdown";

const FAIL_ON_VALUES = { ...EFFECTS, ...OTHER_VALUES };
const FAIL_ON_NAMES = Object.keys(FAIL_ON_VALUES) as FailOn[];
const NAME_WIDTH = Math.max(...FAIL_ON_NAMES.map(({ length }) => length));

interface ReviewOptions extends Options {
  failOn?: FailOn[];
  stack?: string;
}

export const review: Subcommand<ReviewOptions> = {
  name: "review",
  summary: "Turn a preview into a Markdown comment for a pull request.",
  args: {
    form: "[files...]",
    description:
      "output of `pulumi preview --json`, or event logs, also of updates, one per stack (default: standard " +
      "input, also as -)",
  },
  options: [
    {
      flags: "--fail-on <effects>",
      description: "exit with code 1 if one of these effects occurs (see below)",
      parse: parseFailOn,
    },
    { flags: "--live", description: "ask the agent servers what would be lost (read-only)" },
    {
      flags: "--stack <name>",
      description: "with --live: stack whose configuration is used (default: that of the preview)",
    },
    { flags: "--include-uncertain", description: "--fail-on also matches effects that are only possible" },
  ],
  help: `
Effects for --fail-on, separated by commas:
${FAIL_ON_NAMES.map((effect) => `  ${effect.padEnd(NAME_WIDTH)} ${FAIL_ON_VALUES[effect]}`).join("\n")}

If the preview failed, the command also exits with code 1; the Markdown is still
printed. The command needs no API key and sends no requests. The first line is a
marker by which a pipeline can find its comment, among those of its own user:
  <!-- agentgraph-review:<project>/<stack> -->

With --live, the command counts the conversations of each deployment that would
be replaced or deleted, with searches of its agent server that change nothing,
within 10 seconds. It uses the settings of the stack, and needs the API key.

Examples:
  pulumi preview --json | agentgraph review > review.md
  agentgraph review staging.json production.json --fail-on data-loss,replace
  agentgraph review --live --fail-on conversations-lost preview.json`,
  failureMeaning: "the preview failed, or an effect of --fail-on occurs",

  async run(args, options, context) {
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { formatComment } = await import("../review/comment/comment.js");
    const { readPreview } = await import("../review/preview/preview-json.js");
    const { findMatches, markerOf, reviewJson, reviewOf } = await import("../review/summary.js");
    const files = args.length > 0 ? args : ["-"];
    const previews: Preview[] = [];
    for (const file of files) previews.push(readPreview(...(await readInput(file, context))));
    const { failOn: requested = [], stack } = options;
    const { addStakes } = await import("../review/live.js");
    const planned = previews.map((preview) => ({ preview, review: reviewOf(preview, context.now()) }));
    const isLive = options.live === true;
    const isNeeded = isLive || requested.includes("conversations-lost");
    const reviews = isNeeded ? await addStakes(planned, { isLive, stack, context }) : planned.map((one) => one.review);
    const matches = findMatches(reviews, requested, options.includeUncertain === true);
    const failOn = { requested, matches };
    const json = reviewJson({ marker: markerOf(previews), failOn, stacks: reviews });
    context.stdout.write(options.json ? printJson(json) : cleanText(formatComment(reviews)));
    return reportFailures(reviews, matches, context);
  },
};

/** Reports failures on the error stream, since the output may be redirected to a file. */
function reportFailures(reviews: readonly Review[], matches: Matches, { stderr }: CommandContext): ExitCode {
  const failed = reviews.filter(({ isFailed }) => isFailed);
  // A name from a fork must not start a line, which a pipeline could interpret as a command.
  const writeLine = (text: string) => stderr.write(`${cleanText(singleLine(text, Number.POSITIVE_INFINITY))}\n`);
  for (const { project, stack, isApplied } of failed)
    writeLine(`The ${isApplied ? "update" : "preview"} of ${project}/${stack} failed.`);
  for (const [effect, names] of Object.entries(matches)) {
    const [first, more] = [names.slice(0, 10).join(", "), names.length > 10 ? ` and ${names.length - 10} more` : ""];
    writeLine(`--fail-on ${effect} (${FAIL_ON_VALUES[effect as FailOn]}): ${first}${more}`);
  }
  return failed.length > 0 || Object.keys(matches).length > 0 ? EXIT.failure : EXIT.success;
}

async function readInput(file: string, { stdin, folder }: CommandContext): Promise<[content: string, name: string]> {
  if (file !== "-") {
    const remedy = "Save the output of `pulumi preview --json` to that file.";
    return [await readInputFile(resolve(folder, file), file, remedy), file];
  }
  if (stdin.isTTY) {
    throw new UsageError(
      "Nothing to review. Pass a file, or pipe a preview: `pulumi preview --json | agentgraph review`.",
    );
  }
  return [await readStream(stdin, "Standard input"), "Standard input"];
}

function parseFailOn(text: string): FailOn[] {
  const effects = text.split(",").map((effect) => effect.trim());
  for (const effect of effects) {
    if ((FAIL_ON_NAMES as string[]).includes(effect)) continue;
    const suggestion = closestMatch(effect, FAIL_ON_NAMES);
    const hint = suggestion ? `did you mean "${suggestion}"?` : `expected one of ${FAIL_ON_NAMES.join(", ")}.`;
    throw new UsageError(`Unknown effect "${effect}"; ${hint}`);
  }
  return effects as FailOn[];
}
