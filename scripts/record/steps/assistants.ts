/** Assistants, their versions, and the default assistants of graphs. */
import { assistantId, human, nul, serverMetadata, serverSettings, step, threadId, UNKNOWN_ID } from "./step.ts";

const create = "4B.POST /assistants";
const exists = `${create}:exists`;
const one = "/assistants/{assistant_id}";
const patch = `4B.PATCH ${one}`;
const mirrors = "2B.Assistant.mirrors";
const search = `${create}/search`;
/** The default assistant of `echo`. */
const DEFAULT_ID = "046b5dc7-2108-582c-9c6c-31d556d138f0";

const createStep = (name: string, facts: string, body: unknown) =>
  step(`assistant-${name}`, "POST /assistants", facts, { body });
const patchStep = (name: string, facts: string, body: unknown, number = 1) =>
  step(`assistant-patch-${name}`, `PATCH /assistants/${assistantId(number)}`, facts, { body });

const full = {
  assistant_id: assistantId(1),
  graph_id: "echo",
  name: "Full",
  description: "All fields",
  config: { tags: ["one"], recursion_limit: 50, configurable: { prefix: "Config: " }, other: { kept: true } },
  metadata: { team: "x", nested: { a: 1 } },
};

const createSteps = [
  createStep("smallest", `${create}, 2B.Assistant.name, 2B.Assistant.version`, { graph_id: "echo" }),
  createStep("full", `${create}, 2B.Assistant, 2B.Assistant.created_at, 2B.Assistant.config, ${mirrors}`, full),
  createStep("taken", exists, full),
  createStep("taken-raise", exists, { ...full, if_exists: "raise" }),
  createStep("taken-do-nothing", exists, { ...full, name: "Other", metadata: {}, if_exists: "do_nothing" }),
  createStep("context", `2B.Assistant.context, ${mirrors}`, {
    assistant_id: assistantId(2),
    graph_id: "echo",
    context: { prefix: "Context: " },
    metadata: { team: "x", list: [1, 2] },
  }),
  createStep("both", `${mirrors}:both`, {
    assistant_id: assistantId(3),
    graph_id: "echo",
    context: { prefix: "a" },
    config: { configurable: { letters: "upper" } },
  }),
  createStep("invalid-context", "2B.Assistant.schema", {
    assistant_id: assistantId(4),
    graph_id: "echo",
    context: { prefix: 5, unknown: true },
  }),
  createStep("invalid-context-do-nothing", exists, {
    assistant_id: assistantId(4),
    graph_id: "echo",
    if_exists: "do_nothing",
  }),
  createStep("unknown-graph", "2B.Assistant.graph_id", { assistant_id: assistantId(5), graph_id: "nope" }),
  createStep("no-graph", "2B.Assistant.graph_id, 7:assistants", {}),
  createStep("empty-name", "2B.Assistant.name", { assistant_id: assistantId(6), graph_id: "echo", name: "" }),
  createStep("null-description", "2B.Assistant.description", { graph_id: "echo", description: null }),
  createStep("null-name", "7:assistants", { graph_id: "echo", name: null }),
  createStep("reserved", "2B.Assistant.metadata:reserved, 2B.Assistant.mirrors:reserved", {
    assistant_id: assistantId(7),
    graph_id: "echo",
    metadata: serverMetadata,
    config: { configurable: serverSettings, metadata: serverMetadata },
  }),
  createStep("reserved-context", "2B.Assistant.mirrors:reserved", { graph_id: "echo", context: serverSettings }),
  createStep("nul", "2B.Thread.metadata:nul", {
    graph_id: "echo",
    name: "n\0",
    description: "d\0",
    context: { text: "c\0" },
    config: { tags: ["t\0"] },
    metadata: nul,
  }),
  createStep("nul-key", "2B.Thread.metadata:nul", { graph_id: "echo", context: { "k\0": 1 } }),
  createStep("other-spelling", "2B.Assistant.config", {
    assistant_id: assistantId(8),
    graph_id: "echo",
    config: { recursionLimit: 50 },
  }),
  createStep("invalid-limit", "2B.Assistant.config", { graph_id: "echo", config: { recursion_limit: "x" } }),
  createStep("invalid-id", "2B.Assistant.assistant_id", { graph_id: "echo", assistant_id: "abc" }),
  createStep("unhyphenated-id", "2B.Assistant.assistant_id", {
    graph_id: "echo",
    assistant_id: "2000000000004000800000000000000A",
  }),
  createStep("malformed", "7:assistants", "{"),
  step("assistant-read", `GET /assistants/${assistantId(1)}`, `4B.GET ${one}`),
  step("assistant-unknown", `GET /assistants/${UNKNOWN_ID}`, `4B.GET ${one}, 7:assistants`),
  step("assistant-by-graph", "GET /assistants/echo", `4B.GET ${one}:graph`),
  step("assistant-default", `GET /assistants/${DEFAULT_ID}`, "2B.Assistant.default"),
];

