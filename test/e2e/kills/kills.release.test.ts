/**
 * Kills processes of the real engine, and the emulator, at random moments. Afterwards, once the documentation's advice
 * is followed, every resource exists exactly once, state and server agree, nothing of others was touched, and no secret
 * was shown. `npm run chaos -- --engine --kills N --seed S --seconds N` kills more of them.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endOrphans } from "../support/cli/cli";
import { StackLife, type Totals } from "./stack-life";

const ROUNDS = 6;
const FIXED_KILLS = 2;
/** More of them have the same cause. */
const MAX_FAILURES = 5;
const env = (name: string, fallback: number) => Number(process.env[`KILLS_${name}`] ?? fallback);
const [kills, first, seconds] = [env("COUNT", FIXED_KILLS), env("SEED", 1), env("SECONDS", 600)];
const isCampaign = process.env.KILLS_COUNT !== undefined;

const print = (line: string) => isCampaign && process.stdout.write(`${line}\n`);
const countOf = (totals: Totals) => [...totals.kills.values()].reduce((sum, count) => sum + count, 0);

/** Lives through one stack. @returns Its failure, if any, with what is needed to examine it. */
async function runSeed(seed: number, totals: Totals, isOver: () => boolean): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), `agentgraph-kills-${seed}-`));
  const life = new StackLife(seed, folder, totals);
  try {
    await life.start();
    for (let round = 1; round <= ROUNDS && !isOver(); round++) {
      const line = await life.round();
      print(`${countOf(totals)} kills; seed ${seed}, round ${round}, ${line}`);
    }
    await life.end();
    await rm(folder, { recursive: true, force: true });
    return undefined;
  } catch (error) {
    totals.failures += 1;
    await writeFile(join(folder, "failure.txt"), String((error as Error).stack));
    return (
      `seed ${seed}: ${(error as Error).message}\nState, logs and server: ${folder}\nReproduce: npm run chaos ` +
      `-- --engine --seed ${seed} --kills 10`
    );
  } finally {
    await life.stop();
    endOrphans();
  }
}

test(
  "Programs recover from kills of the CLI, the provider, the language host, all of them, or the server",
  async () => {
    const totals: Totals = { kills: new Map(), rounds: 0, failures: 0, copies: 0, longestMs: 0, idleHosts: 0 };
    const end = Date.now() + seconds * 1000;
    const isOver = () => countOf(totals) >= kills || totals.failures >= MAX_FAILURES || Date.now() > end;
    const failures: string[] = [];
    let seed = first;
    for (; !isOver(); seed++) {
      const failure = await runSeed(seed, totals, isOver);
      if (failure === undefined) continue;
      failures.push(failure);
      print(failure);
    }
    const byVictim = [...totals.kills].map(([victim, count]) => `${victim} ${count}`).join(", ");
    print(
      `${countOf(totals)} kills (${byVictim}) in ${totals.rounds} rounds, seeds ${first} to ${seed - 1}: ` +
        `${failures.length} failures. ` +
        `The last process of a killed run ended after ${totals.longestMs} ms. ${totals.copies} copies had no ` +
        `marker yet; ${totals.idleHosts} hosts had not loaded the package.`,
    );
    if (failures.length > 0) throw new Error(failures.join("\n\n"));
  },
  (seconds + 600) * 1000,
);
