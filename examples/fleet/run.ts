// node run.ts preview | up | refresh | destroy <stage>: runs a command on all stacks, the canary group first.
import "./runner/errors.ts";
import { readFleet, wavesOf } from "./fleet.ts";
import { prepareFolder, writeReview } from "./runner/files.ts";
import { readOptions } from "./runner/options.ts";
import { Progress } from "./runner/progress.ts";
import { runStack } from "./runner/stack-run.ts";
import { Stacks } from "./runner/stacks.ts";
import { Threads } from "./runner/threads.ts";
import { runWaves } from "./runner/waves.ts";

const { command, stage, atOnce, stopAfter, only, isSelective, failOn } = readOptions();

// The stacks in progress save what they have done, and no other one starts. Only Ctrl-C reaches Pulumi.
const [stopping, terminating] = [new AbortController(), new AbortController()];
process.on("SIGINT", () => stopping.abort());
process.on("SIGTERM", () => {
  stopping.abort();
  terminating.abort();
});

const fleet = readFleet();
const all = wavesOf(fleet, stage, only);
const [waves, isPreview] = [command === "up" ? all : [all.flat()], command === "preview"];
const stacks = await Stacks.list();
const folder = prepareFolder();
const progress = new Progress(waves.flat());
const threads = new Threads(terminating.signal);
const run = { command, fleet, stacks, threads, progress, folder, isSelective };
const limits = { atOnce, stopAfter: isPreview ? Number.POSITIVE_INFINITY : stopAfter };
const isStopping = () => stopping.signal.aborted;
await runWaves(waves, limits, isStopping, (stack) => runStack(stack, run));
await threads.end();
const hasSucceeded = progress.end();
const removed = stacks.without(stage, wavesOf(fleet, stage).flat());
if (removed.length > 0) console.log(`Not in fleet.yaml: ${removed.join(", ")}. See \`pulumi destroy --remove\`.`);
const isAccepted = command === "up" || isPreview ? writeReview(folder, failOn) : true;
if (!hasSucceeded || !isAccepted) process.exitCode = 1;
