/** Whether an object existed before this run sent its create request, by the clock of the server. */
import type { AgentServerClient } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { parseServerTimestamp } from "../../schema/timestamp";

/** Returns a function for the server's time at this moment, valid after its next response. Milliseconds. */
export function serverTimeOfStart(server: AgentServerClient, { clock }: Context): () => number {
  const startedAt = clock.monotonic();
  return () => server.now() - (clock.monotonic() - startedAt);
}

/** Whether an object existed before a time. The margin accounts for the Date header, which has whole seconds. */
export function existedBefore({ createdAt }: { createdAt?: string | null | undefined }, milliseconds: number): boolean {
  const created = parseServerTimestamp(createdAt);
  return created !== undefined && Number(created) / 1000 < milliseconds - 2000;
}
