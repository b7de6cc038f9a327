import { toneOf } from "../ui/status";
import type { Live } from "./live";
import type { DeploymentRow } from "./types";

export interface StackUpdate {
  /** With its project. */
  name: string;
  /** Its deployments that are not ready. */
  running: DeploymentRow[];
  /** How many of its resources changed since the update began, with those that are not ready. */
  changed: number;
}

/** The longest pause within an update, in milliseconds of the emulated time. */
const MAX_PAUSE_MS = 30_000;

/** Returns the stacks whose deployments are being rolled out or deleted, as a run of Pulumi leaves them meanwhile. */
export function stackUpdates({ deployments, assistants, crons, threads }: Live): StackUpdate[] {
  const children = [...assistants, ...crons, ...threads].filter(({ metadata }) => metadata.includes("pulumi"));
  return [...Map.groupBy(deployments, stackOf)].flatMap(([name, members]) => {
    const running = members.filter(isRunning);
    if (name === null || running.length === 0) return [];
    const ids = new Set(members.map(({ id }) => id));
    const changes = [
      ...members.map((row) => ({ from: startOf(row), to: Date.parse(row.updated_at) })),
      ...children
        .filter(({ deployment_id }) => ids.has(deployment_id))
        .map(({ updated_at }) => ({ from: Date.parse(updated_at), to: Date.parse(updated_at) })),
    ];
    return [{ name, running, changed: countSince(changes, Math.min(...running.map(startOf))) }];
  });
}

/** Returns the project and the stack that manage a deployment, as its ownership marker names them. */
export function stackOf({ project, stack }: DeploymentRow): string | null {
  return stack === null ? null : `${project}/${stack}`;
}

/** Whether the latest rollout is in progress, or the deployment is being deleted. */
export function isRunning({ status, latest_status }: DeploymentRow): boolean {
  return /DELETE/.test(status) || toneOf(latest_status ?? status) === "active";
}

const startOf = (row: DeploymentRow) => Date.parse(row.latest_created_at ?? row.created_at);

/** Counts what changed since `start`, and before it without a longer pause. */
function countSince(changes: { from: number; to: number }[], start: number): number {
  let from = start;
  let count = 0;
  for (const change of changes.sort((a, b) => b.to - a.to)) {
    if (change.to < from - MAX_PAUSE_MS) break;
    from = Math.min(from, change.from);
    count++;
  }
  return count;
}
