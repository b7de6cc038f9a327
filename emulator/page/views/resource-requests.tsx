import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Live } from "../data/live";
import { useRequests } from "../data/requests";
import { linkTo } from "../data/route";
import { List } from "../ui/list";
import { Empty, Problem } from "../ui/text";
import { CHANGES } from "./request-filter";
import { REQUEST_HEADINGS, RequestRow } from "./request-row";

/** What clients asked for about one resource, newest first. */
export function ResourceRequests({ live, id }: { live: Live; id: string }): JSX.Element {
  const [showsReads, setShowsReads] = useState(false);
  const filter = useMemo(() => ({ resource: id, method: showsReads ? "" : CHANGES }), [id, showsReads]);
  const { entries, hasOlder, loadOlder, error } = useRequests(filter, live.lastRequest, live.connected);
  return (
    <section aria-labelledby="resource-requests">
      <div class="heading">
        <h3 id="resource-requests">Requests</h3>
        <label class="check">
          <input
            type="checkbox"
            checked={showsReads}
            onChange={({ currentTarget }) => setShowsReads(currentTarget.checked)}
          />
          Show reads (GET)
        </label>
      </div>
      <p class="hint">What Pulumi and other clients asked for about this resource, newest first.</p>
      {error !== undefined && <Problem>{error}</Problem>}
      {entries.length === 0 && <Empty>None in the log{showsReads ? "" : ", except for reads"}.</Empty>}
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
