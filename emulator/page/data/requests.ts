import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { send } from "./api";
import type { RequestEntry } from "./types";

/** The fields of the filter, as the admin API names them. */
export interface RequestFilter {
  method?: string;
  status?: string;
  path?: string;
  resource?: string;
}

/** How many requests one response contains. */
const PAGE = 200;

export interface Requests {
  /** Newest first. */
  entries: RequestEntry[];
  /** Whether older requests match as well. */
  hasOlder: boolean;
  loadOlder(): void;
  error?: string;
}

/** Returns the newest requests that match, and adds those that arrive while `follow`. */
export function useRequests(filter: RequestFilter, lastRequest: number, follow: boolean): Requests {
  const [state, setState] = useState<Omit<Requests, "loadOlder">>({ entries: [], hasOlder: false });
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value)).toString();
  const shown = useRef({ query, entries: state.entries });
  const load = useCallback(
    async (position: string, merge: (added: RequestEntry[]) => Partial<Requests>) => {
      try {
        const path = `/request-log?${query}&limit=${PAGE}${position}`;
        const { entries } = await send<{ entries: RequestEntry[] }>("GET", path);
        if (shown.current.query !== query) return;
        setState((before) => {
          const next = { ...before, ...merge(entries.reverse()), error: undefined };
          shown.current.entries = next.entries;
          return next;
        });
      } catch (error) {
        if (shown.current.query === query) setState((before) => ({ ...before, error: (error as Error).message }));
      }
    },
    [query],
  );

  useEffect(() => {
    if (shown.current.query !== query) shown.current = { query, entries: [] };
    if (!follow) return;
    const newest = shown.current.entries[0]?.id ?? 0;
    const isNew = newest === 0 || lastRequest < newest;
    void load(isNew ? "" : `&after=${newest}`, (added) => {
      // More than one page arrived: what is between is behind "Load older".
      if (isNew || added.length === PAGE) return { entries: added, hasOlder: added.length === PAGE };
      return { entries: [...added, ...shown.current.entries.filter(({ id }) => id <= newest)] };
    });
  }, [query, lastRequest, follow, load]);

  const loadOlder = () => {
    const oldest = shown.current.entries.at(-1)?.id ?? 0;
    void load(`&before=${oldest}`, (added) => ({
      entries: [...shown.current.entries, ...added],
      hasOlder: added.length === PAGE,
    }));
  };
  return { ...state, loadOlder };
}
