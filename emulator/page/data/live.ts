import { useEffect, useState } from "preact/hooks";
import type { AssistantRow, CronRow } from "./assistant-types";
import type { Change, Clock, DeploymentRow, ExportRow, Fault, ThreadRow } from "./types";

/** What the emulator contains now. The lists are new arrays after each change. */
export interface Live {
  connected: boolean;
  deployments: DeploymentRow[];
  assistants: AssistantRow[];
  crons: CronRow[];
  threads: ThreadRow[];
  exports: ExportRow[];
  clock: Clock;
  /** `performance.now()` when `clock` was received. */
  clockReceivedAt: number;
  faults: Fault[];
  totals: Change["totals"];
  lastRequest: number;
}

type Listener = (live: Live) => void;

let live: Live | undefined;
const listeners = new Set<Listener>();

const rows = {
  deployments: new Map<string, DeploymentRow>(),
  assistants: new Map<string, AssistantRow>(),
  crons: new Map<string, CronRow>(),
  threads: new Map<string, ThreadRow>(),
  exports: new Map<string, ExportRow>(),
};

/** Receives what changes, and everything again after a lost connection: the emulator may have been reset meanwhile. */
export function connect(): void {
  const events = new EventSource("/_emulator/events");
  events.onopen = () => {
    for (const map of Object.values(rows)) map.clear();
  };
  events.onmessage = ({ data }) => receive(JSON.parse(data));
  events.onerror = () => {
    if (live) publish({ ...live, connected: false });
  };
}

/** Objects of several agent servers may have the same ID. */
const keyOnServer = ({ deployment_id, id }: { deployment_id: string; id: string }) => `${deployment_id}/${id}`;

function receive(change: Change): void {
  const { deployments, assistants, crons, threads, exports, clock, faults, totals, last_request } = change;
  apply(rows.deployments, deployments, ({ id }) => id);
  apply(rows.assistants, assistants, keyOnServer);
  apply(rows.crons, crons, keyOnServer);
  apply(rows.threads, threads, keyOnServer);
  apply(rows.exports, exports, ({ id }) => id);
  publish({
    connected: true,
    deployments: [...rows.deployments.values()],
    assistants: newestFirst(rows.assistants),
    crons: newestFirst(rows.crons),
    threads: newestFirst(rows.threads),
    exports: newestFirst(rows.exports),
    clock,
    clockReceivedAt: performance.now(),
    faults,
    totals,
    lastRequest: last_request,
  });
}

function apply<Row>(map: Map<string, Row>, change: { changed: Row[]; removed: string[] }, keyOf: (row: Row) => string) {
  for (const id of change.removed) map.delete(id);
  for (const row of change.changed) map.set(keyOf(row), row);
}

function newestFirst<Row extends { created_at: string | number }>(map: Map<string, Row>): Row[] {
  return [...map.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
}

function publish(next: Live): void {
  live = next;
  for (const listener of listeners) listener(next);
}

/** Returns what the emulator contains now; undefined before the first event. */
export function useLive(): Live | undefined {
  const [current, setCurrent] = useState(live);
  useEffect(() => {
    listeners.add(setCurrent);
    setCurrent(live);
    return () => void listeners.delete(setCurrent);
  }, []);
  return current;
}

/** Returns the emulated time now, in milliseconds since 1970. */
export function emulatedNow({ clock, clockReceivedAt }: Live): number {
  const rate = clock.frozen ? 0 : clock.speed === "instant" ? 1 : clock.speed;
  return Date.parse(clock.now) + (performance.now() - clockReceivedAt) * rate;
}
