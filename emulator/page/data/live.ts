import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { ClockReading } from "../../src/runtime/descriptions";
import type { Change, Fault, ListChange, Rows } from "./types";

export type Lists = { [Name in keyof Rows]: Rows[Name][] };

/** What the emulator contains now. The lists are new arrays after each change. */
export interface Live extends Lists {
  connected: boolean;
  clock: ClockReading;
  /** `performance.now()` when `clock` was received. */
  clockReceivedAt: number;
  faults: Fault[];
  totals: Change["totals"];
  lastRequest: number;
}

export const LiveContext = createContext<Live | undefined>(undefined);

/** Returns what the emulator contains now. Views are rendered once that is known. */
export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error("The first event of the emulator has not arrived.");
  return live;
}

/** Returns the emulated time now, in milliseconds since 1970. The page renders again each second. */
export function useNow(): number {
  const { clock, clockReceivedAt } = useLive();
  const rate = clock.frozen ? 0 : clock.speed === "instant" ? 1 : clock.speed;
  return Date.parse(clock.now) + (performance.now() - clockReceivedAt) * rate;
}

const NO_ROWS: Lists = { deployments: [], assistants: [], crons: [], threads: [], exports: [] };

/** Receives what changes, and everything again after a lost connection: the emulator may have been reset meanwhile. */
export function useConnection(): Live | undefined {
  const [live, setLive] = useState<Live>();
  useEffect(() => {
    let lists = NO_ROWS;
    const events = new EventSource("/_emulator/events");
    events.onopen = () => {
      lists = NO_ROWS;
    };
    events.onmessage = ({ data }) => {
      const { last_request: lastRequest, clock, faults, totals, ...changes }: Change = JSON.parse(data);
      lists = merge(lists, changes);
      setLive({ ...lists, connected: true, clock, clockReceivedAt: performance.now(), faults, totals, lastRequest });
    };
    events.onerror = () => setLive((before) => before && { ...before, connected: false });
  }, []);
  return live;
}

const newestFirst = (a: { created_at: string | number }, b: { created_at: string | number }) =>
  descending(a.created_at, b.created_at);

function merge(lists: Lists, changes: Pick<Change, keyof Rows>): Lists {
  return {
    deployments: apply(lists.deployments, changes.deployments),
    assistants: apply(lists.assistants, changes.assistants).sort(newestFirst),
    crons: apply(lists.crons, changes.crons).sort(newestFirst),
    threads: apply(lists.threads, changes.threads).sort(newestFirst),
    exports: apply(lists.exports, changes.exports).sort(newestFirst),
  };
}

function apply<Row extends { id: string; deployment_id?: string }>(rows: Row[], change: ListChange<Row>): Row[] {
  const known = new Map(rows.map((row) => [pathOf(row).join("/"), row]));
  for (const key of change.removed) known.delete(key);
  for (const row of change.changed) known.set(pathOf(row).join("/"), row);
  return [...known.values()];
}

/** Returns the parts of its address. Objects of several agent servers may have the same ID. */
export function pathOf({ deployment_id, id }: { id: string; deployment_id?: string }): string[] {
  return deployment_id === undefined ? [id] : [deployment_id, id];
}

/** Compares for an order that begins with what is largest or newest. */
export const descending = <T extends string | number>(a: T, b: T): number => (a < b ? 1 : a > b ? -1 : 0);
