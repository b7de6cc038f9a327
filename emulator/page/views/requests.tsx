import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Live } from "../data/live";
import { type RequestFilter, useRequests } from "../data/requests";
import { linkTo } from "../data/route";
import { formatCount } from "../ui/format";
import { List } from "../ui/list";
import { Empty, Problem } from "../ui/text";
import { RequestDialog } from "./request-dialog";
import { RequestFilterForm } from "./request-filter";
import { REQUEST_HEADINGS, RequestRow } from "./request-row";

/** The request log: what Pulumi and other clients asked the platform for. */
export function RequestLog({ live, opened }: { live: Live; opened: string | undefined }): JSX.Element {
  const [filter, setFilter] = useState<RequestFilter>({});
  const follow = useIsAtTop();
  const { entries, hasOlder, loadOlder, error } = useRequests(
    useSettled(filter),
    live.lastRequest,
    follow && live.connected,
  );
  const waiting = follow ? 0 : live.lastRequest - (entries[0]?.id ?? live.lastRequest);
  return (
    <>
      <h2>Requests</h2>
      <p class="hint">
        Every request that clients such as Pulumi sent to the platform, newest first. Open one to see its bodies.
      </p>
      <RequestFilterForm filter={filter} onChange={setFilter} />
      {error !== undefined && <Problem>{error}</Problem>}
      {waiting > 0 && (
        <button type="button" class="waiting" onClick={() => scrollTo({ top: 0 })}>
          Show {formatCount(waiting, "newer request")}
        </button>
      )}
      <p class="count">{formatCount(live.totals.requests, "request")} in the log</p>
      {entries.length === 0 && !error && <Empty>No requests match.</Empty>}
      <List
        label="Requests"
        rows={entries}
        keyOf={({ id }) => String(id)}
        link={({ id }) => linkTo("requests", id)}
        columns="requests"
        headings={REQUEST_HEADINGS}
      >
        {(entry) => <RequestRow entry={entry} live={live} />}
      </List>
      {hasOlder && (
        <button type="button" onClick={loadOlder}>
          Load older requests
        </button>
      )}
      {opened !== undefined && <RequestDialog id={opened} live={live} />}
    </>
  );
}

/** How long nothing was typed before a filter applies, in milliseconds. Each request may read the whole log. */
const TYPING_MS = 250;

/** Returns a value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Returns whether the page is scrolled to its top. Further down, new rows would move what is being read. */
function useIsAtTop(): boolean {
  const [isAtTop, setIsAtTop] = useState(true);
  useEffect(() => {
    const update = () => setIsAtTop(scrollY < 200);
    addEventListener("scroll", update, { passive: true });
    return () => removeEventListener("scroll", update);
  }, []);
  return isAtTop;
}
