/** Runs, and what they do to threads. */
import { human, step, threadId, UNKNOWN_ID } from "./step.ts";

const runs = "4B.POST /threads/{thread_id}/runs";
const waits = `${runs}/wait`;
const oneRun = "4B.GET /threads/{thread_id}/runs/{run_id}";
const remove = "4B.DELETE /threads/{thread_id}/runs/{run_id}";
const cancel = `${runs}/{run_id}/cancel`;
const input = { messages: [human("Again")] };
const onThread = (number: number, suffix = "") => `POST /threads/${threadId(number)}/runs${suffix}`;
/** A run of the graph `counter`, whose only step takes more than a second. */
const slow = { assistant_id: "counter", input: { count: 0, steps: 1 } };
const thread = (number: number) =>
  step(`thread-${number}`, "POST /threads", "4B.POST /threads:id", { body: { thread_id: threadId(number) } });

const outcomeSteps = [
  step("run-wait", onThread(3, "/wait"), `${waits}, 2B.Run:request`, {
    body: { assistant_id: "echo", input, metadata: { asked: "here" }, config: { configurable: { prefix: "R: " } } },
  }),
  step("run-wait-read", `GET /threads/${threadId(3)}`, "2B.graph_id, 2B.assistant_id, 3.Thread status:order"),
  step("run-wait-history", `POST /threads/${threadId(3)}/history`, "3.4, 2B.Thread state.metadata", {
    body: { limit: 3 },
  }),
  step("run-list", `GET /threads/${threadId(3)}/runs`, "4B.GET /threads/{thread_id}/runs, 2B.Run, 3.Run status"),
  step("run-read", `GET /threads/${threadId(3)}/runs/{{run-list.0.run_id}}`, oneRun),
  step("run-read-unknown", `GET /threads/${threadId(3)}/runs/${UNKNOWN_ID}`, oneRun),
  step("run-over-metadata", "POST /threads", "2B.graph_id", {
    body: { thread_id: threadId(48), metadata: { graph_id: "counter", assistant_id: "mine", kept: "yes" } },
  }),
  step("run-over-metadata-run", onThread(48, "/wait"), waits, {
    body: { assistant_id: "echo", input, metadata: { kept: "no" } },
  }),
  step("run-over-metadata-read", `GET /threads/${threadId(48)}`, "2B.graph_id, 2B.assistant_id"),
  step("run-over-metadata-patch", `PATCH /threads/${threadId(48)}`, "2B.graph_id, 2B.assistant_id", {
    body: { metadata: { graph_id: "counter", assistant_id: "mine" } },
  }),
  thread(41),
  step("run-interrupted", onThread(41, "/wait"), waits, {
    body: { assistant_id: "interrupt", input: { prepared: false } },
  }),
  step("run-interrupted-read", `GET /threads/${threadId(41)}`, "3.Thread status:order, 2B.Thread.more"),
  step("run-interrupted-state", `GET /threads/${threadId(41)}/state`, "2B.Thread state.tasks:items"),
  step("run-resumed", onThread(41, "/wait"), `${waits}, 2B.Run:request`, {
    body: { assistant_id: "interrupt", command: { resume: "yes" } },
  }),
  thread(42),
  step("run-failed", onThread(42, "/wait"), waits, { body: { assistant_id: "failing", input: { worked: false } } }),
  step("run-failed-read", `GET /threads/${threadId(42)}`, "3.Thread status:order, 2B.Thread.more"),
  step("run-failed-state", `GET /threads/${threadId(42)}/state`, "2B.Thread state.tasks:items"),
  step("search-error", "POST /threads/search", "4B.POST /threads/search:status", {
    body: { status: "error", select: ["thread_id", "status"] },
  }),
  thread(47),
  step("run-subgraph", onThread(47, "/wait"), waits, { body: { assistant_id: "subgraph", input } }),
  step("run-unknown-graph", onThread(41), runs, { body: { assistant_id: "nope", input } }),
  step("run-unknown-thread", `POST /threads/${UNKNOWN_ID}/runs`, runs, { body: { assistant_id: "echo", input } }),
  step("run-invalid-strategy", onThread(41), runs, {
    body: { assistant_id: "echo", input, multitask_strategy: "bad" },
  }),
  thread(46),
  step("run-stream", onThread(46, "/stream"), `${runs}/stream`, {
    body: { assistant_id: "echo", input, stream_mode: ["values", "updates"] },
  }),
];

