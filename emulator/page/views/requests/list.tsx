import type { Live } from "../../data/live";
import { foldReads, type Requests } from "../../data/requests";
import { linkToRequest } from "../../data/route";
import { List } from "../../ui/list";
import { Empty, Problem } from "../../ui/text";
import { REQUEST_COLUMNS, REQUEST_HEADINGS, RequestRow } from "./row";

interface RequestListProps {
  label: string;
  live: Live;
  requests: Requests;
  /** What to say when there are none. */
  empty: string;
}

/** Requests, newest first. Each opens with its bodies. */
export function RequestList({ label, live, requests, empty }: RequestListProps) {
  const { entries, hasOlder, loadOlder, error } = requests;
  return (
    <>
      {error !== undefined && <Problem>{error}</Problem>}
      {entries.length === 0 && error === undefined && <Empty>{empty}</Empty>}
      <List
        label={label}
        rows={foldReads(entries)}
        keyOf={({ entry }) => String(entry.id)}
        link={({ entry }) => linkToRequest(entry.id)}
        name="requests"
        columns={REQUEST_COLUMNS}
        headings={REQUEST_HEADINGS}
      >
        {(request) => <RequestRow request={request} live={live} />}
      </List>
      {hasOlder && (
        <button type="button" onClick={loadOlder}>
          Load older requests
        </button>
      )}
    </>
  );
}
