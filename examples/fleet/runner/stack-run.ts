// Runs one command on one stack.
import { join } from "node:path";
import type { Fleet } from "../fleet.ts";
import type { Command } from "./options.ts";
import type { Progress, Result } from "./progress.ts";
import { Recorder } from "./recorder.ts";
import type { Stacks } from "./stacks.ts";
import { isUnchanged, messageOf } from "./unchanged.ts";

export interface Run {
  command: Command;
  fleet: Fleet;
  stacks: Stacks;
  progress: Progress;
  /** Where the output and the events of each stack are written. */
  folder: string;
  /** Whether stacks are skipped that have not changed. */
  isSelective: boolean;
  signal: AbortSignal;
}

/** Returns whether the command succeeded. */
export async function runStack(name: string, run: Run): Promise<boolean> {
  const begin = performance.now();
  run.progress.start(name);
  const recorder = new Recorder(join(run.folder, name), () => run.progress.countAgent(name));
  const result = await perform(name, run, recorder).catch((error) => recorder.fail(error));
  const { agents, errors } = recorder;
  run.progress.finish(name, { result, seconds: (performance.now() - begin) / 1000, agents, errors });
  return result !== "failed";
}

async function perform(name: string, run: Run, { handlers }: Recorder): Promise<Result> {
  const { command, stacks, isSelective } = run;
  const stack = await stacks.open(name);
  const [summary, message] = [stacks.existing.get(name), messageOf(run.fleet, name)];
  const canSkip = isSelective && (command === "preview" || command === "up");
  if (summary && canSkip && (await isUnchanged(stack, summary, message))) return "unchanged";
  // All agents of a stack roll out in parallel. Pulumi adds a listener to the signal with each command.
  const options = { message, parallel: 64, showSecrets: false, signal: AbortSignal.any([run.signal]) };
  await stack[command]({ ...options, ...handlers });
  return "succeeded";
}
