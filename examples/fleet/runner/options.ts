// The command line of run.ts.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

const COMMANDS = ["preview", "up", "refresh", "destroy"] as const;
export type Command = (typeof COMMANDS)[number];

const USAGE = `Usage: node run.ts preview | up | refresh | destroy <stage> [options]

  --at-once <n>        process so many stacks at the same time (default: one more than the processor has cores)
  --stop-after <n>     start no other stack after so many have failed (default: 1); a preview runs all
  --stack <name>       only this stack; can be repeated
  --all                do not skip the stacks that have not changed since their last update
  --fail-on <effects>  exit with code 1 if the review shows one of these effects, such as data-loss`;

/** Ends the process with the usage if the command line is not valid. */
export function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "at-once": { type: "string", default: String(availableParallelism() + 1) },
      "stop-after": { type: "string", default: "1" },
      stack: { type: "string", multiple: true },
      all: { type: "boolean", default: false },
      "fail-on": { type: "string" },
    },
  });
  const [command, stage] = [COMMANDS.find((name) => name === positionals[0]), positionals[1]];
  const [atOnce, stopAfter] = [Number(values["at-once"]), Number(values["stop-after"])];
  if (!command || !stage || !(atOnce >= 1) || !(stopAfter >= 1)) {
    console.error(USAGE);
    process.exit(2);
  }
  return { command, stage, atOnce, stopAfter, only: values.stack, isSelective: !values.all, failOn: values["fail-on"] };
}
