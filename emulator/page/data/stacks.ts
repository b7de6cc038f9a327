import { toneOf } from "../ui/status";
import type { Live } from "./live";
import type { DeploymentRow } from "./types";

/** A stack with a rollout in progress. */
export interface StackUpdate {
  project: string;
  stack: string;
  /** Its deployments that are not ready. */
  running: DeploymentRow[];
  /** How many of its resources changed since the update began, with those that are not ready. */
  changed: number;
}

/** The longest pause within an update, in milliseconds of the emulated time. */
const MAX_PAUSE_MS = 30_000;

/** Returns the stacks whose deployments are being rolled out or deleted, as a run of Pulumi leaves them meanwhile. */
export function stackUpdates({ deployments, assistants, crons, threads }: Live): StackUpdate[] {
  const managed = deployments.filter(({ stack }) => stack !== null);
  const children = [...assistants, ...crons, ...threads].filter(({ metadata }) => metadata.includes("pulumi"));
  return [...Map.groupBy(managed, ({ project, stack }) => `${project}/${stack}`).values()].flatMap((members) => {
    const running = members.filter(isRunning);
    const [first] = running;
    if (!first) return [];
    const ids = new Set(members.map(({ id }) => id));
    const spans = [
      ...members.map((row) => spanOf(row.latest_created_at ?? row.created_at, row.updated_at)),
      ...children
        .filter(({ deployment_id }) => ids.has(deployment_id))
        .map((row) => spanOf(row.updated_at, row.updated_at)),
    ];
    const { project, stack } = first;
    return [{ project: project ?? "", stack: stack ?? "", running, changed: countSince(spans, startOf(running)) }];
  });
}

/** Whether the latest rollout is in progress, or the deployment is being deleted. */
export function isRunning({ status, latest_status }: DeploymentRow): boolean {
  return /DELETE/.test(status) || toneOf(latest_status ?? status) === "active";
}

interface Span {
  from: number;
  to: number;
}

const spanOf = (from: string, to: string): Span => ({ from: Date.parse(from), to: Date.parse(to) });

const startOf = (rows: DeploymentRow[]) =>
  Math.min(...rows.map(({ latest_created_at, created_at }) => Date.parse(latest_created_at ?? created_at)));

/** Counts what changed since `start`, and before it without a longer pause. */
function countSince(spans: Span[], start: number): number {
  let from = start;
  let count = 0;
  for (const span of spans.sort((a, b) => b.to - a.to)) {
    if (span.to < from - MAX_PAUSE_MS) break;
    from = Math.min(from, span.from);
    count++;
  }
  return count;
}
