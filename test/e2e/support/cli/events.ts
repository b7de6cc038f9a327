/** Queries on engine events: the steps of resources, and the messages on their rows. */
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import type { CommandResult } from "./cli";

const nameOf = (urn: string) => urn.split("::").at(-1) ?? "";
const isOurs = (step: StepEventMetadata) => step.type.includes("agentgraph:");

/** Returns the steps of agentgraph resources, such as `create agent`, without unchanged resources. */
export function steps({ events }: CommandResult): string[] {
  return events.flatMap(({ resourcePreEvent }) => {
    const step = resourcePreEvent?.metadata;
    return step && isOurs(step) && step.op !== "same" ? [`${step.op} ${nameOf(step.urn)}`] : [];
  });
}

/** Returns the paths of changed properties, such as `secrets.KEY`. */
export function changedProperties({ events }: CommandResult): string[] {
  const properties = events.flatMap(({ resourcePreEvent, resOutputsEvent }) => {
    const step = (resourcePreEvent ?? resOutputsEvent)?.metadata;
    return step && isOurs(step) ? Object.keys(step.detailedDiff ?? {}) : [];
  });
  return [...new Set(properties)];
}

/** Returns the resources in which a refresh found a change or which left the state, also as part of another command. */
export function drifted({ events }: CommandResult): string[] {
  return events.flatMap(({ resourcePreEvent, resOutputsEvent }) => {
    const step = (resourcePreEvent ?? resOutputsEvent)?.metadata;
    if (!step || !isOurs(step)) return [];
    const isChanged = step.op === "refresh" && (step.detailedDiff || step.diffs?.length || !step.new);
    return isChanged || step.op === "delete" ? [nameOf(step.urn)] : [];
  });
}

/** Returns the messages that remain on a resource's row. */
export function messagesOf({ events }: CommandResult, name: string): string[] {
  const lines = events.flatMap(({ diagnosticEvent }: EngineEvent) => {
    if (!diagnosticEvent?.urn || nameOf(diagnosticEvent.urn) !== name) return [];
    return [diagnosticEvent.message.trim()];
  });
  return [...new Set(lines)];
}
