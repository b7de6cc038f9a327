/** What a restore no longer takes for written. */
import { listAssistants, readCrons } from "./catalog";
import type { ConversationServer } from "./conversation-server";
import type { Journal } from "./file/journal";
import { listThreads } from "./list-threads";

/**
 * Forgets what an earlier restore has written and the server no longer has: another one may listen at its address. What
 * users have deleted from a deployment that continues another one stays deleted.
 */
export async function forgetMissing(target: ConversationServer, journal: Journal): Promise<void> {
  if (journal.isEmpty) return;
  const ids = new Set<string>();
  for await (const { thread_id: id } of listThreads(target)) ids.add(id);
  for await (const { assistant_id: id } of listAssistants(target)) ids.add(id);
  for await (const { cron_id: id } of readCrons(target)) ids.add(id);
  journal.keepOnly(ids);
}
