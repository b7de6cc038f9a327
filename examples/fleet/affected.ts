// node affected.ts <stage>: prints the stacks of a stage, and those that need an update, as outputs of a GitHub job.
import "./runner/errors.ts";
import { readFleet, wavesOf } from "./fleet.ts";
import { Stacks } from "./runner/stacks.ts";
import { isUnchanged, messageOf } from "./runner/unchanged.ts";
import { runWaves } from "./runner/waves.ts";

const fleet = readFleet();
const waves = wavesOf(fleet, process.argv[2] ?? "");
const [stacks, affected] = [await Stacks.list(), new Set<string>()];

async function find(name: string): Promise<boolean> {
  const summary = stacks.existing.get(name);
  const isCurrent = summary && (await isUnchanged(await stacks.open(name), summary, messageOf(fleet, name)));
  if (!isCurrent) affected.add(name);
  return true;
}

await runWaves([waves.flat()], { atOnce: 4, stopAfter: 1 }, () => false, find);
const [canary = [], ...others] = waves.map((wave) => wave.filter((name) => affected.has(name)));
const outputs = { all: waves.flat(), affected: [...canary, ...others.flat()], canary, others: others.flat() };
for (const [name, list] of Object.entries(outputs)) console.log(`${name}=${JSON.stringify(list)}`);
