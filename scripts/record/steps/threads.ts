/** The server, and threads from their creation to their deletion. */
import { ai, conversation, human, nul, step, threadId, UNKNOWN_ID } from "./step.ts";

const create = "4B.POST /threads";
const byId = "4B.POST /threads:id";
const existing = "4B.POST /threads:existing";
const read = "4B.GET /threads/{thread_id}";
const patch = "4B.PATCH /threads/{thread_id}";
const ttl = "2B.Thread.ttl";
const remove = "4B.DELETE /threads/{thread_id}";
const failed = "2B.Superstep:201";
const minutes = (count: number, strategy = "delete") => ({ strategy, ttl: count });

export const serverSteps = [
  step("ok", "GET /ok", "4B.GET /ok"),
  step("info", "GET /info", "4B.GET /info, 2B.Cron"),
  step("unknown-route", "GET /nonsense", "7:threads.detail"),
  step("wrong-method", "PUT /threads", "7:threads.detail", { body: {} }),
  step("threads-not-listed-by-get", "GET /threads", "7:threads.detail"),
];

const createSteps = [
  step("create-empty", "POST /threads", `${create}:empty, 2B.Thread.more, 2.timestamps`, { body: {} }),
  step("create-without-body", "POST /threads", `${create}:body`),
  step("create-with-id", "POST /threads", byId, {
    body: { thread_id: threadId(1), metadata: { purpose: "one", nested: { deep: [1, null] } } },
  }),
  step("create-taken", "POST /threads", `${byId}, 7.409`, {
    body: { thread_id: threadId(1), metadata: { purpose: "two" } },
  }),
  step("create-taken-raise", "POST /threads", byId, { body: { thread_id: threadId(1), if_exists: "raise" } }),
  step("create-taken-do-nothing", "POST /threads", byId, {
    body: { thread_id: threadId(1), metadata: { purpose: "two" }, if_exists: "do_nothing" },
  }),
  step("create-unknown-field", "POST /threads", "4.unknown-fields", { body: { thread_id: threadId(2), unknown: 1 } }),
  step("create-invalid-id", "POST /threads", "7.404, 7:threads.detail", { body: { thread_id: "not-a-uuid" } }),
  step("create-null-metadata", "POST /threads", `${create}:null`, { body: { metadata: null } }),
  step("create-list-metadata", "POST /threads", "7:threads.detail", { body: { metadata: [] } }),
  step("create-invalid-if-exists", "POST /threads", "7:threads.detail", { body: { if_exists: "bad" } }),
  step("create-nul", "POST /threads", "2B.Thread.metadata:nul", { body: { thread_id: threadId(70), metadata: nul } }),
  step("create-nul-read", `GET /threads/${threadId(70)}`, "2B.Thread.metadata:nul"),
  step("create-nul-patch", `PATCH /threads/${threadId(70)}`, "2B.Thread.metadata:nul", {
    body: { metadata: { later: "\0" } },
  }),
  step("create-malformed", "POST /threads", "7:threads.detail", { body: "{" }),
];

