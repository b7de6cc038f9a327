// node environments.mts up <name> [image]   or   node environments.mts down <name>
import { parseArgs } from "node:util";
import { CommandError, LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { onEvent, why } from "./progress.mts";

const [verb, stackName, image] = parseArgs({ allowPositionals: true }).positionals;
if ((verb !== "up" && verb !== "down") || !stackName) {
  console.error("Say: up <name> [image], or down <name>.");
  process.exit(2);
}

// Asked to stop, it finishes and saves the step that runs, and begins no other. (With `once` it would end at once.)
const stopping = new AbortController();
process.on("SIGTERM", () => stopping.abort());
// Ctrl-C reaches the engine by itself, and this program waits for it.
process.on("SIGINT", () => console.log("stopping …"));

try {
  const place = { stackName, workDir: import.meta.dirname };
  const options = { onEvent, signal: stopping.signal, parallel: 64 };
  if (verb === "up") {
    const stack = await LocalWorkspace.createOrSelectStack(place);
    if (image) await stack.setConfig("image", { value: image });
    const { outputs, summary } = await stack.up(options);
    console.log(`${summary.result}: ${outputs.url?.value}`);
  } else {
    const stack = await LocalWorkspace.selectStack(place);
    await stack.destroy({ ...options, remove: true });
    console.log(`${stackName} is gone`);
  }
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(`${verb} ${stackName}: ${why(error)}`);
  process.exitCode = 1;
}
