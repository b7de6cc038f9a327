/** `npm run down`: destroys the quickstart, removes its stack and stops the emulator, which keeps its data. */
import { existsSync } from "node:fs";
import { ready } from "../setup/index.mjs";
import { step } from "../setup/step.mjs";
import { storeOptions } from "./agent.mjs";
import { DATA, isRunning, startEmulator, stopEmulator, urlOf } from "./emulator.mjs";
import { choosePort, clearPort } from "./port.mjs";
import { exclusively, prepareStack, runOnStack, stackEnvironment, stackExists } from "./stack.mjs";

export const usage = {
  command: "npm run down",
  summary: "Destroys what `npm run up` deployed and stops the emulator. Its data stays in .agentgraph/emulator.",
};

export async function main() {
  const hasStack = await stackExists();
  if (!hasStack && !existsSync(DATA)) return reportNothing();
  const tools = await ready({ cli: hasStack });
  return exclusively(() => takeDown(tools, hasStack));
}

async function takeDown({ node, pulumi, env }, hasStack) {
  const running = await isRunning(node, env);
  if (!hasStack && !running) return reportNothing();
  if (hasStack && !(await destroy(node, pulumi, env))) {
    console.error(
      "\nThe destroy failed. See the errors above, then run `npm run down` again, or delete .agentgraph/state " +
        "to discard the stack.",
    );
    return 1;
  }
  if (await isRunning(node, env)) await step("Emulator", "stopped; its data is kept", () => stopEmulator(node, env));
  await clearPort();
  await storeOptions([]);
  console.log("The quickstart is stopped.");
  return 0;
}

/**
 * Destroys the stack. Deletions need the platform, so a stopped emulator is started again with its data, and without
 * your agent: one that does not start, or whose folder is gone, would reject the deletion of what it holds.
 */
async function destroy(node, pulumi, env) {
  const port = await choosePort(undefined, {});
  await startEmulator(node, env, port);
  const stackEnv = await stackEnvironment(env, urlOf(port));
  await prepareStack(pulumi, stackEnv);
  console.log("\n$ pulumi destroy");
  const args = ["destroy", "--yes", "--skip-preview", "--suppress-outputs", "--remove"];
  return (await runOnStack(pulumi, stackEnv, args)) === 0;
}

function reportNothing() {
  console.log("Nothing to stop: the quickstart is not running.");
  return 0;
}
