/** Questions to the engine's events: what happened to our resources, and what was said on their rows. */
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import type { CommandResult } from "./cli";

const nameOf = (urn: string) => urn.split("::").at(-1) ?? "";
const isOurs = (step: StepEventMetadata) => step.type.includes("agentgraph:");

/** What the engine did, or in a preview would do, to each resource of ours: `create agent`. Unchanged ones are left out. */
export function steps({ events }: CommandResult): string[] {
  return events.flatMap(({ resourcePreEvent }) => {
    const step = resourcePreEvent?.metadata;
    return step && isOurs(step) && step.op !== "same" ? [`${step.op} ${nameOf(step.urn)}`] : [];
  });
}

/** The properties that differ, as a preview lists them: `secrets.KEY`. */
export function changedProperties({ events }: CommandResult): string[] {
  const properties = events.flatMap(({ resourcePreEvent, resOutputsEvent }) => {
    const step = (resourcePreEvent ?? resOutputsEvent)?.metadata;
    return step && isOurs(step) ? Object.keys(step.detailedDiff ?? {}) : [];
  });
  return [...new Set(properties)];
}

/** The lines that stay on a resource's row. */
export function messagesOf({ events }: CommandResult, name: string): string[] {
  const lines = events.flatMap(({ diagnosticEvent }: EngineEvent) => {
    if (!diagnosticEvent?.urn || nameOf(diagnosticEvent.urn) !== name) return [];
    return [diagnosticEvent.message.trim()];
  });
  return [...new Set(lines)];
}
