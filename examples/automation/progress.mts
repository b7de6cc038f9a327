// Prints the progress of a run, and describes why it failed.
import * as automation from "@pulumi/pulumi/automation/index.js";

let hasPrintedError = false;

export function onEvent({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: automation.EngineEvent): void {
  const started = resourcePreEvent?.metadata;
  if (started && started.op !== "same") console.log(`${started.op} ${started.urn.split("::").at(-1)} …`);
  if (resOutputsEvent) console.log(`${resOutputsEvent.metadata.urn.split("::").at(-1)} done`);
  if (diagnosticEvent?.severity === "error") hasPrintedError = true;
  // Status messages show the progress of a rollout, such as `DEPLOYING, 12 s`.
  if (diagnosticEvent && String(diagnosticEvent.severity) !== "debug")
    console.log(`  ${diagnosticEvent.message.trim()}`);
}

export function describeError(error: automation.CommandError): string {
  if (error instanceof automation.StackNotFoundError) return "this environment does not exist";
  if (error instanceof automation.ConcurrentUpdateError)
    return "another run is in progress. If it was killed, run `pulumi cancel` first";
  // The message of the error repeats the whole output.
  return hasPrintedError ? "see the errors above" : error.message;
}
