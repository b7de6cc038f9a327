import type { JSX } from "preact";
import { emulatedNow, type Live } from "../../data/live";
import type { RequestEntry } from "../../data/types";
import { formatDuration, visible } from "../../ui/format";
import { HttpStatus } from "../../ui/status";
import { Text, Time } from "../../ui/text";

export const REQUEST_HEADINGS = ["Time", "Method", "Operation", "Path", "Status", "Took", "Client"];

/** One request in a list. */
export function RequestRow({ entry, live }: { entry: RequestEntry; live: Live }): JSX.Element {
  const { time, method, path, status, client, duration_ms } = entry;
  return (
    <>
      <Time at={time} now={emulatedNow(live)} />
      <span class="method">{visible(method)}</span>
      <Text class="operation">{describeOperation(entry, live)}</Text>
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
