// node environments.mts up <name> [image]   or   node environments.mts down <name>
import { parseArgs } from "node:util";
import { type EngineEvent, LocalWorkspace } from "@pulumi/pulumi/automation/index.js";

const [verb, stackName, image] = parseArgs({ allowPositionals: true }).positionals;
if ((verb !== "up" && verb !== "down") || !stackName) throw new Error("Say: up <name> [image], or down <name>.");

const stack = await LocalWorkspace.createOrSelectStack({ stackName, workDir: import.meta.dirname });
if (image) await stack.setConfig("image", { value: image });

// Asked to stop, it finishes and saves the step that runs, and begins no other. (With `once` it would end at once.)
const stopping = new AbortController();
process.on("SIGTERM", () => stopping.abort());
// Ctrl-C reaches the engine by itself, and this program waits for it.
process.on("SIGINT", () => console.log("stopping …"));

function onEvent({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: EngineEvent): void {
  const begun = resourcePreEvent?.metadata;
  if (begun && begun.op !== "same") console.log(`${begun.op} ${begun.urn.split("::").at(-1)} …`);
  if (resOutputsEvent) console.log(`${resOutputsEvent.metadata.urn.split("::").at(-1)} done`);
  // Ephemeral ones are the progress of a rollout: `DEPLOYING, 12 s`.
  if (diagnosticEvent && String(diagnosticEvent.severity) !== "debug")
    console.log(`  ${diagnosticEvent.message.trim()}`);
}

if (verb === "up") {
  const { outputs, summary } = await stack.up({ onEvent, signal: stopping.signal });
  console.log(`${summary.result}: ${outputs.url?.value}`);
} else {
  await stack.destroy({ onEvent, remove: true, signal: stopping.signal });
  console.log(`${stackName} is gone`);
}
