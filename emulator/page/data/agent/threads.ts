/** The threads and assistants of an agent server. */
import { send as sendToAdmin } from "../api";
import { type AgentAccess, AgentError, list, readJson, send } from "./request";
import type { Interrupt, State, Values } from "./types";

/** What a message can be sent to. */
export interface Assistant {
  /** That of the assistant, or the name of a graph, whose default assistant responds. */
  id: string;
  name: string;
  graph: string;
  isDefault: boolean;
}

/** Returns the assistants of an agent server as far as it has any, default ones last. */
export async function assistantsOf(access: AgentAccess): Promise<Assistant[]> {
  const found = (await list(access, "/assistants/search", { limit: 100 })) ?? [];
  const assistants = found.map(({ assistant_id, graph_id, name, metadata }) => {
    const isDefault = assistant_id === undefined || Object(metadata).created_by === "system";
    return { id: `${assistant_id ?? graph_id}`, name: `${name ?? graph_id}`, graph: `${graph_id}`, isDefault };
  });
  return assistants.sort((a, b) => Number(a.isDefault) - Number(b.isDefault));
}

export const LISTED_THREADS = 50;

/** Returns the threads of an agent server that changed last; undefined if it does not list them. */
export async function threadsOf(access: AgentAccess): Promise<Thread[] | undefined> {
  const order = { sort_by: "updated_at", sort_order: "desc" };
  const found: Thread[] | undefined = await list(access, "/threads/search", { limit: LISTED_THREADS, ...order });
  // An agent may ignore the order.
  return found?.sort((a, b) => (`${a.updated_at}` < `${b.updated_at}` ? 1 : -1));
}

export async function createThread(access: AgentAccess): Promise<string> {
  const { thread_id } = Object(await send(access, "POST", "/threads", {}).then(readJson));
  if (typeof thread_id === "string") return thread_id;
  throw new AgentError(200, "The agent created a thread without an ID.");
}

export interface Thread {
  thread_id?: string;
  status?: string;
  created_at?: string;
  updated_at?: string;
  metadata?: Record<string, unknown>;
  values?: Values | null;
  error?: unknown;
  /** By task. */
  interrupts?: Record<string, Interrupt[]>;
  /** The newest states, most recent first; absent in a list. */
  history?: State[];
}

export const MAX_STATES = 50;

/** Reads a thread: from a process over its own API, otherwise from the emulator, which requires no key. */
export async function readThread(access: AgentAccess, id: string, isProcess: boolean): Promise<Thread> {
  const path = `/threads/${encodeURIComponent(id)}`;
  const admin = `/agents/${encodeURIComponent(access.deploymentId)}${path}`;
  const [thread, history] = await (isProcess
    ? Promise.all([send(access, "GET", path).then(readJson), list(access, `${path}/history`, { limit: MAX_STATES })])
    : Promise.all([sendToAdmin<Thread>("GET", admin), sendToAdmin<State[]>("GET", `${admin}/history`)]));
  return { ...Object(thread), history: history ?? [] };
}
