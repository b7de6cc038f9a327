// node environments.mts up <name> [image]   or   node environments.mts down <name>
import { parseArgs } from "node:util";
import * as automation from "@pulumi/pulumi/automation/index.js";

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

let saidWhy = false;
function onEvent({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: automation.EngineEvent): void {
  const begun = resourcePreEvent?.metadata;
  if (begun && begun.op !== "same") console.log(`${begun.op} ${begun.urn.split("::").at(-1)} …`);
  if (resOutputsEvent) console.log(`${resOutputsEvent.metadata.urn.split("::").at(-1)} done`);
  if (diagnosticEvent?.severity === "error") saidWhy = true;
  // Ephemeral ones are the progress of a rollout: `DEPLOYING, 12 s`.
  if (diagnosticEvent && String(diagnosticEvent.severity) !== "debug")
    console.log(`  ${diagnosticEvent.message.trim()}`);
}

function why(error: automation.CommandError): string {
  if (error instanceof automation.StackNotFoundError) return "there is no such environment";
  if (error instanceof automation.ConcurrentUpdateError)
    return "another run is at work on it. If that one was killed, say first: pulumi cancel";
  // The error holds all of the output once more.
  return saidWhy ? "the lines above say why" : error.message;
}

try {
  const place = { stackName, workDir: import.meta.dirname };
  const options = { onEvent, signal: stopping.signal };
  if (verb === "up") {
    const stack = await automation.LocalWorkspace.createOrSelectStack(place);
    if (image) await stack.setConfig("image", { value: image });
    const { outputs, summary } = await stack.up(options);
    console.log(`${summary.result}: ${outputs.url?.value}`);
  } else {
    const stack = await automation.LocalWorkspace.selectStack(place);
    await stack.destroy({ ...options, remove: true });
    console.log(`${stackName} is gone`);
  }
} catch (error) {
  if (!(error instanceof automation.CommandError)) throw error;
  console.error(`${verb} ${stackName}: ${why(error)}`);
  process.exitCode = 1;
}
