/** What a restore may delete on a server: a thread that an earlier try of it wrote, and that nobody has used since. */
import { REMOVED_KEYS } from "../../api/agent-server/threads";
import { ignoreNotFound } from "../../http/errors";
import { isSameJson } from "../lossless-json";
import type { ConversationServer, ListedThread } from "../server/conversation-server";
import type { Conversation } from "./read-thread";

/** Deletes what a try wrote. @param isCertain Whether this process has just created it. @returns Why it was left. */
export function removeOwn(
  { thread }: Pick<Conversation, "thread">,
  target: ConversationServer,
  isCertain = false,
): Promise<string | undefined> {
  const path = `/threads/${thread.thread_id}`;
  const remove = async () => {
    const foreign = isCertain ? undefined : await whyForeign(thread, target);
    if (foreign === undefined) await target.write({ method: "DELETE", path });
    return foreign;
  };
  return remove().catch(ignoreNotFound);
}

/** @throws RejectedError when it does not exist. */
async function whyForeign(
  { thread_id: id, metadata }: ListedThread,
  target: ConversationServer,
): Promise<string | undefined> {
  const found = await target.readJson<ListedThread>({ method: "GET", path: `/threads/${id}` });
  const held = found.metadata ?? {};
  // Servers add keys.
  const isSent = ([key, value]: [string, unknown]) => REMOVED_KEYS.has(key) || isSameJson(held[key], value);
  if (!Object.entries(metadata ?? {}).every(isSent))
    return "a thread of this ID has other metadata, and was left as it is";
  const states = await target.readHistory(id);
  // A restore writes inputs and updates. Only runs write the rest.
  if (states.some(({ metadata: { source } }) => source === "loop"))
    return "a run has written to the thread since, so it was left as it is";
  return undefined;
}
