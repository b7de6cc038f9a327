/** `agentgraph review`: a preview as a comment for a pull request. It asks no server and needs no key. */
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
  summary: "Turn a preview into Markdown for a pull request: what would happen to the service.",
  words: {
    form: "[files...]",
    meaning: "what `pulumi preview --json` printed, or event logs; one a stack. Without any, or for -, standard input",
  },
  options: [
    { flags: "--fail-on <words>", meaning: "exit with 1 when one of these happens, by comma (below)", read: failOn },
    { flags: "--include-uncertain", meaning: "--fail-on counts what is only possible, too" },
  ],
  help: `
Words of --fail-on:
${known.map((word) => `  ${word.padEnd(10)} ${WORDS[word]}`).join("\n")}

A preview that failed exits with 1 as well; the Markdown is written all the same.
It needs no key and asks no server. The first line is a marker by which a pipeline finds its own comment:
  <!-- agentgraph-review:<project>/<stack> -->

Examples:
  pulumi preview --json | agentgraph review > review.md
  agentgraph review staging.json production.json --fail-on data-loss,replace`,
  found: "the preview failed, or what --fail-on names was found",

  async run(words, options, surroundings) {
    // Loaded here and not above: they are slow to load, and no other command and no --help needs them.
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

/** Says on the error stream why it does not end well, since the other one may go into a file. */
function verdict(reviews: readonly Review[], found: ReturnType<typeof Hits>, { stderr }: Surroundings): ExitCode {
  const failed = reviews.filter(({ isFailed }) => isFailed);
  // What a fork named must not begin a line of its own, which a pipeline may take for a command.
  const say = (text: string) => stderr.write(`${cleanText(line(text, Number.POSITIVE_INFINITY))}\n`);
  for (const { project, stack } of failed) say(`The preview of ${project}/${stack} failed.`);
  for (const [word, names] of Object.entries(found)) {
    const [first, more] = [names.slice(0, 10).join(", "), names.length > 10 ? ` and ${names.length - 10} more` : ""];
    say(`--fail-on ${word}: ${WORDS[word as FailOn]}: ${first}${more}`);
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
      "There is nothing to review: name a file, or send the preview: `pulumi preview --json | agentgraph review`.",
    );
  }
  return [decoded(await readStream(stdin, "Standard input")), "Standard input"];
}

/** A redirection in a shell of Windows writes UTF-16, or a mark before UTF-8. */
function decoded(bytes: Uint8Array): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}

function failOn(given: string): FailOn[] {
  const words = given.split(",").map((word) => word.trim());
  for (const word of words) {
    if ((known as string[]).includes(word)) continue;
    const meant = closestMatch(word, known);
    const what = meant ? `did you mean "${meant}"?` : `there are ${known.join(", ")}.`;
    throw new UsageError(`"${word}" is no word of --fail-on; ${what}`);
  }
  return words as FailOn[];
}
