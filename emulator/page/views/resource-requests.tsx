import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Live } from "../data/live";
import { useRequests } from "../data/requests";
import { linkTo } from "../data/route";
import { List } from "../ui/list";
import { Empty, Problem } from "../ui/text";
import { REQUEST_HEADINGS, RequestRow } from "./request-row";

/** What clients asked for about one resource, newest first. */
export function ResourceRequests({ live, id }: { live: Live; id: string }): JSX.Element {
  const filter = useMemo(() => ({ resource: id }), [id]);
  const { entries, hasOlder, loadOlder, error } = useRequests(filter, live.lastRequest, live.connected);
  return (
    <section aria-labelledby="resource-requests">
      <h3 id="resource-requests">Requests</h3>
      <p class="hint">What Pulumi and other clients asked for about this resource, newest first.</p>
      {error !== undefined && <Problem>{error}</Problem>}
      {entries.length === 0 && <Empty>None in the log.</Empty>}
      <List
        label="Requests about this resource"
        rows={entries}
        keyOf={(entry) => String(entry.id)}
        link={(entry) => linkTo("requests", entry.id)}
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
    </section>
  );
}
