// node affected.ts <stage> [--all]: finds the stacks that need an update, and prints them as outputs of a GitHub job.
import "./runner/errors.ts";
import { parseArgs } from "node:util";
import { readFleet, wavesOf } from "./fleet.ts";
import { Stacks } from "./runner/stacks.ts";
import { isUnchanged, messageOf } from "./runner/unchanged.ts";
import { runWaves } from "./runner/waves.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: "boolean" } } });
const fleet = readFleet();
const waves = wavesOf(fleet, positionals[0] ?? "");
const [stacks, affected] = [await Stacks.list(), new Set<string>()];

async function find(name: string): Promise<boolean> {
  const summary = stacks.existing.get(name);
  const isCurrent = summary && (await isUnchanged(await stacks.open(name), summary, messageOf(fleet, name)));
  if (!isCurrent || values.all) affected.add(name);
  return true;
}

await runWaves([waves.flat()], { atOnce: 4, stopAfter: 1 }, () => false, find);
const [canary = [], ...others] = waves.map((wave) => wave.filter((name) => affected.has(name)));
const outputs = { stacks: [...canary, ...others.flat()], canary, others: others.flat() };
for (const [name, list] of Object.entries(outputs)) console.log(`${name}=${JSON.stringify(list)}`);
