/** `agentgraph review`: formats a preview as a comment for a pull request. Sends no requests. */
import { resolve } from "node:path";
import { cleanText } from "../provider/text/clean";
import { closestMatch } from "../provider/text/did-you-mean";
import { EFFECTS, type FailOn, WIDER } from "./review/fail-on";
import type { Preview } from "./review/preview-json";
import type { hits as Hits, Review } from "./review/summary";
import { readInput, readStream } from "./shared/input-file";
import { line } from "./shared/markdown";
import { EXIT, type ExitCode, type Subcommand, type Surroundings, UsageError } from "./shared/subcommand";

const WORDS = { ...EFFECTS, ...WIDER };
const known = Object.keys(WORDS) as FailOn[];

export const review: Subcommand = {
  name: "review",
  summary: "Turn a preview into a Markdown comment for a pull request.",
  words: {
    form: "[files...]",
    meaning: "output of `pulumi preview --json`, or event logs, one per stack (default: standard input, also as -)",
  },
  options: [
    {
      flags: "--fail-on <effects>",
      meaning: "exit with code 1 if one of these effects occurs (see below)",
      read: failOn,
    },
    { flags: "--include-uncertain", meaning: "--fail-on also matches effects that are only possible" },
  ],
  help: `
Effects for --fail-on, separated by commas:
${known.map((word) => `  ${word.padEnd(10)} ${WORDS[word]}`).join("\n")}

If the preview failed, the command also exits with code 1; the Markdown is still printed. The command needs no API key
and sends no requests. The first line is a marker by which a pipeline can find and update its comment:
  <!-- agentgraph-review:<project>/<stack> -->

Examples:
  pulumi preview --json | agentgraph review > review.md
  agentgraph review staging.json production.json --fail-on data-loss,replace`,
  found: "the preview failed, or an effect of --fail-on occurs",

  async run(words, options, surroundings) {
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { comment } = await import("./review/comment.js");
    const { readPreview } = await import("./review/preview-json.js");
    const { hits, markerOf, reviewOf } = await import("./review/summary.js");
    const files = words.length > 0 ? words : ["-"];
    const previews: Preview[] = [];
    for (const file of files) previews.push(readPreview(...(await read(file, surroundings))));
    const reviews = previews.map((preview) => reviewOf(preview, surroundings.now()));
    const wanted = (options.failOn as FailOn[] | undefined) ?? [];
    const found = hits(reviews, wanted, options.includeUncertain === true);
    const json = { version: 1, marker: markerOf(previews), failOn: { wanted, found }, stacks: reviews };
    surroundings.stdout.write(cleanText(options.json ? `${JSON.stringify(json, null, 2)}\n` : comment(reviews)));
    return verdict(reviews, found, surroundings);
  },
};

/** Reports failures on the error stream, since the output may be redirected to a file. */
function verdict(reviews: readonly Review[], found: ReturnType<typeof Hits>, { stderr }: Surroundings): ExitCode {
  const failed = reviews.filter(({ isFailed }) => isFailed);
  // A name from a fork must not start a line, which a pipeline could interpret as a command.
  const say = (text: string) => stderr.write(`${cleanText(line(text, Number.POSITIVE_INFINITY))}\n`);
  for (const { project, stack } of failed) say(`The preview of ${project}/${stack} failed.`);
  for (const [word, names] of Object.entries(found)) {
    const [first, more] = [names.slice(0, 10).join(", "), names.length > 10 ? ` and ${names.length - 10} more` : ""];
    say(`--fail-on ${word} (${WORDS[word as FailOn]}): ${first}${more}`);
  }
  return failed.length > 0 || Object.keys(found).length > 0 ? EXIT.found : EXIT.fine;
}

async function read(file: string, { stdin, folder }: Surroundings): Promise<[content: string, name: string]> {
  if (file !== "-") {
    const remedy = "Save the output of `pulumi preview --json` to that file.";
    return [decoded(await readInput(resolve(folder, file), file, remedy)), file];
  }
  if (stdin.isTTY) {
    throw new UsageError(
      "Nothing to review. Pass a file, or pipe a preview: `pulumi preview --json | agentgraph review`.",
    );
  }
  return [decoded(await readStream(stdin, "Standard input")), "Standard input"];
}

/** Decodes a file. Redirection on Windows writes UTF-16, or UTF-8 with a byte order mark. */
function decoded(bytes: Uint8Array): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}

function failOn(given: string): FailOn[] {
  const words = given.split(",").map((word) => word.trim());
  for (const word of words) {
    if ((known as string[]).includes(word)) continue;
    const meant = closestMatch(word, known);
    const what = meant ? `did you mean "${meant}"?` : `expected one of ${known.join(", ")}.`;
    throw new UsageError(`Unknown effect "${word}"; ${what}`);
  }
  return words as FailOn[];
}
