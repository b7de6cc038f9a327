// Runs one command on one stack.
import { join } from "node:path";
import type { Fleet } from "../fleet.ts";
import type { Command } from "./options.ts";
import type { Outcome, Progress } from "./progress.ts";
import { failureOf } from "./recorder.ts";
import type { Stacks } from "./stacks.ts";
import type { Threads } from "./threads.ts";
import { isUnchanged, messageOf } from "./unchanged.ts";

export interface Run {
  command: Command;
  fleet: Fleet;
  stacks: Stacks;
  threads: Threads;
  progress: Progress;
  /** Where the output and the events of each stack are written. */
  folder: string;
  /** Whether stacks are skipped that have not changed. */
  isSelective: boolean;
}

/** Returns whether the command succeeded. */
export async function runStack(name: string, run: Run): Promise<boolean> {
  run.progress.start(name);
  const outcome = await perform(name, run).catch(failureOf);
  run.progress.finish(name, outcome);
  return outcome.result !== "failed";
}

async function perform(name: string, { command, fleet, stacks, threads, ...run }: Run): Promise<Outcome> {
  const stack = await stacks.open(name);
  const [summary, message] = [stacks.existing.get(name), messageOf(fleet, name)];
  const canSkip = run.isSelective && (command === "preview" || command === "up");
  if (summary && canSkip && (await isUnchanged(stack, summary, message)))
    return { result: "unchanged", agents: {}, errors: [] };
  const job = { stack: name, command, message, path: join(run.folder, name) };
  return threads.run(job, () => run.progress.countAgent(name));
}
