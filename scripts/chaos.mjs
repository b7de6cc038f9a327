/** `npm run chaos -- --seconds N --seed S`: runs random schedules of commands, faults and killed processes. */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
const env = { ...process.env, CHAOS_SECONDS: values.seconds, CHAOS_SEED: values.seed };
const { status } = spawnSync("npx", ["jest", "test/chaos/chaos.test.ts"], { env, stdio: "inherit" });
process.exit(status ?? 1);