const superstepSteps = [
  step("create-with-state", "POST /threads", `${create}:state, 2B.Superstep:graph`, {
    body: {
      thread_id: threadId(3),
      metadata: { graph_id: "echo", kept: "yes" },
      if_exists: "do_nothing",
      supersteps: conversation(),
    },
  }),
  step("create-with-state-read", `GET /threads/${threadId(3)}`, read),
  step("create-with-state-history", `POST /threads/${threadId(3)}/history`, "2B.Superstep:graph", {
    body: { limit: 10 },
  }),
  step("create-input", "POST /threads", "2B.Superstep:input", {
    body: {
      thread_id: threadId(4),
      metadata: { graph_id: "echo" },
      supersteps: [{ updates: [{ values: { messages: [human("Wait")] }, as_node: "__input__" }] }],
    },
  }),
  step("create-input-state", `GET /threads/${threadId(4)}/state`, "2B.Superstep:input"),
  step("create-command", "POST /threads", "2B.Superstep:command", {
    body: {
      thread_id: threadId(5),
      metadata: { graph_id: "echo" },
      supersteps: [{ updates: [{ command: { update: { messages: [ai("By command")] } }, as_node: "echo" }] }],
    },
  }),
  step("create-command-read", `GET /threads/${threadId(5)}`, "2B.Superstep:command"),
  step("create-no-graph", "POST /threads", failed, {
    body: { thread_id: threadId(6), metadata: { purpose: "no graph" }, supersteps: conversation() },
  }),
  step("create-no-graph-read", `GET /threads/${threadId(6)}`, "2B.Superstep:failure"),
  step("create-unknown-graph", "POST /threads", failed, {
    body: { thread_id: threadId(7), metadata: { graph_id: "nope" }, supersteps: conversation() },
  }),
  step("create-unknown-graph-read", `GET /threads/${threadId(7)}`, "2B.Superstep:failure"),
  step("create-unknown-node", "POST /threads", "2B.Superstep:node", {
    body: {
      thread_id: threadId(8),
      metadata: { graph_id: "echo" },
      supersteps: [{ updates: [{ values: {}, as_node: "nonode" }] }],
    },
  }),
  step("create-unknown-node-read", `GET /threads/${threadId(8)}`, "2B.Superstep:failure"),
  step("create-no-updates", "POST /threads", failed, {
    body: { thread_id: threadId(9), metadata: { graph_id: "echo" }, supersteps: [] },
  }),
];

/** What `if_exists: do_nothing` does to the thread of someone else. */
const foreignSteps = [
  step("foreign-without-graph", "POST /threads", existing, {
    body: { thread_id: threadId(11), metadata: { owner: "another owner" } },
  }),
  step("foreign-without-graph-do-nothing", "POST /threads", `${failed}, ${existing}`, {
    body: {
      thread_id: threadId(11),
      metadata: { graph_id: "echo", mine: "1" },
      if_exists: "do_nothing",
      supersteps: conversation("Mine"),
    },
  }),
  step("foreign-without-graph-read", `GET /threads/${threadId(11)}`, existing),
  step("foreign", "POST /threads", existing, {
    body: { thread_id: threadId(12), metadata: { graph_id: "echo", owner: "x" }, supersteps: conversation("Theirs") },
  }),
  step("foreign-do-nothing", "POST /threads", existing, {
    body: {
      thread_id: threadId(12),
      metadata: { graph_id: "echo", mine: "1" },
      if_exists: "do_nothing",
      supersteps: conversation("Mine"),
    },
  }),
  step("foreign-state", `GET /threads/${threadId(12)}/state`, existing),
  step("foreign-raise", "POST /threads", existing, {
    body: { thread_id: threadId(12), if_exists: "raise", supersteps: conversation("Again") },
  }),
  step("foreign-history", `POST /threads/${threadId(12)}/history`, existing, { body: { limit: 100 } }),
];

const ttlSteps = [
  step("create-ttl", "POST /threads", `${ttl}, 2B.Thread.more`, {
    body: { thread_id: threadId(21), ttl: minutes(60) },
  }),
  step("create-ttl-read", `GET /threads/${threadId(21)}`, ttl),
  step("create-ttl-include", `GET /threads/${threadId(21)}?include=ttl`, `${ttl}:response`),
  step("create-ttl-keep-latest", "POST /threads", ttl, {
    body: { thread_id: threadId(22), ttl: minutes(60, "keep_latest") },
  }),
  step("create-ttl-no-strategy", "POST /threads", ttl, { body: { thread_id: threadId(23), ttl: { ttl: 60 } } }),
  step("create-ttl-invalid", "POST /threads", `${ttl}, ${ttl}:javascript`, {
    body: { thread_id: threadId(24), ttl: minutes(60, "bad") },
  }),
  step("create-ttl-negative", "POST /threads", ttl, { body: { thread_id: threadId(25), ttl: minutes(-1) } }),
  step("create-ttl-null", "POST /threads", `${ttl}:null`, { body: { thread_id: threadId(26), ttl: null } }),
  step("patch-ttl", `PATCH /threads/${threadId(21)}`, `${patch}:ttl`, { body: { ttl: minutes(120) } }),
  step("patch-ttl-null", `PATCH /threads/${threadId(21)}`, `${ttl}:null`, { body: { ttl: null } }),
  step("patch-ttl-null-metadata", `PATCH /threads/${threadId(21)}`, `${ttl}:null`, {
    body: { metadata: { a: "1" }, ttl: null },
  }),
  step("patch-ttl-null-metadata-read", `GET /threads/${threadId(21)}`, `${ttl}:null`),
  step("patch-ttl-metadata", `PATCH /threads/${threadId(21)}`, `${patch}:ttl`, {
    body: { metadata: { a: "2" }, ttl: minutes(240) },
  }),
  step("patch-ttl-empty-metadata", `PATCH /threads/${threadId(21)}`, `${patch}:ttl`, {
    body: { metadata: {}, ttl: minutes(30) },
  }),
];

