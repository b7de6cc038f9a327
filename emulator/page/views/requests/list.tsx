import type { JSX } from "preact";
import type { Live } from "../../data/live";
import type { Requests } from "../../data/requests";
import { linkTo } from "../../data/route";
import { List } from "../../ui/list";
import { Empty, Problem } from "../../ui/text";
import { REQUEST_HEADINGS, RequestRow } from "./row";

interface RequestListProps {
  label: string;
  live: Live;
  requests: Requests;
  /** What to say when there are none. */
  empty: string;
}

/** Requests, newest first. Each opens with its bodies. */
export function RequestList({ label, live, requests, empty }: RequestListProps): JSX.Element {
  const { entries, hasOlder, loadOlder, error } = requests;
  return (
    <>
      {error !== undefined && <Problem>{error}</Problem>}
      {entries.length === 0 && error === undefined && <Empty>{empty}</Empty>}
      <List
        label={label}
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
    </>
  );
}
