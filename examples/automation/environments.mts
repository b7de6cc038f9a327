// node environments.mts up <name> [image]   or   node environments.mts down <name>
import { parseArgs } from "node:util";
import { CommandError, LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { describeError, onEvent } from "./progress.mts";

const [command, stackName, image] = parseArgs({ allowPositionals: true }).positionals;
if ((command !== "up" && command !== "down") || !stackName) {
  console.error("Usage: node environments.mts up <name> [image] | down <name>");
  process.exit(2);
}

// On SIGTERM, Pulumi finishes and saves the running step and starts no other. (With `once`, a second signal would end
// the process.)
const stopping = new AbortController();
process.on("SIGTERM", () => stopping.abort());
// Ctrl-C also reaches the engine. This program waits until the engine has stopped.
process.on("SIGINT", () => console.log("stopping …"));

try {
  const program = { stackName, workDir: import.meta.dirname };
  const options = { onEvent, signal: stopping.signal, parallel: 64 };
  if (command === "up") {
    const stack = await LocalWorkspace.createOrSelectStack(program);
    if (image) await stack.setConfig("image", { value: image });
    const { outputs, summary } = await stack.up(options);
    console.log(`${summary.result}: ${outputs.url?.value}`);
  } else {
    const stack = await LocalWorkspace.selectStack(program);
    await stack.destroy({ ...options, remove: true });
    console.log(`${stackName} was removed`);
  }
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(`${command} ${stackName}: ${describeError(error)}`);
  process.exitCode = 1;
}
