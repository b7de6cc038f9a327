// What the terminal shows of a run, and why it ended if it failed.
import * as automation from "@pulumi/pulumi/automation/index.js";

let saidWhy = false;

export function onEvent({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: automation.EngineEvent): void {
  const begun = resourcePreEvent?.metadata;
  if (begun && begun.op !== "same") console.log(`${begun.op} ${begun.urn.split("::").at(-1)} …`);
  if (resOutputsEvent) console.log(`${resOutputsEvent.metadata.urn.split("::").at(-1)} done`);
  if (diagnosticEvent?.severity === "error") saidWhy = true;
  // Ephemeral ones are the progress of a rollout: `DEPLOYING, 12 s`.
  if (diagnosticEvent && String(diagnosticEvent.severity) !== "debug")
    console.log(`  ${diagnosticEvent.message.trim()}`);
}

export function why(error: automation.CommandError): string {
  if (error instanceof automation.StackNotFoundError) return "there is no such environment";
  if (error instanceof automation.ConcurrentUpdateError)
    return "another run is at work on it. If that one was killed, say first: pulumi cancel";
  // The error holds all of the output once more.
  return saidWhy ? "the lines above say why" : error.message;
}
