/** What the engine did, read from its event log. */
import { readFile } from "node:fs/promises";

interface Step {
  op: string;
  urn: string;
  type: string;
  detailedDiff?: Record<string, unknown> | null;
  diffs?: string[] | null;
}

export interface EngineEvent {
  resourcePreEvent?: { metadata: Step };
  resOutputsEvent?: { metadata: Step };
  diagnosticEvent?: { urn?: string; message: string; severity: string };
}

export async function readEvents(file: string): Promise<EngineEvent[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

const nameOf = (urn: string) => urn.split("::").at(-1) ?? "";
const isOurs = ({ type }: Step) => type.includes("agentgraph:");

/** Returns the steps of resources of this package, such as `create agent`, without unchanged ones. */
export function steps(events: readonly EngineEvent[]): string[] {
  return events.flatMap(({ resourcePreEvent }) => {
    const step = resourcePreEvent?.metadata;
    return step && isOurs(step) && !["same", "refresh"].includes(step.op) ? [`${step.op} ${nameOf(step.urn)}`] : [];
  });
}

/**
 * Returns the names of resources in which `pulumi refresh` found a change; the engine shows it as an update or a
 * deletion.
 */
export function drifted(events: readonly EngineEvent[]): string[] {
  const names = events.flatMap(({ resOutputsEvent }) => {
    const step = resOutputsEvent?.metadata;
    if (!step || !isOurs(step)) return [];
    const isChanged = step.op === "refresh" && (step.detailedDiff || step.diffs?.length);
    return isChanged || step.op === "update" || step.op === "delete" ? [nameOf(step.urn)] : [];
  });
  return [...new Set(names)];
}
