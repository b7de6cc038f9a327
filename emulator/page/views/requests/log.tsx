import { useEffect, useState } from "preact/hooks";
import type { Live } from "../../data/live";
import { useRequests } from "../../data/requests";
import { formatCount } from "../../ui/format";
import { Heading } from "../../ui/heading";
import { RequestDialog } from "./dialog";
import { RequestFilterForm, useRequestFilter } from "./filter";
import { RequestList } from "./list";

/** The request log: what Pulumi and other clients asked the platform for. */
export function RequestLog({ live, opened }: { live: Live; opened: string | undefined }) {
  const { filter, set } = useRequestFilter();
  const requests = useRequests(useSettled(filter), live.lastRequest, useIsAtTop());
  return (
    <>
      <Heading title="Requests" />
      <p class="hint">
        Every request that clients such as Pulumi sent to the platform, newest first. Open one to see its bodies.
      </p>
      <RequestFilterForm filter={filter} set={set} />
      {requests.newer > 0 && (
        <button type="button" class="waiting-requests" onClick={() => scrollTo({ top: 0 })}>
          Show {formatCount(requests.newer, "newer request")}
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
function useSettled<T extends object>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
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
