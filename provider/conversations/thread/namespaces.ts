/** Writes the states of subgraphs, and asks the questions of a thread again. */
import { isSameJson } from "../lossless-json";
import type { Checkpoint, ConversationServer } from "../server/conversation-server";
import { lineOf, planUpdates } from "./plan";
import { bareName, type Child } from "./read-thread";

export async function writeNamespace(
  threadId: string,
  namespace: string,
  line: readonly Checkpoint[],
  target: ConversationServer,
): Promise<void> {
  const checkpoint = { thread_id: threadId, checkpoint_ns: namespace };
  for (const { as_node, values } of planUpdates(line, target.isPython))
    await target.write({ method: "POST", path: `/threads/${threadId}/state`, body: { values, as_node, checkpoint } });
}

/** Makes a thread ask its questions again. Returns its state then. */
export async function askAgain(
  threadId: string,
  last: Checkpoint,
  children: readonly Child[],
  { target, graphId }: { target: ConversationServer; graphId: string },
): Promise<Checkpoint | undefined> {
  const [present] = await target.readHistory(threadId);
  for (const { name, path, checkpoint } of last.tasks) {
    const waiting = checkpoint?.checkpoint_ns ?? "";
    const child = children.find(({ namespace }) => namespace === waiting);
    const isMemory = children.some(({ namespace }) => namespace === bareName(waiting));
    // The task has another ID on this server. Several of one name have different paths, which not every backup has.
    const named = present?.tasks.filter((one) => one.name === name) ?? [];
    const task =
      named.find((one) => isSameJson(one.path, path)) ?? named.find((one) => one.path == null || path == null);
    // Memory is written already, with where it waits: a second time would add to it.
    if (child && task && !isMemory) await writeNamespace(threadId, `${name}:${task.id}`, lineOf(child.history), target);
  }
  await target.write({
    method: "POST",
    path: `/threads/${threadId}/runs/wait`,
    body: { assistant_id: graphId, input: null },
  });
  const [asked] = await target.readHistory(threadId);
  return asked;
}
