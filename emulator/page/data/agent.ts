/** Requests to an agent server, as any client of it sends them. */
/** The longest part of a response that is shown as its error. */
const MAX_ERROR_LENGTH = 500;

/** An error in the words of the agent. */
export class AgentError extends Error {
  /** `status` is 0 if there was no response. */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** How to reach an agent server. */
export interface AgentAccess {
  deploymentId: string;
  /** Empty: no credentials. */
  key: string;
}

/** The state of a thread after a run. */
export type Values = Record<string, unknown>;

/** Returns the names of the graphs of an agent server as far as it has assistants, in the order in which it lists them. */
export async function graphsOf(access: AgentAccess): Promise<string[]> {
  const assistants = (await search(access, "assistants", { limit: 100 })) ?? [];
  return [...new Set(assistants.map(({ graph_id }) => graph_id).filter((name) => typeof name === "string"))];
}

/** A thread that an agent server lists. */
export interface AgentThread {
  id: string;
  status: string;
  /** "" if the agent does not say. */
  updatedAt: string;
  lastMessage?: string;
}

/** How many threads of an agent are listed. */
export const LISTED_THREADS = 50;

/** Returns the threads of an agent server that changed last; undefined if it does not list them. */
export async function threadsOf(access: AgentAccess): Promise<AgentThread[] | undefined> {
  const order = { sort_by: "updated_at", sort_order: "desc" };
  const found = await search(access, "threads", { limit: LISTED_THREADS, ...order });
  const threads = found?.map(({ thread_id, status, updated_at, values }) => {
    const messages = Object(values).messages;
    const { content } = Object(Array.isArray(messages) ? messages.at(-1) : undefined);
    const lastMessage = typeof content === "string" ? content.slice(0, 200) : undefined;
    return { id: `${thread_id}`, status: `${status ?? "unknown"}`, updatedAt: `${updated_at ?? ""}`, lastMessage };
  });
  // An agent may ignore the order.
  return threads?.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** @returns undefined if the agent has no such route, or returns something else there. */
async function search(access: AgentAccess, kind: string, body: object): Promise<Record<string, unknown>[] | undefined> {
  const found = await post(access, `/${kind}/search`, body).catch((error: AgentError) => {
    if (error.status === 404 || error.status === 405) return undefined;
    throw error;
  });
  return Array.isArray(found) ? found.map(Object) : undefined;
}

/** Creates a thread and returns its ID. */
export async function createThread(access: AgentAccess): Promise<string> {
  const { thread_id } = Object(await post(access, "/threads", {}));
  if (typeof thread_id === "string") return thread_id;
  throw new AgentError(200, "The agent created a thread without an ID.");
}

/** Sends a message and waits for the end of the run. @throws AgentError also for a run that failed */
export async function sendMessage(access: AgentAccess, thread: string, graph: string, text: string): Promise<Values> {
  const input = { messages: [{ role: "user", content: text }] };
  const path = `/threads/${encodeURIComponent(thread)}/runs/wait`;
  const values = Object(await post(access, path, { assistant_id: graph, input }));
  if (values.__error__ === undefined) return values;
  const { error, message } = Object(values.__error__);
  throw new AgentError(200, [error, message].filter(Boolean).join(": ") || "The run failed.");
}

async function post({ deploymentId, key }: AgentAccess, path: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json", ...(key !== "" && { "x-api-key": key }) };
  const url = `/agents/${encodeURIComponent(deploymentId)}${path}`;
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }).catch((error) => {
    throw new AgentError(0, `The request could not be sent: ${error.message}`);
  });
  const text = await response.text();
  const json = parse(text);
  if (!response.ok) throw new AgentError(response.status, `${response.status}: ${describe(json, text)}`);
  if (json !== undefined) return json;
  throw new AgentError(response.status, `The response is not JSON: ${text.slice(0, MAX_ERROR_LENGTH)}`);
}

function describe(json: unknown, text: string): string {
  const { detail, error, message } = Object(json);
  const words = detail === undefined ? [error, message].filter((part) => typeof part === "string").join(": ") : detail;
  return ((typeof words === "string" ? words : JSON.stringify(words)) || text || "The response is empty").slice(
    0,
    MAX_ERROR_LENGTH,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
