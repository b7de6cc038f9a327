import { useEffect, useRef, useState } from "preact/hooks";
import type { RequestLogEntry } from "../../src/runtime/descriptions";
import { send } from "./api";
import { useLive } from "./live";

/** The methods of requests that may change something. */
const CHANGES = "POST,PUT,PATCH,DELETE";

const PAGE = 200;

export interface Requests {
  /** Newest first. */
  entries: RequestLogEntry[];
  /** Whether older requests match as well. */
  hasOlder: boolean;
  /** How many newer requests match that are not listed, because they are not followed. */
  newer: number;
  loadOlder(): void;
  error?: string | undefined;
}

/**
 * Returns the newest requests that match, and adds those that arrive while `follow`. `filter` has the parameters of the
 * admin API, and `reads`: without it, requests that only read are listed only if the method says so.
 */
export function useRequests(filter: Record<string, string>, follow: boolean): Requests {
  const { lastRequest } = useLive();
  const [state, setState] = useState<Omit<Requests, "loadOlder">>({ entries: [], hasOlder: false, newer: 0 });
  const query = queryOf(filter);
  const shown = useRef({ query, entries: state.entries });
  const load = async (position: string, merge: (added: RequestLogEntry[]) => Partial<Requests>) => {
    const path = `/request-log?${query}&limit=${PAGE}${position}`;
    const change: Partial<Requests> = await send<{ entries: RequestLogEntry[] }>("GET", path).then(
      ({ entries }) => ({ newer: 0, error: undefined, ...merge(entries.reverse()) }),
      ({ message }: Error) => ({ error: message }),
    );
    if (shown.current.query !== query) return;
    shown.current.entries = change.entries ?? shown.current.entries;
    setState((before) => ({ ...before, ...change }));
  };

  useEffect(() => {
    if (shown.current.query !== query) shown.current = { query, entries: [] };
    const newest = shown.current.entries[0]?.id ?? 0;
    const isNew = newest === 0 || lastRequest < newest;
    void load(isNew ? "" : `&after=${newest}`, (added) => {
      if (!follow && !isNew) return { newer: added.length };
      // More than one page arrived: what is between is behind "Load older".
      if (isNew || added.length === PAGE) return { entries: added, hasOlder: added.length === PAGE };
      return { entries: [...added, ...shown.current.entries.filter(({ id }) => id <= newest)] };
    });
  }, [query, lastRequest, follow]);

  const loadOlder = () => {
    const oldest = shown.current.entries.at(-1)?.id ?? 0;
    void load(`&before=${oldest}`, (added) => ({
      entries: [...shown.current.entries, ...added],
      hasOlder: added.length === PAGE,
    }));
  };
  return { ...state, loadOlder };
}

function queryOf({ reads, ...filter }: Record<string, string>): string {
  const fields = { ...filter, method: filter.method || (reads ? "" : CHANGES) };
  const texts = Object.entries(fields).map(([name, value]) => [name, value.trim()]);
  return new URLSearchParams(texts.filter(([, value]) => value)).toString();
}

/** A request, and how many equal reads it stands for. */
export interface FoldedRequest extends RequestLogEntry {
  count: number;
}

/** Puts equal reads between two changes into one row, as a client that waits for a rollout sends them. */
export function foldReads(newestFirst: readonly RequestLogEntry[]): FoldedRequest[] {
  const rows: FoldedRequest[] = [];
  const reads = new Map<string, FoldedRequest>();
  for (const entry of newestFirst) {
    const { method, path, query, status, fault, client } = entry;
    const key = JSON.stringify([path, query, status, fault, client]);
    const same = reads.get(key);
    if (method !== "GET") reads.clear();
    else if (same) {
      same.count++;
      continue;
    }
    const row = { ...entry, count: 1 };
    rows.push(row);
    if (method === "GET") reads.set(key, row);
  }
  return rows;
}
