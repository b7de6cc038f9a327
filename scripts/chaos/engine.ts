/** `npm run chaos -- --engine`: kills processes of the real engine, and the emulator, at random moments. */
import { ready } from "../setup/index.mjs";
import { show } from "../setup/run.mjs";

export const usage = {
  command: "npm run chaos -- --engine",
  summary: "Kills the Pulumi CLI, its providers and the emulator at random moments, and checks that nothing is lost.",
  options: {
    engine: { type: "boolean", meaning: "kill processes of the real engine" },
    kills: { type: "string", form: "N", meaning: "number of kills (default: 200)" },
    seconds: { type: "string", form: "N", meaning: "start no round after this time (default: 7200)" },
    seed: { type: "string", form: "S", meaning: "seed of the first stack (default: 1)" },
  },
};

export async function main({ kills = "200", seconds = "7200", seed = "1" }: Record<string, string>) {
  const { env } = await ready();
  const variables = { ...env, KILLS_COUNT: kills, KILLS_SECONDS: seconds, KILLS_SEED: seed };
  return show("npx", ["jest", "test/e2e/kills/kills.release.test.ts"], { env: variables });
}
