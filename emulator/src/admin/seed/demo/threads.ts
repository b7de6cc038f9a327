/** The threads of the demo's agents. */
import { latestCheckpoint, updateTasks } from "../../../agent-server/threads/checkpoints";
import { insertThread, type ThreadRecord, updateThread } from "../../../agent-server/threads/records";
import { applySupersteps, updateStatus } from "../../../agent-server/threads/update-state";
import { deploymentById } from "../../../control-plane/model/records";
import type { Context } from "../../../runtime/context";
import { uuidFromName } from "./prng";
import type { Agent, Conversation } from "./workspace";

const HOUR_MS = 3_600_000;
/** Between two messages of a conversation. */
const PAUSE_MS = 20_000;

/** The graph of each agent, and its node that writes responses. */
const graph = "agent";
const node = "answer";

/** Seeds the threads of all agents, in the order in which they began. */
export function seedThreads(context: Context, agents: readonly Agent[]): void {
  const conversations = agents.flatMap(({ name, conversations }) =>
    conversations.map((conversation) => ({ name, conversation })),
  );
  for (const { name, conversation } of conversations.sort((a, b) => b.conversation.hoursAgo - a.conversation.hoursAgo))
    seedThread(context, uuidFromName(`deployment ${name}`), conversation);
}

function seedThread(context: Context, deployment_id: string, conversation: Conversation): void {
  const { clock } = context;
  const { hoursAgo, metadata, turns } = conversation;
  const id = uuidFromName(`thread ${deployment_id} ${hoursAgo}`);
  let at = clock.now() - hoursAgo * HOUR_MS;
  const thread = clock.runAt(at, () =>
    insertThread(context, { id, deployment_id, metadata: { ...metadata, graph_id: graph } }),
  );
  for (const [index, [type, content]] of turns.flatMap(messagesOf).entries()) {
    const message = { type, content, id: uuidFromName(`message ${id} ${index}`) };
    clock.runAt(at, () => addMessage(context, thread, message));
    at += PAUSE_MS;
  }
  clock.runAt(at, () => end(context, thread, conversation));
}

function messagesOf([question, answer]: Conversation["turns"][number]): [type: "human" | "ai", content: string][] {
  return [["human", question], ...(answer === undefined ? [] : ([["ai", answer]] satisfies ["ai", string][]))];
}

/** A question starts the graph, and its node responds. */
function addMessage(context: Context, thread: ThreadRecord, message: { type: "human" | "ai" }): void {
  const deployment = deploymentById(context.store, thread.deployment_id);
  if (!deployment) return;
  const update = { messages: [message] };
  const superstep =
    message.type === "human"
      ? { command: { update, goto: node }, as_node: "__start__" }
      : { values: update, as_node: node };
  applySupersteps(context, { deployment, user: undefined }, thread, [{ updates: [superstep] }]);
}

/** Sets the status that a run would have left. */
function end(context: Context, thread: ThreadRecord, { interrupt, error }: Conversation): void {
  const head = latestCheckpoint(context.store, thread);
  updateStatus(context, thread, head);
  if (error !== undefined) updateThread(context, thread, { status: "error", error });
  if (!head || (interrupt ?? error) === undefined) return;
  const interrupts = interrupt === undefined ? [] : [{ value: interrupt, id: uuidFromName(interrupt) }];
  updateTasks(
    context.store,
    head,
    head.tasks.map((task) => ({ ...task, interrupts, error: error ?? null })),
  );
}