const patchSteps = [
  patchStep("name", `${patch}, 2B.Assistant.version`, { name: "Renamed" }),
  patchStep("metadata", "2B.Assistant.metadata, 10B.assistant-patch", { metadata: { nested: { b: 2 }, more: 1 } }),
  patchStep("null-key", "2B.Assistant.metadata", { metadata: { more: null } }),
  patchStep("config", "2B.Assistant.config", { config: { tags: ["two"] } }),
  patchStep("empty-config", `${mirrors}:empty`, { config: {} }),
  patchStep("description", "2B.Assistant.description", { description: "" }),
  patchStep("null-description", "2B.Assistant.description", { description: null }),
  patchStep("null-metadata", "7:assistants", { metadata: null }),
  patchStep("graph", "2B.Assistant.graph_id", { graph_id: "subgraph" }),
  patchStep("graph-back", "2B.Assistant.graph_id", { graph_id: "echo" }),
  patchStep("unknown-graph", "2B.Assistant.graph_id", { graph_id: "nope" }, 8),
  patchStep("nothing", patch, {}),
  patchStep("same", patch, { name: "Renamed" }),
  patchStep("context", `${mirrors}:context`, { context: { prefix: "P: " } }, 2),
  patchStep("context-and-config", `${mirrors}:context`, { context: { prefix: "Q: " }, config: { tags: ["q"] } }, 2),
  patchStep("empty-context", `${mirrors}:empty`, { context: {} }, 2),
  patchStep("empty-both", `${mirrors}:empty`, { context: {}, config: { configurable: {} } }, 2),
  patchStep("both", `${mirrors}:both`, { context: { a: 1 }, config: { configurable: { b: 1 } } }),
  step("assistant-patch-unknown", `PATCH /assistants/${UNKNOWN_ID}`, patch, { body: { name: "x" } }),
  step("assistant-patched", `GET /assistants/${assistantId(1)}`, patch),
];

const versions = `${create}/{assistant_id}/versions`;
const latest = `${create}/{assistant_id}/latest`;
const versionSteps = [
  step("versions", `POST /assistants/${assistantId(2)}/versions`, versions, { body: { limit: 1000 } }),
  step("versions-paged", `POST /assistants/${assistantId(1)}/versions`, versions, { body: { limit: 1, offset: 2 } }),
  step("versions-past-the-end", `POST /assistants/${assistantId(1)}/versions`, versions, { body: { offset: 100 } }),
  step("versions-unknown", `POST /assistants/${UNKNOWN_ID}/versions`, versions, { body: {} }),
  step("latest", `POST /assistants/${assistantId(1)}/latest`, latest, { body: { version: 1 } }),
  step("latest-context", `POST /assistants/${assistantId(2)}/latest`, latest, { body: { version: 1 } }),
  step("latest-unknown", `POST /assistants/${assistantId(1)}/latest`, latest, { body: { version: 99 } }),
  step("latest-missing", `POST /assistants/${assistantId(1)}/latest`, latest, { body: {} }),
  patchStep("after-latest", patch, { name: "After it" }),
];

const searchStep = (name: string, facts: string, body: unknown) =>
  step(`assistants-${name}`, "POST /assistants/search", facts, { body });
const select = ["assistant_id", "name"];
const metadata = { team: "x" };

const searchSteps = [
  searchStep("as-listed", `${search}, ${search}:pages`, {
    metadata,
    limit: 1000,
    sort_by: "created_at",
    sort_order: "asc",
    select,
  }),
  searchStep("default-limit", `${search}:pages`, { metadata: {}, graph_id: "echo", select }),
  searchStep("paged", `${search}:pages`, { metadata, limit: 1, offset: 1, select }),
  searchStep("past-the-end", `${search}:pages`, { offset: 9999 }),
  searchStep("limit-0", `${search}:pages`, { limit: 0 }),
  searchStep("limit-1001", `${search}:pages`, { limit: 1001 }),
  searchStep("graph", `${search}:filter`, { graph_id: "echo", metadata, limit: 100 }),
  searchStep("unknown-graph", `${search}:filter`, { graph_id: "nope" }),
  searchStep("name", `${search}:filter`, { name: "AFTER", select }),
  searchStep("list", `${search}:filter`, { metadata: { list: [1] }, select }),
  searchStep("defaults", "2B.Assistant.default", {
    metadata: { created_by: "system" },
    graph_id: "echo",
    select: ["graph_id", ...select],
  }),
  searchStep("by-name", search, { sort_by: "name", sort_order: "asc", metadata, select }),
  searchStep("descending", search, { sort_by: "created_at", sort_order: "desc", metadata, select }),
  searchStep("invalid-order", search, { sort_by: "bad" }),
  searchStep("select-nothing", search, { select: [], metadata, limit: 1 }),
  searchStep("select-invalid", search, { select: ["bad"], metadata }),
  step("assistants-without-body", "POST /assistants/search", search),
  step("assistants-count", "POST /assistants/count", `${create}/count`, {
    body: { graph_id: "echo", name: "a", metadata },
  }),
  step("assistant-schemas", `GET /assistants/${assistantId(2)}/schemas`, `4B.GET ${one}/schemas`),
  step(
    "assistant-schemas-without-context",
    "GET /assistants/{{assistant-interrupt.assistant_id}}/schemas",
    `4B.GET ${one}/schemas`,
  ),
  step("assistant-schemas-unknown", `GET /assistants/${UNKNOWN_ID}/schemas`, `4B.GET ${one}/schemas`),
  step("assistant-graph", `GET /assistants/${assistantId(2)}/graph`, `4B.GET ${one}/graph`),
  step("assistant-subgraphs", `GET /assistants/${assistantId(2)}/subgraphs`, `4B.GET ${one}/subgraphs`),
  step(
    "assistant-subgraph",
    `GET /assistants/${assistantId(2)}/subgraphs/inner`,
    `4B.GET ${one}/subgraphs/{namespace}`,
  ),
];

