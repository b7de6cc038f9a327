import type { JSX } from "preact";
import type { RequestEntry } from "../data/types";
import { formatDuration, formatTime, visible } from "../ui/format";
import { HttpStatus } from "../ui/status";
import { Text } from "../ui/text";

/** One request in a list. */
export function RequestRow({ entry, now }: { entry: RequestEntry; now: number }): JSX.Element {
  const { time, method, path, status, operation, client, duration_ms, fault } = entry;
  return (
    <>
      <time class="minor" dateTime={time}>
        {formatTime(time, now)}
      </time>
      <span class="method">{visible(method)}</span>
      <Text class="name">{path}</Text>
      <HttpStatus status={status} />
      <span class="minor">{formatDuration(duration_ms)}</span>
      <Text class="minor">{fault ? `Injected fault: ${fault}` : (operation ?? "Unknown path")}</Text>
      <Text class="minor">{clientName(client)}</Text>
    </>
  );
}

/** Returns the first product of a User-Agent header. */
function clientName(client: string | null): string {
  return client?.split(" ")[0] ?? "Unknown client";
}
