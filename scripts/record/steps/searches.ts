/** Searches of threads, and the states of one thread. */
import { human, step, threadId, UNKNOWN_ID } from "./step.ts";

const search = "4B.POST /threads/search";
const bounds = `${search}:limit-bounds`;
const more = `${search}:more`;
const order = `${search}:sort`;
const history = "4B.POST /threads/{thread_id}/history";
const state = "4B.GET /threads/{thread_id}/state";
const metadata = { set: "searches" };
const select = ["thread_id"];

const searchStep = (name: string, facts: string, body: unknown) =>
  step(`search-${name}`, "POST /threads/search", facts, { body });

const sorted = (by: string, direction: string) =>
  searchStep(`by-${by.replaceAll("_", "-")}-${direction}`, by === "state_updated_at" ? more : order, {
    metadata,
    select,
    sort_by: by,
    sort_order: direction,
  });

export const searchSteps = [
  ...[1, 2, 3, 4].map((number) =>
    step(`searched-${number}`, "POST /threads", "4B.POST /threads:id", {
      body: {
        thread_id: threadId(30 + number),
        metadata: { ...metadata, half: number < 3 ? "a" : "b", list: [1, number], nested: { x: number % 2, y: 1 } },
      },
    }),
  ),
  searchStep("all", `${search}, 4.list-order`, { metadata, limit: 1000 }),
  searchStep("limited", `${search}:limit`, { metadata, limit: 2, select }),
  searchStep("paged", `${more}, 10B.search-offset`, { metadata, limit: 2, offset: 2, select }),
  searchStep("past-the-end", "4.list-end", { offset: 99999 }),
  searchStep("metadata", `${search}:metadata`, { metadata: { ...metadata, half: "a" }, select }),
  searchStep("nested-metadata", `${search}:metadata`, { metadata: { ...metadata, nested: { x: 1 } }, select }),
  searchStep("list-metadata", `${search}:lists`, { metadata: { ...metadata, list: [1] }, select }),
  searchStep("nothing", `${search}:metadata`, { metadata: { nobody: 1 } }),
  searchStep("ids", `10B.search-ids, ${more}`, { ids: [threadId(31), UNKNOWN_ID, threadId(33)], limit: 3, select }),
  searchStep("no-ids", more, { ids: [], metadata, select }),
  searchStep("invalid-ids", "7.404", { ids: ["abc"] }),
  searchStep("ids-and-metadata", more, { ids: [threadId(31)], metadata: { half: "b" } }),
  searchStep("idle", `${search}:status`, { metadata, status: "idle", select }),
  searchStep("invalid-status", `${search}:status`, { status: "bad" }),
  ...["thread_id", "status", "created_at", "updated_at", "state_updated_at"].flatMap((by) => [
    sorted(by, "asc"),
    sorted(by, "desc"),
  ]),
  searchStep("by-created-at", order, { metadata, select, sort_by: "created_at" }),
  searchStep("invalid-order", order, { sort_by: "created_at", sort_order: "bad" }),
  searchStep("invalid-field", order, { sort_by: "bad" }),
  searchStep("limit-0", bounds, { limit: 0 }),
  searchStep("limit-1001", bounds, { limit: 1001 }),
  searchStep("limit-text", bounds, { limit: "5" }),
  searchStep("invalid-offset", bounds, { offset: -1 }),
  searchStep("select", more, { ids: [threadId(3)], select: ["thread_id", "values", "metadata", "status"] }),
  searchStep("select-nothing", more, { ids: [threadId(31)], select: [] }),
  searchStep("select-invalid", more, { select: ["bad"] }),
  searchStep("select-ttl", "2B.Thread.ttl", { ids: [threadId(21)], select: ["ttl"] }),
  searchStep("values", `${more}, ${search}:values`, { values: { count: 1 }, metadata, select }),
  searchStep("unknown-field", "4.unknown-fields", { unknown: 1, metadata, select }),
  step("search-without-body", "POST /threads/search", search),
  step("count", "POST /threads/count", "4B.POST /threads/count", { body: { metadata } }),
  step("count-idle", "POST /threads/count", "4B.POST /threads/count", { body: { metadata, status: "idle" } }),
  step("count-values", "POST /threads/count", "4B.POST /threads/count", { body: { metadata, values: { count: 1 } } }),
];

const checkpoint = "{{create-with-state-history.1.checkpoint.checkpoint_id}}";
const historyStep = (name: string, facts: string, body: unknown, id = threadId(3)) =>
  step(`history-${name}`, `POST /threads/${id}/history`, facts, { body });

export const stateSteps = [
  step("state-empty", `GET /threads/${threadId(1)}/state`, "2B.Thread state:empty"),
  step("state-unknown", `GET /threads/${UNKNOWN_ID}/state`, state),
  step("state-invalid-id", "GET /threads/abc/state", "7.404"),
  step("state", `GET /threads/${threadId(3)}/state`, `${state}, 2B.Thread state.tasks:items`),
  step("state-at", `GET /threads/${threadId(3)}/state/${checkpoint}`, `${state}/{checkpoint_id}`),
  step("state-at-unknown", `GET /threads/${threadId(3)}/state/${UNKNOWN_ID}`, `${state}/{checkpoint_id}:unknown`),
  step(
    "state-at-object",
    `POST /threads/${threadId(3)}/state/checkpoint`,
    "4B.POST /threads/{thread_id}/state/checkpoint",
    { body: { checkpoint: { thread_id: threadId(3), checkpoint_id: checkpoint, checkpoint_ns: "" } } },
  ),
  historyStep("default", `${history}:limit`, {}),
  historyStep("limit-1", history, { limit: 1 }),
  historyStep("limit-1000", `${history}:limit`, { limit: 1000 }),
  historyStep("limit-1001", `${history}:limit`, { limit: 1001 }),
  historyStep("limit-0", `${history}:limit`, { limit: 0 }),
  historyStep("before", `${history}:before`, { limit: 10, before: { checkpoint_id: checkpoint } }),
  historyStep("before-configurable", `${history}:before`, {
    limit: 10,
    before: { configurable: { checkpoint_id: checkpoint } },
  }),
  historyStep("before-both", `${history}:before`, {
    limit: 10,
    before: { checkpoint_id: checkpoint, configurable: { checkpoint_id: checkpoint } },
  }),
  historyStep("before-text", `${history}:before`, { limit: 10, before: checkpoint }),
  historyStep("before-unknown", `${history}:before`, {
    limit: 10,
    before: { configurable: { checkpoint_id: UNKNOWN_ID } },
  }),
  historyStep("metadata", history, { limit: 10, metadata: { step: 1 } }),
  historyStep("empty", history, { limit: 10 }, threadId(1)),
  historyStep("unknown", history, { limit: 10 }, UNKNOWN_ID),
  step("history-without-body", `POST /threads/${threadId(3)}/history`, history),
  step("write", `POST /threads/${threadId(12)}/state`, "4B.POST /threads/{thread_id}/state", {
    body: { values: { messages: [human("Written")] }, as_node: "echo" },
  }),
  step("write-state", `GET /threads/${threadId(12)}/state`, "4B.POST /threads/{thread_id}/state"),
  step("write-no-graph", `POST /threads/${threadId(1)}/state`, "4B.POST /threads/{thread_id}/state", {
    body: { values: { messages: [] } },
  }),
  step("write-unknown-node", `POST /threads/${threadId(12)}/state`, "4B.POST /threads/{thread_id}/state", {
    body: { values: {}, as_node: "nonode" },
  }),
];
