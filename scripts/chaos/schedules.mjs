/** `npm run chaos -- --seconds N --seed S`: runs random schedules of commands, faults and deaths of the process. */
import { ready } from "../setup/index.mjs";
import { show } from "../setup/run.mjs";

export const usage = {
  command: "npm run chaos",
  summary: "Runs random schedules of commands, faults and deaths of the process, and checks what must hold afterwards.",
  options: {
    seconds: { type: "string", form: "N", meaning: "start no schedule after this time (default: 60)" },
    seed: { type: "string", form: "S", meaning: "seed of the first schedule (default: 1)" },
    engine: { type: "boolean", meaning: "kill processes of the real engine instead; see --engine --help" },
  },
};

export async function main({ seconds = "60", seed = "1" }) {
  const { env } = await ready({ cli: false });
  const variables = { ...env, CHAOS_SECONDS: seconds, CHAOS_SEED: seed };
  return show("npx", ["jest", "test/chaos/chaos.test.ts"], { env: variables });
}
