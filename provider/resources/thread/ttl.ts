/**
 * The TTL of a thread. Servers return it on request, or not at all, and cannot remove it (API `2B.Thread.ttl:response` and
 * `4B.PATCH /threads/{thread_id}:ttl`).
 */
import type { Thread, ThreadBody } from "../../api/agent-server/threads";
import type { Context } from "../../definition/context";
import type { AgentEndpoint } from "../../objects/server/endpoint";
import { isEqual } from "../../schema/compare";
import { inputs } from "./fields";

/** Returns a thread with its TTL, as far as the server shows it. */
export async function withTtl(thread: Thread, { server }: AgentEndpoint): Promise<Thread> {
  return thread.ttl === undefined
    ? { ...thread, ttl: (await server.threads.readTtl(thread.threadId)) ?? undefined }
    : thread;
}

export const describeKeptTtl = (id: string, { urn }: Context): string =>
  `ttl: this server cannot remove a TTL, so thread ${id} keeps the one that it has. To keep it for longer, declare a larger ttl. To have a thread without one, and lose the history, run:  pulumi up --replace '${urn}'`;

/** Warns of a declared TTL that the server ignores, or that nothing shows. */
export async function warnOfTtl(
  { threadId, ttl: returned }: Thread,
  declared: NonNullable<ThreadBody["ttl"]>,
  { server }: AgentEndpoint,
  { log }: Pick<Context, "log">,
): Promise<void> {
  const stored = returned ?? (await server.threads.readTtl(threadId));
  if (stored === undefined || (stored && isEqual(inputs.shape.ttl, stored, declared))) return;
  log.warn(
    stored
      ? `ttl: the server stored ${JSON.stringify(stored)} for thread ${threadId} in place of ${JSON.stringify(declared)}.`
      : `ttl: the server does not return the TTL of thread ${threadId}, so it probably ignores it, and the thread does not expire.`,
  );
}
