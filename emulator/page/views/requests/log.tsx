import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Live } from "../../data/live";
import { type RequestFilter, useRequests } from "../../data/requests";
import { formatCount } from "../../ui/format";
import { RequestDialog } from "./dialog";
import { RequestFilterForm } from "./filter";
import { RequestList } from "./list";

/** The request log: what Pulumi and other clients asked the platform for. */
export function RequestLog({ live, opened }: { live: Live; opened: string | undefined }): JSX.Element {
  const [filter, setFilter] = useState<RequestFilter>({});
  const follow = useIsAtTop();
  const requests = useRequests(useSettled(filter), live.lastRequest, follow && live.connected);
  const waiting = follow ? 0 : live.lastRequest - (requests.entries[0]?.id ?? live.lastRequest);
  return (
    <>
      <h2>Requests</h2>
      <p class="hint">
        Every request that clients such as Pulumi sent to the platform, newest first. Open one to see its bodies.
      </p>
      <RequestFilterForm filter={filter} onChange={setFilter} />
      {waiting > 0 && (
        <button type="button" class="waiting" onClick={() => scrollTo({ top: 0 })}>
          Show {formatCount(waiting, "newer request")}
        </button>
      )}
      <p class="count">{formatCount(live.totals.requests, "request")} in the log</p>
      <RequestList label="Requests" live={live} requests={requests} empty="No requests match." />
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
