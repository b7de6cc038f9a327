import { emulatedNow, type Live } from "../../data/live";
import type { FoldedRequest } from "../../data/requests";
import type { RequestEntry } from "../../data/types";
import { formatDateTime, formatDuration, formatTime, visible } from "../../ui/format";
import { HttpStatus } from "../../ui/status";
import { Text } from "../../ui/text";

export const REQUEST_HEADINGS = ["Time", "Method", "Operation", "Path", "Status", "Took", "Client"];
export const REQUEST_COLUMNS = "110px 64px minmax(0, 2fr) minmax(0, 3fr) 70px 60px minmax(0, 1fr)";

/** One request in a list, or the newest one of several equal ones. */
export function RequestRow({ request, live }: { request: FoldedRequest; live: Live }) {
  const { entry, count } = request;
  const { time, method, path, status, client, duration_ms } = entry;
  return (
    <>
      <time class="minor" dateTime={time} title={formatDateTime(time)}>
        {formatTime(time, emulatedNow(live))}
      </time>
      <span class="method">{visible(method)}</span>
      <span class="operation">
        <Text>{describeOperation(entry, live)}</Text>
        {count > 1 && <span class="badge">× {count}</span>}
      </span>
      <Text class="path">{shortenIds(path)}</Text>
      <HttpStatus status={status} />
      <span class="minor">{formatDuration(duration_ms)}</span>
      <Text class="minor">{client?.split(/[ /]/)[0] || "Unknown client"}</Text>
    </>
  );
}

/** Returns a path with the first characters of its IDs. What differs between paths is usually behind them. */
function shortenIds(path: string): string {
  return path.replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "$1…");
}

/** Returns what the client asked for, and about which deployment. */
function describeOperation({ fault, operation, resources }: RequestEntry, { deployments }: Live): string {
  if (fault !== null) return `Injected fault: ${fault}`;
  const name = deployments.find(({ id }) => resources.includes(id))?.name;
  return `${operation ?? "Unknown path"}${name === undefined ? "" : `: ${name}`}`;
}
