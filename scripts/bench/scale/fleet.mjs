/** `npm run bench -- --fleet`: hundreds of deployments, their parallel rollouts, and what `--parallel` saves. */
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { step } from "../../setup/step.mjs";
import { median, rolloutDelays } from "../engine.mjs";
import { probe } from "../processes.mjs";
import { writeFloor } from "../programs.mjs";
import { slowEmulator } from "./scale.mjs";
import { costOf, costOfProcess } from "./usage.mjs";

const PARALLEL = 100;
const ROLLOUTS = 60;
const COMMANDS = {
  up: ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};
const HEADING = ["step", "s", "baseline s", "CPU s", "baseline", "host CPU s", "host MB", "requests", "emulator CPU s"];

/** @param options.sizes Numbers of deployments to compare. @param options.rounds Repetitions of 100 deployments. */
export async function fleet(sandbox, { sizes, rounds }) {
  const floor = await writeFloor(join(sandbox.folder, "floor"));
  const measure = (size, delay, options, rounds) =>
    step("Fleet", `${size} deployments`, (now) => compare(sandbox, floor, { size, delay, options, rounds }, now));
  await measure(100, 150, [], rounds);
  await measure(100, 150, ["--parallel", String(PARALLEL)], rounds);
  for (const size of sizes) await step("Fleet", `${size} deployments without the engine`, () => linear(sandbox, size));
  for (const size of sizes) await measure(size, 50, ["--parallel", String(PARALLEL)], 1);
  await step("Fleet", `${ROLLOUTS} rollouts`, (now) => rollouts(sandbox, now));
  console.log(`\nMachine: ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the end.`);
}

/** Runs each step for both programs in turn, so that other load of the machine affects both, and prints the medians. */
async function compare(sandbox, floorProgram, { size, delay, options, rounds }, now) {
  const url = await slowEmulator(sandbox, delay);
  const name = `${size}-${options.length}`;
  const subjects = [
    { folder: sandbox.program, cli: await sandbox.stack(`ours-${name}`, url, size), costs: {} },
    { folder: floorProgram, cli: await sandbox.stack(`floor-${name}`, url, size, floorProgram), costs: {} },
  ];
  for (let round = 1; round <= rounds; round++) {
    for (const command of Object.keys(COMMANDS)) {
      for (const { folder, cli, costs } of subjects) {
        now(`${size} deployments, ${command}, round ${round}`);
        await fetch(`${url}/_emulator/journal`, { method: "DELETE" });
        const before = costOfProcess(sandbox.pidOf(url));
        const cost = await costOf(folder, () => cli(...COMMANDS[command], ...options));
        const { count: requests } = await (await fetch(`${url}/_emulator/journal`)).json();
        const after = costOfProcess(sandbox.pidOf(url));
        costs[command] ??= [];
        costs[command].push({ ...cost, requests, emulator: after.seconds - before.seconds });
      }
    }
  }
  const [ours, floor] = subjects.map(({ costs }) => costs);
  const { megabytes } = costOfProcess(sandbox.pidOf(url));
  console.log(
    `\n${size} deployments, each request delayed by ${delay} ms, ${options.join(" ") || "default parallelism"}`,
  );
  for (const line of [HEADING, ...Object.keys(COMMANDS).map((name) => row(name, ours[name], floor[name]))])
    console.log(line.map((cell) => cell.padEnd(12)).join(""));
  console.log(
    `Memory of the emulator: ${megabytes.toFixed(0)} MB. Load: ${loadavg()[0].toFixed(1)}. Median of ${rounds}.`,
  );
}

function row(name, ours, floor) {
  const of = (costs, value, digits = 1) => median(costs.map(value)).toFixed(digits);
  return [
    name,
    of(ours, ({ seconds }) => seconds),
    of(floor, ({ seconds }) => seconds),
    of(ours, ({ cpu }) => cpu),
    of(floor, ({ cpu }) => cpu),
    of(ours, ({ host }) => host.seconds),
    of(ours, ({ host }) => host.megabytes, 0),
    of(ours, ({ requests }) => requests, 0),
    of(ours, ({ emulator }) => emulator),
  ];
}

/** Prints what the provider and the emulator need without the engine. */
async function linear(sandbox, size) {
  const url = await slowEmulator(sandbox, 50);
  const costs = await probe(sandbox, "fleet", {
    FLEET_SIZE: String(size),
    FLEET_PARALLEL: String(PARALLEL),
    FLEET_URL: url,
    FLEET_EMULATOR: String(sandbox.pidOf(url)),
  });
  console.log(`\n${size} deployments without the engine, ${PARALLEL} in parallel, each request delayed by 50 ms`);
  for (const [name, { seconds, cpu, megabytes, emulator }] of Object.entries(costs))
    console.log(
      `${name}: ${seconds.toFixed(1)} s; provider CPU ${cpu.toFixed(1)} s, ${megabytes.toFixed(0)} MB; emulator CPU ${emulator.cpu.toFixed(1)} s, ${emulator.megabytes.toFixed(0)} MB`,
    );
  const { count } = await (await fetch(`${url}/_emulator/journal`)).json();
  console.log(`Requests: ${count}. Load: ${loadavg()[0].toFixed(1)}.`);
}

/** Rolls out all at once at real speed: the requests while they wait, and how late each end is detected. */
async function rollouts({ startEmulator, stack, program }, now) {
  const url = await startEmulator("1");
  const cli = await stack("rollouts-many", url, ROLLOUTS);
  now(`${ROLLOUTS} rollouts in parallel`);
  let [minutes, polls] = [0, 0];
  // The benchmark itself reads the times of the revisions afterwards.
  const counted = async (...args) => {
    const begin = performance.now();
    await cli(...args);
    minutes = (performance.now() - begin) / 60_000;
    const { entries } = await (await fetch(`${url}/_emulator/journal`)).json();
    polls = entries.filter(({ method }) => method === "GET").length;
  };
  const delays = await rolloutDelays({ cli: counted, url, program }, ["--parallel", String(ROLLOUTS)]);
  console.log(
    `\n${ROLLOUTS} rollouts with one up: ${delays.length} ended after ${(minutes * 60).toFixed(0)} s; ${polls} reads, ${(polls / minutes).toFixed(0)} per minute of the command; from DEPLOYED to resource done: median ${median(delays).toFixed(0)} ms, slowest ${Math.max(...delays).toFixed(0)} ms`,
  );
}
