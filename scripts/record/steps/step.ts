/** One request of the script that is recorded on published agent servers and replayed on the emulator. */
export interface Step {
  /** Unique; the values of its response that change are named after it. */
  name: string;
  method: string;
  /** May contain names of earlier values: `/threads/{{create-empty.thread_id}}`. */
  path: string;
  /** Besides those that every request has. */
  headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is; names are replaced in everything else. */
  body?: unknown;
  /** The IDs of the facts of docs/platform-api/ that the exchange shows. */
  facts: readonly string[];
  /** Before the request: waits until this thread has no unfinished run. */
  settle?: string;
  /** Before the request: seconds to wait. */
  wait?: number;
  /** Sent to a second server, which authenticates users: scripts/record/graphs/auth. */
  authenticated?: true;
}

/** @param request Method and path. @param facts IDs, separated by a comma. */
export function step(
  name: string,
  request: string,
  facts: string,
  more: Pick<Step, "headers" | "body" | "settle" | "wait"> = {},
): Step {
  const [method = "", path = ""] = request.split(" ");
  return { name, method, path, facts: facts.split(/, (?=\d)/), ...more };
}

/** IDs that the script chooses. */
export const threadId = (number: number) => `10000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
export const assistantId = (number: number) => `20000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

export const human = (content: string) => ({ type: "human", content });
export const ai = (content: string) => ({ type: "ai", content });

/** Supersteps that leave the graph `echo` with a question and its reply. */
export const conversation = (question = "Hello") => [
  { updates: [{ values: { messages: [human(question)] }, as_node: "__start__" }] },
  { updates: [{ values: { messages: [ai(`Reply to ${question}`)] }, as_node: "echo" }] },
];

/** Keys of the server itself in metadata, and another one. */
export const serverMetadata = {
  ...{ assistant_id: "a", thread_id: "t", run_id: "r", cron_id: "c" },
  counters_since_delta_snapshot: { messages: [1, 1] },
  kept: 1,
};

/** The same in what configures a run. */
export const serverSettings = Object.fromEntries(
  [
    ...["auth_user", "auth_user_id", "auth_permissions", "request_id"].map((name) => `langgraph_${name}`),
    ...["langsmith_project", "langsmith_example_id", "request_start_time_ms", "after_seconds"].map(internal),
    ...["otel_traceparent", "otel_tracestate", "dd_trace_headers", "context_provided"].map(internal),
    ...["__pregel_node_finished", "__kept"],
  ].map((key) => [key, "x"]),
);

function internal(name: string) {
  return `__${name}__`;
}

/** NUL characters, and their escape sequence as a text. */
export const nul = {
  "key\0": "value\0",
  list: ["item\0"],
  nested: { deep: "\0" },
  escaped: "\\u0000",
  upper: "\\U0000",
};