const changeSteps = [
  step("read-unknown", `GET /threads/${UNKNOWN_ID}`, `${read}, 7:threads.detail`),
  step("read-invalid-id", "GET /threads/abc", "7.404"),
  step("patch", `PATCH /threads/${threadId(1)}`, patch, { body: { metadata: { added: "x", nested: { other: 1 } } } }),
  step("patch-null-key", `PATCH /threads/${threadId(1)}`, patch, { body: { metadata: { added: null } } }),
  step("patch-empty", `PATCH /threads/${threadId(1)}`, patch, { body: {} }),
  step("patch-empty-metadata", `PATCH /threads/${threadId(1)}`, patch, { body: { metadata: {} } }),
  step("patch-unknown", `PATCH /threads/${UNKNOWN_ID}`, patch, { body: { metadata: { a: 1 } } }),
  step("patch-invalid-id", "PATCH /threads/abc", "7.404", { body: { metadata: {} } }),
  step("patch-read", `GET /threads/${threadId(1)}`, patch),
  step("copy", `POST /threads/${threadId(3)}/copy`, "4B.POST /threads/{thread_id}/copy, 10B.copy-values, 3.5"),
  step("copy-read", "GET /threads/{{copy.thread_id}}", "10B.copy-values"),
  step("copy-history", "POST /threads/{{copy.thread_id}}/history", "3.5", { body: { limit: 10 } }),
  step("copy-ttl", `POST /threads/${threadId(21)}/copy`, "10B.copy-values"),
  step("copy-unknown", `POST /threads/${UNKNOWN_ID}/copy`, "4B.POST /threads/{thread_id}/copy:unknown"),
  step("copy-invalid-id", "POST /threads/abc/copy", "7.404"),
];

export const threadSteps = [...createSteps, ...superstepSteps, ...foreignSteps, ...ttlSteps, ...changeSteps];

export const deletionSteps = [
  step("delete", `DELETE /threads/${threadId(3)}`, remove),
  step("delete-read", `GET /threads/${threadId(3)}`, remove),
  step("delete-state", `GET /threads/${threadId(3)}/state`, remove),
  step("delete-history", `POST /threads/${threadId(3)}/history`, remove, { body: { limit: 1 } }),
  step("delete-again", `DELETE /threads/${threadId(3)}`, remove),
  step("delete-invalid-id", "DELETE /threads/abc", "7.404"),
  step("patch-deleted", `PATCH /threads/${threadId(3)}`, remove, { body: { metadata: {} } }),
  step("create-deleted-again", "POST /threads", byId, { body: { thread_id: threadId(3), if_exists: "do_nothing" } }),
  step("prune", "POST /threads/prune", "4B.POST /threads/prune", {
    body: { thread_ids: [threadId(3)], strategy: "delete" },
  }),
  step("prune-keep-latest", "POST /threads/prune", "4B.POST /threads/prune", {
    body: { thread_ids: [threadId(12)], strategy: "keep_latest" },
  }),
];