const deleteSteps = [
  step("assistant-run", "POST /runs/wait", "2B.Assistant.schema", {
    body: { assistant_id: assistantId(4), input: { messages: [human("Hello")] } },
  }),
  step("thread-51", "POST /threads", "4B.POST /threads:id", { body: { thread_id: threadId(51) } }),
  step("assistant-run-metadata", `POST /threads/${threadId(51)}/runs`, "2B.Assistant.metadata:runs", {
    body: { assistant_id: assistantId(1), input: { messages: [human("Hello")] } },
  }),
  step("assistant-delete", `DELETE /assistants/${assistantId(1)}`, `4B.DELETE ${one}`, { settle: threadId(51) }),
  step(
    "assistant-delete-threads",
    `GET /threads/${threadId(51)}`,
    `4B.DELETE ${one}:threads, 2B.Assistant.metadata:runs`,
  ),
  step("assistant-delete-read", `GET /assistants/${assistantId(1)}`, `4B.DELETE ${one}`),
  step("assistant-delete-again", `DELETE /assistants/${assistantId(1)}`, `4B.DELETE ${one}`),
  step(
    "assistant-delete-false",
    `DELETE /assistants/${assistantId(2)}?delete_threads=false`,
    `4B.DELETE ${one}:threads`,
  ),
  step("thread-52", "POST /threads", "4B.POST /threads:id, 2B.Thread.metadata:reserved", {
    body: { thread_id: threadId(52), metadata: { ...serverMetadata, assistant_id: assistantId(4), owner: "x" } },
  }),
  step("assistant-delete-true", `DELETE /assistants/${assistantId(4)}?delete_threads=true`, `4B.DELETE ${one}:threads`),
  step("assistant-delete-true-read", `GET /threads/${threadId(52)}`, `4B.DELETE ${one}:threads`),
  ...["2000000000004000800000000000000A", "20000000-0000-4000-8000-00000000000A"].map((id, index) =>
    step(`assistant-spelling-${index + 1}`, `GET /assistants/${id}`, "2B.Assistant.assistant_id"),
  ),
  step("assistant-spelling-run", "POST /runs/wait", "2B.Assistant.assistant_id", {
    body: { assistant_id: DEFAULT_ID.toUpperCase(), input: { messages: [human("Hello")] } },
  }),
  createStep("of-run", create, { assistant_id: assistantId(11), graph_id: "counter" }),
  step("thread-53", "POST /threads", "4B.POST /threads:id", { body: { thread_id: threadId(53) } }),
  step("run-of-deleted", `POST /threads/${threadId(53)}/runs`, `4B.DELETE ${one}`, {
    body: { assistant_id: assistantId(11), input: { count: 0, steps: 3 } },
  }),
  step("assistant-delete-running", `DELETE /assistants/${assistantId(11)}`, `4B.DELETE ${one}`),
  step("run-of-deleted-list", `GET /threads/${threadId(53)}/runs`, `4B.DELETE ${one}`, { settle: threadId(53) }),
  step("assistant-default-patch", `PATCH /assistants/${DEFAULT_ID}`, "2B.Assistant.default:unprotected", {
    body: { description: "Changed" },
  }),
];

export const assistantSteps = [
  ...createSteps,
  ...patchSteps,
  ...versionSteps,
  createStep("interrupt", create, { graph_id: "interrupt" }),
  ...searchSteps,
  ...deleteSteps,
];

/** Last, since no run by the name of the graph works afterwards. */
export const defaultSteps = [
  step("assistant-default-delete", `DELETE /assistants/${DEFAULT_ID}`, "2B.Assistant.default:unprotected"),
  step("assistant-default-run", "POST /runs/wait", "2B.Assistant.default:unprotected", {
    body: { assistant_id: "echo", input: { messages: [human("Hello")] } },
  }),
];
