/** What a restore may delete on a server: a thread that an earlier try of it wrote, and that nobody has used since. */
import { isSameJson } from "../lossless-json";
import { type ConversationServer, type ListedThread, RejectedError } from "../server/conversation-server";
import type { Conversation } from "./read-thread";

/** Keys of metadata that servers drop (API `2B.Thread.metadata:reserved`), or keep. */
const DROPPED: ReadonlySet<string> = new Set([
  ...["assistant_id", "thread_id", "run_id", "cron_id", "counters_since_delta_snapshot"],
]);

/** Deletes what a try wrote. @param isCertain Whether this process has just created it. @returns Why it was left. */
export async function removeOwn(
  { thread }: Pick<Conversation, "thread">,
  target: ConversationServer,
  isCertain = false,
): Promise<string | undefined> {
  const path = `/threads/${thread.thread_id}`;
  try {
    const foreign = isCertain ? undefined : await whyForeign(thread, target);
    if (foreign !== undefined) return foreign;
    await target.write({ method: "DELETE", path });
  } catch (error) {
    if (!(error instanceof RejectedError) || error.status !== 404) throw error;
  }
  return undefined;
}

/** @throws RejectedError when it does not exist. */
async function whyForeign(
  { thread_id: id, metadata }: ListedThread,
  target: ConversationServer,
): Promise<string | undefined> {
  const found = await target.readJson<ListedThread>({ method: "GET", path: `/threads/${id}` });
  const held = found.metadata ?? {};
  // Servers add keys.
  const isSent = ([key, value]: [string, unknown]) => DROPPED.has(key) || isSameJson(held[key], value);
  if (!Object.entries(metadata ?? {}).every(isSent))
    return "a thread of this ID has other metadata, and was left as it is";
  const states = await target.readHistory(id);
  // A restore writes inputs and updates. Only runs write the rest.
  if (states.some(({ metadata: { source } }) => source === "loop"))
    return "a run has written to the thread since, so it was left as it is";
  return undefined;
}
