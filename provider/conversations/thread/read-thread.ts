/** Reads a conversation with everything that a server shows of it. */
import { createHash } from "node:crypto";
import { toComparable } from "../lossless-json";
import type { Checkpoint, ConversationServer, ListedThread } from "../server/conversation-server";
import type { Graphs } from "../server/graphs";
import { isFunction, lineOf } from "./plan";

export interface Child {
  /** The bare name of its node for memory; with the ID of a task where it waits. */
  namespace: string;
  /** Newest first. */
  history: Checkpoint[];
}

export interface Conversation {
  v: 1;
  thread: ListedThread;
  graphId: string | undefined;
  /** Newest first, with the branches that the latest state does not continue. */
  history: Checkpoint[];
  children: Child[];
  /** Of a function: the inputs of its runs, oldest first; undefined where they are not known. */
  inputs?: unknown[];
  digest: string;
}

/** Tries to read a thread that others write to at the same time. */
const MAX_TRIES = 5;

/** @throws BusyError while a run writes to it. */
export async function readConversation(
  thread: ListedThread,
  server: ConversationServer,
  graphs: Graphs,
): Promise<Conversation> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const history = await server.readHistory(thread.thread_id);
    const graphId = graphOf(thread, history);
    const children = await readChildren({ thread, history, graphId }, server, graphs);
    const line = lineOf(history);
    const inputs = isFunction(line) ? await readInputs(thread.thread_id, line, server) : undefined;
    const isWhole =
      children.length === 0 || (await server.readLatest(thread.thread_id)) === history[0]?.checkpoint.checkpoint_id;
    const content = { v: 1 as const, thread, graphId, history, children, ...(inputs && { inputs }) };
    if (isWhole) return { ...content, digest: digestOf(content) };
  }
  throw new BusyError(thread.thread_id);
}

export class BusyError extends Error {
  constructor(readonly threadId: string) {
    super(`thread ${threadId} is busy`);
  }
}

const graphOf = ({ metadata }: ListedThread, [latest]: readonly Checkpoint[]): string | undefined => {
  const written = (latest?.metadata as { graph_id?: unknown } | undefined)?.graph_id;
  const graphId = metadata?.graph_id ?? written;
  return typeof graphId === "string" ? graphId : undefined;
};

async function readChildren(
  { thread, history, graphId = "" }: Pick<Conversation, "thread" | "history" | "graphId">,
  server: ConversationServer,
  graphs: Graphs,
): Promise<Child[]> {
  const namespacesOf = (states: readonly Checkpoint[]) =>
    states.flatMap(({ tasks }) => tasks.flatMap(({ checkpoint }) => checkpoint?.checkpoint_ns ?? []));
  const named = new Set([...(await graphs.subgraphsOf(graphId)), ...namespacesOf(history).map(bareName)]);
  const names = history.flatMap(({ tasks }) => tasks.map(({ name }) => name));
  const probed = new Set(names.filter((name) => !name.startsWith("__") && graphs.isProbed(graphId, name)));
  const bare = new Set([...named, ...probed]);
  const children: Child[] = [];
  const namespaces = new Set([...bare, ...namespacesOf(history.slice(0, 1))]);
  // Those of nested subgraphs are added on the way: not every server names them.
  for (const namespace of namespaces) {
    const states = await server.readHistory(thread.thread_id, namespace);
    if (states.length > 0) children.push({ namespace, history: states });
    for (const inner of namespacesOf(states)) namespaces.add(bareName(inner));
  }
  const hasMemory = children.some(({ namespace }) => !named.has(namespace));
  graphs.noteProbe(graphId, probed, hasMemory);
  return children;
}

/** Returns the namespace without the IDs of tasks: `inner:8a1f…|deeper:2b…` is `inner|deeper`. */
export const bareName = (namespace: string): string =>
  namespace
    .split("|")
    .map((part) => part.split(":", 1)[0])
    .join("|");

interface Run {
  created_at?: string;
  kwargs?: { input?: unknown };
}

/** Returns the inputs of a function's runs, oldest first; undefined where they do not fit its checkpoints. */
async function readInputs(threadId: string, line: readonly Checkpoint[], server: ConversationServer) {
  const runs = await server.readJson<Run[]>({ method: "GET", path: `/threads/${threadId}/runs`, search: "limit=1000" });
  // Servers in Python list the newest first, and those in JavaScript the oldest.
  const ordered = runs.toSorted(({ created_at: one = "" }, { created_at: other = "" }) => (one < other ? -1 : 1));
  const inputs = ordered.flatMap(({ kwargs }) => (kwargs?.input == null ? [] : [kwargs.input]));
  const count = line.filter(({ metadata }) => metadata.source === "input").length;
  return inputs.length === count ? inputs : undefined;
}

/** Returns a digest of what a conversation contains, the same on every server that has an equal one. */
function digestOf({ history, children }: Pick<Conversation, "history" | "children">): string {
  const hash = createHash("sha256");
  // As the text of one array, piece by piece: a thread may have many megabytes.
  let separator = "[";
  for (const states of [history, ...children.map((child) => child.history)]) {
    hash.update(`${separator}[`);
    for (const [index, state] of lineOf(states).entries())
      hash.update(`${index > 0 ? "," : ""}${toComparable(comparable(state))}`);
    hash.update("]");
    separator = ",";
  }
  return hash.update("]").digest("hex");
}

/** What is equal in two checkpoints of different servers: IDs and times never are. */
export const comparable = ({ values, next, metadata, tasks }: Checkpoint) => ({
  values,
  next: [...next].sort(),
  step: metadata.step ?? null,
  // A task that has a result was answered: servers show its question until the others of its step are, too.
  questions: tasks
    .flatMap(({ interrupts = [], result }) => (result == null ? interrupts : []))
    .map(({ value }) => toComparable(value))
    .sort(),
});
