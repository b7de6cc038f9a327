/**
 * Records how the conversations of each graph are read from one published agent server and written to another: the
 * requests of the provider, with what it reads of their responses. Requires a build.
 */
import {
  type Checkpoint,
  ConversationServer,
  type Task,
} from "../../dist/provider/conversations/server/conversation-server.js";
import { Graphs } from "../../dist/provider/conversations/server/graphs.js";
import { readConversation } from "../../dist/provider/conversations/thread/read-thread.js";
import { restoreConversation } from "../../dist/provider/conversations/thread/restore-thread.js";
import { COPIED, createConversation, RECORDED, type RecordedInputs } from "./conversation-inputs.ts";

/** A request of the provider, and its response. */
export interface ConversationExchange {
  method: string;
  path: string;
  body?: unknown;
  status: number;
  response: unknown;
}

/** One line of a recording. */
export interface RecordedConversation {
  name: string;
  graph: string;
  thread: { thread_id: string; metadata: Record<string, unknown> };
  read: ConversationExchange[];
  written: ConversationExchange[];
  restored: Awaited<ReturnType<typeof restoreConversation>>;
}

type Read = Pick<RecordedConversation, "name" | "graph" | "thread" | "read"> & {
  conversation: Awaited<ReturnType<typeof readConversation>>;
};

/** Starts a server, and runs a function with its origin. */
type WithServer = <T>(use: (origin: string) => Promise<T>) => Promise<T>;

export async function recordConversations(isPython: boolean, withServer: WithServer): Promise<RecordedConversation[]> {
  const first = await withServer((origin) => inOrder(RECORDED, (one) => create(one, { origin, isPython })));
  const [originals, read] = await withServer(async (origin) => {
    const target = { origin, isPython };
    const written = await inOrder(first, (one) => write(one, target));
    const copied = written.filter(({ name }) => COPIED.includes(name));
    return [written, await inOrder(copied, (one) => readThread({ ...one, name: `a copy of ${one.name}` }, target))];
  });
  const copies = await withServer((origin) => inOrder(read, (one) => write(one, { origin, isPython })));
  return [...originals, ...copies];
}

async function inOrder<S, T>(items: readonly S[], use: (item: S) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const item of items) results.push(await use(item));
  return results;
}

interface Target {
  origin: string;
  isPython: boolean;
}

async function create(one: RecordedInputs, target: Target): Promise<Read> {
  const post = async <T>(path: string, body: object): Promise<T> =>
    JSON.parse((await send(target, { method: "POST", path, body })).text);
  const thread_id = await createConversation(one, post);
  return readThread({ ...one, thread: { thread_id, metadata: {} } }, target);
}

async function readThread(
  { name, graph, thread: { thread_id } }: Pick<Read, "name" | "graph" | "thread">,
  target: Target,
): Promise<Read> {
  const { metadata } = JSON.parse((await send(target, { method: "GET", path: `/threads/${thread_id}` })).text);
  const thread = { thread_id, metadata };
  const { server, exchanges } = recording(target);
  const conversation = await readConversation(thread, server, new Graphs(server));
  return { name, graph, thread, read: exchanges, conversation };
}

async function write({ conversation, ...one }: Read, target: Target): Promise<RecordedConversation> {
  const { server, exchanges } = recording(target);
  const options = { target: server, graphs: new Graphs(server), waiting: "ask-again" as const, learned: new Map() };
  const restored = await restoreConversation(conversation, options);
  return { ...one, written: exchanges, restored };
}

interface Request {
  method: string;
  path: string;
  search?: string;
  body?: unknown;
}

function recording(target: Target) {
  const exchanges: ConversationExchange[] = [];
  const probe = async (request: Request) => {
    const { method, body } = request;
    const { status, text, path } = await send(target, request);
    exchanges.push({ method, path, ...(body !== undefined && { body }), status, response: toRead(path, status, text) });
    return { status, text, headers: {} };
  };
  const server = new ConversationServer(probe as never, target.isPython);
  return { server, exchanges };
}

async function send({ origin }: Target, { method, path: name, search, body }: Request) {
  const path = search ? `${name}?${search}` : name;
  // One of the servers ends connections that another request may already use.
  const headers = { connection: "close", ...(body !== undefined && { "content-type": "application/json" }) };
  const response = await fetch(origin + path, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text(), path };
}

/** Returns what the provider reads of a response: the rest would fill the recording. */
function toRead(path: string, status: number, text: string): unknown {
  if (status >= 300) return text;
  const content = JSON.parse(text || "null");
  if (path.endsWith("/history")) return content.map(toState);
  if (path.includes("/runs?"))
    return content.map(({ created_at, kwargs: { input } }: Run) => ({ created_at, kwargs: { input } }));
  if (path.endsWith("/assistants/search"))
    return content.map(({ assistant_id }: { assistant_id: string }) => ({ assistant_id }));
  if (path.includes("/subgraphs")) return Object.fromEntries(Object.keys(content).map((name) => [name, {}]));
  if (path.endsWith("/graph")) return toDrawing(content);
  return null;
}

interface Run {
  created_at: string;
  kwargs: { input: unknown };
}

interface Drawing {
  nodes: { id: string }[];
  edges: { source: string; target: string }[];
}

const toDrawing = ({ nodes, edges }: Drawing): Drawing => ({
  nodes: nodes.map(({ id }) => ({ id })),
  edges: edges.map(({ source, target }) => ({ source, target })),
});

function toState({ values, next, tasks, metadata, checkpoint, parent_checkpoint: parent }: Checkpoint) {
  const { checkpoint_id, checkpoint_ns } = checkpoint;
  const { source, step, graph_id } = metadata as Checkpoint["metadata"] & { graph_id?: string };
  return {
    ...{ values, next, tasks: tasks.map(toTask), metadata: { source, step, graph_id } },
    checkpoint: { checkpoint_id, checkpoint_ns },
    ...(parent && { parent_checkpoint: { checkpoint_id: parent.checkpoint_id } }),
  };
}

const toTask = ({ id, name, result, interrupts = [], path, checkpoint }: Task) => ({
  ...{ id, name, ...(result != null && { result }), ...(interrupts.length > 0 && { interrupts }), path },
  ...(checkpoint && { checkpoint: { checkpoint_ns: checkpoint.checkpoint_ns } }),
});
