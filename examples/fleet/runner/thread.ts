// Runs commands of Pulumi, one after another, in a thread that `Threads` has started.
import { parentPort } from "node:worker_threads";
import { Stack } from "@pulumi/pulumi/automation/index.js";
import declareAgents from "../index.ts";
import type { Command } from "./options.ts";
import type { Outcome } from "./progress.ts";
import { Recorder } from "./recorder.ts";
import { openProject } from "./stacks.ts";

export interface Job {
  stack: string;
  command: Command;
  /** The message of the update, see `messageOf`. */
  message: string;
  /** The output is written to `<path>.log`, and the events to `<path>.json`. */
  path: string;
}

/** What a thread reports: that an agent is done, or the outcome of the job. */
export type Report = "agent" | Outcome;

const report = (what: Report) => parentPort?.postMessage(what);
const stopping = new AbortController();
const project = openProject();

async function perform({ stack, command, message, path }: Job): Promise<Outcome> {
  const recorder = new Recorder(path, () => report("agent"));
  // Its summary of an update, which no one reads, would start Pulumi again.
  const opened = Object.assign(await Stack.select(stack, await project), { info: async () => undefined });
  // All agents of a stack roll out in parallel. Pulumi adds a listener to the signal with each command.
  const signal = AbortSignal.any([stopping.signal]);
  const options = { message, parallel: 64, signal, ...recorder.handlers };
  const program = async () => declareAgents();
  const run = {
    preview: () => opened.preview({ ...options, program }),
    up: () => opened.up({ ...options, program }),
    refresh: () => opened.refresh(options),
    destroy: () => opened.destroy(options),
  };
  return run[command]().then(
    () => recorder.success(),
    (error) => recorder.failure(error),
  );
}

parentPort?.on("message", async (job: Job | "stop") => {
  if (job === "stop") stopping.abort();
  else report(await perform(job));
});
