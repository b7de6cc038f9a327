/** `npm run down`: destroys what the quickstart made, removes its stack and stops the emulator, which keeps its data. */
import { existsSync } from "node:fs";
import { ready } from "../setup/index.mjs";
import { step } from "../setup/step.mjs";
import { DATA, isRunning, startEmulator, stopEmulator, urlOf } from "./emulator.mjs";
import { choosePort, forgetPort } from "./port.mjs";
import { alone, onStack, prepareStack, stackEnvironment, stackExists } from "./stack.mjs";

export const usage = {
  command: "npm run down",
  summary: "Destroys what `npm run up` deployed and stops the emulator. Its data stays in .agentgraph/emulator.",
};

export async function main() {
  const hasStack = await stackExists();
  if (!hasStack && !existsSync(DATA)) return nothing();
  const tools = await ready({ cli: hasStack });
  return alone(() => takeDown(tools, hasStack));
}

async function takeDown({ node, pulumi, env }, hasStack) {
  const running = await isRunning(node, env);
  if (!hasStack && !running) return nothing();
  if (hasStack && !(await destroy(node, pulumi, env))) {
    console.error(
      "\nNot everything could be destroyed, for the reason above: run `npm run down` again, or delete .agentgraph/state to forget the stack.",
    );
    return 1;
  }
  if (await isRunning(node, env)) await step("Emulator", "stopped, its data kept", () => stopEmulator(node, env));
  await forgetPort();
  console.log("Nothing of the quickstart is left running.");
  return 0;
}

/** Deletes need the platform: a stopped emulator is started again, with the data it had. */
async function destroy(node, pulumi, env) {
  const port = await choosePort(undefined, {});
  await startEmulator(node, env, port);
  const stackEnv = await stackEnvironment(env, urlOf(port));
  await prepareStack(pulumi, stackEnv);
  console.log("\n$ pulumi destroy");
  const args = ["destroy", "--yes", "--skip-preview", "--suppress-outputs", "--remove"];
  return (await onStack(pulumi, stackEnv, args)) === 0;
}

function nothing() {
  console.log("Nothing is running.");
  return 0;
}