const busySteps = [
  thread(43),
  step("run-slow", onThread(43), `${runs}, 2B.Run, 3.Run status`, { body: slow }),
  step("run-slow-read", `GET /threads/${threadId(43)}`, "3.Thread status:order"),
  step("patch-busy", `PATCH /threads/${threadId(43)}`, "4B.PATCH /threads/{thread_id}", {
    body: { metadata: { while: "busy" } },
  }),
  step("write-busy", `POST /threads/${threadId(43)}/state`, "4B.POST /threads/{thread_id}/state", {
    body: { values: { count: 1 } },
  }),
  step("run-rejected", onThread(43), `${runs}, 2B.Run:request`, { body: { ...slow, multitask_strategy: "reject" } }),
  step("run-join", `GET /threads/${threadId(43)}/runs/{{run-slow.run_id}}/join`, `${oneRun}/join`),
  step("cancel-ended", `${onThread(43)}/{{run-slow.run_id}}/cancel`, cancel, { settle: threadId(43) }),
  step("run-ended-stream", `GET /threads/${threadId(43)}/runs/{{run-slow.run_id}}/stream`, `${oneRun}/stream`),
  step("delete-ended-run", `DELETE /threads/${threadId(43)}/runs/{{run-slow.run_id}}`, remove),
  step("delete-ended-run-state", `GET /threads/${threadId(43)}/state`, remove),
  step("run-cancelled", onThread(43), runs, { body: slow }),
  step("cancel", `${onThread(43)}/{{run-cancelled.run_id}}/cancel?wait=true`, cancel, { wait: 0.2 }),
  step("cancel-run", `GET /threads/${threadId(43)}/runs/{{run-cancelled.run_id}}`, cancel, { settle: threadId(43) }),
  thread(44),
  step("run-deleted", onThread(44), runs, { body: slow }),
  step("delete-running", `DELETE /threads/${threadId(44)}/runs/{{run-deleted.run_id}}`, remove, { wait: 0.2 }),
  step("delete-running-read", `GET /threads/${threadId(44)}/runs/{{run-deleted.run_id}}`, remove),
  thread(45),
  step("run-on-deleted", onThread(45), runs, { body: slow }),
  step("delete-busy", `DELETE /threads/${threadId(45)}`, "4B.DELETE /threads/{thread_id}"),
  step("delete-busy-read", `GET /threads/${threadId(45)}`, "4B.DELETE /threads/{thread_id}"),
];

const statelessSteps = [
  step("stateless", "POST /runs", "4B.POST /runs", { body: { assistant_id: "echo", input, on_completion: "delete" } }),
  step("stateless-wait", "POST /runs/wait", "4B.POST /runs/wait", {
    body: {
      ...{ assistant_id: "echo", input, context: { prefix: "C: " }, config: { tags: ["x"], recursion_limit: 9 } },
      ...{ on_completion: "delete", on_disconnect: "cancel" },
    },
  }),
  step("stateless-wait-config", "POST /runs/wait", "4B.POST /runs/wait", {
    body: { assistant_id: "echo", input, config: { configurable: { prefix: "R: " }, other: { a: 1 } } },
  }),
  step("stateless-wait-list", "POST /runs/wait", "4B.POST /runs/wait", {
    body: { assistant_id: "echo", input: [input] },
  }),
  step("stateless-failed", "POST /runs/wait", "4B.POST /runs/wait", {
    body: { assistant_id: "failing", input: { worked: false } },
  }),
  step("stateless-stream", "POST /runs/stream", "4B.POST /runs/stream", {
    body: { assistant_id: "echo", input, stream_mode: "updates" },
  }),
  step("stateless-batch", "POST /runs/batch", "4B.POST /runs/batch", { body: [{ assistant_id: "echo", input }] }),
  step("cancel-none", "POST /runs/cancel", "4B.POST /runs/cancel", {
    body: { thread_id: threadId(41), run_ids: [UNKNOWN_ID] },
  }),
];

/** A thread that waits, of which the graph has no longer the node: no server changes its graphs while it runs. */
const waitingSteps = [
  thread(49),
  step("run-waiting", onThread(49, "/wait"), waits, {
    body: { assistant_id: "interrupt", input: { prepared: false } },
  }),
  step("waiting-other-graph", `PATCH /threads/${threadId(49)}`, "4B.PATCH /threads/{thread_id}", {
    body: { metadata: { graph_id: "echo" } },
  }),
  step("waiting-other-graph-state", `GET /threads/${threadId(49)}/state`, "2B.Thread state.next:live"),
  step("waiting-other-graph-search", "POST /threads/search", "2B.Thread state.next:live", {
    body: { status: "interrupted", metadata: { graph_id: "echo" }, limit: 10 },
  }),
  step("waiting-no-graph", `PATCH /threads/${threadId(49)}`, "4B.PATCH /threads/{thread_id}", {
    body: { metadata: { graph_id: "gone" } },
  }),
  step("waiting-no-graph-state", `GET /threads/${threadId(49)}/state`, "2B.Thread state:graph"),
];

export const runSteps = [...outcomeSteps, ...waitingSteps, ...busySteps, ...statelessSteps];
