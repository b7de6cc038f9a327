import { useLive, useNow } from "../../data/live";
import { type FoldedRequest, foldReads, type Requests } from "../../data/requests";
import { linkToRequest } from "../../data/route";
import { Button } from "../../ui/fields";
import { formatDateTime, formatDuration, formatTime, visible } from "../../ui/format";
import { type Columns, List } from "../../ui/list";
import { HttpStatus } from "../../ui/status";
import { Empty, Problem, Text } from "../../ui/text";

interface RequestListProps {
  label: string;
  requests: Requests;
  empty: string;
}

/** Requests, newest first. Each opens with its bodies. */
export function RequestList({ label, requests, empty }: RequestListProps) {
  const { entries, hasOlder, loadOlder, error } = requests;
  return (
    <>
      {error !== undefined && <Problem>{error}</Problem>}
      {entries.length === 0 && error === undefined && <Empty>{empty}</Empty>}
      <List label={label} of={COLUMNS} rows={foldReads(entries)} link={({ id }) => linkToRequest(id)} />
      {hasOlder && <Button text="Load older requests" onClick={loadOlder} />}
    </>
  );
}

const COLUMNS: Columns<FoldedRequest> = {
  name: "requests",
  headings: ["Time", "Method", "Operation", "Path", "Status", "Took", "Client"],
  columns: "110px 64px minmax(0, 2fr) minmax(0, 3fr) 70px 60px minmax(0, 1fr)",
  cells: (request) => <RequestRow request={request} />,
};

/** One request in a list, or the newest one of several equal ones. */
function RequestRow({ request }: { request: FoldedRequest }) {
  const { time, method, path, status, client, duration_ms, operation, fault, resources, count } = request;
  const { deployments } = useLive();
  const name = deployments.find(({ id }) => resources.includes(id))?.name;
  const described = `${operation ?? "Unknown path"}${name === undefined ? "" : `: ${name}`}`;
  return (
    <>
      <time class="minor" dateTime={time} title={formatDateTime(time)}>
        {formatTime(time, useNow())}
      </time>
      <span class="method">{visible(method)}</span>
      <span class="operation">
        <Text>{fault === null ? described : `Injected fault: ${fault}`}</Text>
        {count > 1 && <span class="badge">× {count}</span>}
      </span>
      {/* What differs between paths is usually behind their IDs. */}
      <Text class="path minor">{path.replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "$1…")}</Text>
      <HttpStatus status={status} />
      <span class="minor">{formatDuration(duration_ms)}</span>
      <Text class="minor">{client?.split(/[ /]/)[0] || "Unknown client"}</Text>
    </>
  );
}
