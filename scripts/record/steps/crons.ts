/** Crons, which only the server in Python has. */
import { assistantId, human, nul, serverMetadata, serverSettings, step, threadId, UNKNOWN_ID } from "./step.ts";

const create = "4B.POST /runs/crons";
const one = "/runs/crons/{cron_id}";
const patch = `4B.PATCH ${one}`;
const search = `${create}/search`;
/** Never due while a script runs. */
const yearly = { assistant_id: assistantId(9), schedule: "0 0 1 1 *" };
const cron = "{{cron-full.cron_id}}";
const input = { messages: [human("On time")] };

const createStep = (name: string, facts: string, body: unknown) =>
  step(`cron-${name}`, "POST /runs/crons", facts, { body });
const patchStep = (name: string, facts: string, body: unknown) =>
  step(`cron-patch-${name}`, `PATCH /runs/crons/${cron}`, facts, { body });

const createSteps = [
  step("cron-assistant", "POST /assistants", "4B.POST /assistants", {
    body: { assistant_id: assistantId(9), graph_id: "echo", metadata: { of: "assistant", both: "assistant" } },
  }),
  step("thread-61", "POST /threads", "4B.POST /threads:id", {
    body: { thread_id: threadId(61), metadata: { graph_id: "echo" } },
  }),
  createStep("smallest", `${create}, 2B.Cron.enabled, 2B.Cron.on_run_completed`, yearly),
  createStep("full", `${create}, 2B.Cron.request, 2B.Cron.payload, 2B.Cron.metadata`, {
    ...yearly,
    timezone: "Europe/Berlin",
    end_time: "2031-01-01T00:00:00Z",
    enabled: false,
    on_run_completed: "keep",
    metadata: { team: "x", nested: { a: 1 } },
    input,
    config: { tags: ["one"], recursion_limit: 50, configurable: { prefix: "Cron: " } },
    webhook: "https://93.184.216.34/hook",
    multitask_strategy: "enqueue",
    interrupt_before: ["echo"],
    interrupt_after: "*",
    stream_mode: ["values"],
    stream_subgraphs: false,
    stream_resumable: false,
    durability: "async",
  }),
  createStep("context", `2B.Cron.request`, { ...yearly, context: { prefix: "C: " }, metadata: { team: "y" } }),
  createStep("graph", "2B.Cron.assistant_id", { ...yearly, assistant_id: "echo" }),
  createStep("unknown-assistant", "2B.Cron.assistant_id", { ...yearly, assistant_id: UNKNOWN_ID }),
  createStep("no-assistant", "2B.Cron.assistant_id", { schedule: yearly.schedule }),
  createStep("no-schedule", "2B.Cron.schedule", { assistant_id: yearly.assistant_id }),
  createStep("invalid-schedule", "2B.Cron.schedule:refused", { ...yearly, schedule: "bad" }),
  createStep("reboot", "2B.Cron.schedule:refused", { ...yearly, schedule: "@reboot" }),
  createStep("no-next-date", "2B.Cron.schedule:refused", { ...yearly, schedule: "0 0 31 2 *" }),
  createStep("six-fields", "2B.Cron.schedule:more", { ...yearly, schedule: "0 0 1 1 * 30" }),
  createStep("alias", "2B.Cron.schedule:more", { ...yearly, schedule: "@yearly" }),
  createStep("unknown-zone", "2B.Cron.timezone", { ...yearly, timezone: "Nowhere/City" }),
  createStep("empty-zone", "2B.Cron.timezone", { ...yearly, timezone: "" }),
  createStep("null-zone", "2B.Cron.timezone", { ...yearly, timezone: null }),
  createStep("any-end", "2B.Cron.end_time", { ...yearly, end_time: "soon" }),
  createStep("null-end", "2B.Cron.end_time", { ...yearly, end_time: null }),
  createStep("local-webhook", "2B.Cron.webhook", { ...yearly, webhook: "http://127.0.0.1:1/x" }),
  createStep("any-strategy", "2B.Cron.multitask_strategy", { ...yearly, multitask_strategy: "bad" }),
  createStep("reserved", "2B.Cron.metadata, 2B.Cron.request:reserved", {
    ...yearly,
    metadata: serverMetadata,
    config: { configurable: { ...serverSettings, cron_id: "mine" }, metadata: serverMetadata },
  }),
  createStep("reserved-context", "2B.Cron.request:reserved", { ...yearly, context: serverSettings }),
  createStep("nul", "2B.Thread.metadata:nul", {
    ...yearly,
    ...{ metadata: nul, input: nul, config: { configurable: { text: "c\0" } } },
    webhook: "https://93.184.216.34/\0",
  }),
  step(
    "cron-on-thread",
    `POST /threads/${threadId(61)}/runs/crons`,
    "4B.POST /threads/{thread_id}/runs/crons, 2B.Cron.thread_id",
    { body: { ...yearly, on_run_completed: "keep", metadata: { on: "thread" } } },
  ),
  step("cron-on-thread-strategy", `POST /threads/${threadId(61)}/runs/crons`, "2B.Cron.multitask_strategy", {
    body: { ...yearly, multitask_strategy: "bad" },
  }),
  step("cron-on-unknown-thread", `POST /threads/${UNKNOWN_ID}/runs/crons`, "4B.POST /threads/{thread_id}/runs/crons", {
    body: yearly,
  }),
  step("cron-read", `GET /runs/crons/${cron}`, `4B.GET ${one}, 2B.Cron.user_id, 2B.Cron.cron_id`),
  step("cron-unknown", `GET /runs/crons/${UNKNOWN_ID}`, `4B.GET ${one}`),
  step("cron-invalid-id", "GET /runs/crons/abc", `4B.GET ${one}`),
];

const patchSteps = [
  patchStep("schedule", `${patch}, 2B.Cron.next_run_date`, { schedule: "0 5 * * *" }),
  patchStep("zone", "2B.Cron.timezone", { timezone: "Asia/Tokyo" }),
  patchStep("null-zone", "2B.Cron.timezone", { timezone: null }),
  patchStep("null-end", "2B.Cron.end_time", { end_time: null }),
  patchStep("metadata", "2B.Cron.metadata", { metadata: { more: 1 } }),
  patchStep("config", "2B.Cron.request", { config: { tags: ["two"] } }),
  patchStep("context", "2B.Cron.request", { context: { prefix: "P: " } }),
  patchStep("input", "2B.Cron.request", { input: {} }),
  patchStep("null-webhook", "2B.Cron.request", { webhook: null }),
  patchStep("null-strategy", "2B.Cron.multitask_strategy", { multitask_strategy: null }),
  patchStep("rest", "2B.Cron.request", {
    on_run_completed: "delete",
    webhook: "https://93.184.216.34/other",
    interrupt_before: [],
    interrupt_after: [],
    stream_mode: "updates",
    stream_subgraphs: true,
    stream_resumable: true,
    durability: "sync",
  }),
  patchStep("assistant", "2B.Cron.assistant_id", { assistant_id: assistantId(7) }),
  patchStep("invalid-schedule", `${patch}:part`, { timezone: "Asia/Kolkata", schedule: "bad" }),
  patchStep("enabled", "2B.Cron.enabled", { enabled: true, schedule: "0 0 1 1 *" }),
  patchStep("nothing", patch, {}),
  step("cron-patch-unknown", `PATCH /runs/crons/${UNKNOWN_ID}`, patch, { body: { enabled: true } }),
  step("cron-patched", `GET /runs/crons/${cron}`, patch),
];

const searchStep = (name: string, facts: string, body: unknown) =>
  step(`crons-${name}`, "POST /runs/crons/search", facts, { body });
const select = ["cron_id"];

const searchSteps = [
  searchStep("as-listed", search, { limit: 1000, sort_by: "created_at", sort_order: "asc", select }),
  searchStep("metadata", search, { metadata: { nested: { a: 1 } }, select }),
  searchStep("assistant", search, { assistant_id: assistantId(9), limit: 1, select }),
  searchStep("graph", search, { assistant_id: "echo" }),
  searchStep("thread", search, { thread_id: threadId(61), select }),
  searchStep("enabled", search, { enabled: false, select }),
  searchStep("paged", search, { limit: 1, offset: 1, select }),
  searchStep("past-the-end", search, { offset: 9999 }),
  searchStep("limit-1001", search, { limit: 1001 }),
  step("crons-count", "POST /runs/crons/count", `${create}/count`, {
    body: { metadata: { team: "y" }, enabled: false },
  }),
];

/** A cron whose time comes every five seconds. */
const due = (name: string, facts: string, fields: object) =>
  createStep(`due-${name}`, facts, {
    ...{ ...yearly, schedule: "* * * * * */5", on_run_completed: "keep", metadata: { fires: name }, input },
    ...fields,
  });
/** The first thread of its runs, after some seconds. */
const fired = (name: string, facts: string, wait = 0, when = "then") =>
  step(`cron-fired-${name}-${when}`, "POST /threads/search", facts, {
    body: {
      ...{ metadata: { fires: name }, limit: 1, sort_by: "created_at", sort_order: "asc" },
      select: ["metadata", "status", "values"],
    },
    wait,
  });
const deleteDue = (name: string) =>
  step(`cron-due-${name}-delete`, `DELETE /runs/crons/{{cron-due-${name}.cron_id}}`, "4B.DELETE /runs/crons/{cron_id}");

const firingSteps = [
  // It would stop all that follow.
  step("cron-any-end-delete", "DELETE /runs/crons/{{cron-any-end.cron_id}}", "4B.DELETE /runs/crons/{cron_id}"),
  step("cron-due", "POST /runs/crons", "3B.cron", {
    body: {
      ...yearly,
      schedule: "* * * * * */5",
      on_run_completed: "keep",
      metadata: { of: "cron", both: "cron" },
      input,
    },
  }),
  step("cron-due-threads", "POST /threads/search", "3B.cron, 3B.cron:metadata", {
    body: {
      metadata: { of: "cron" },
      limit: 1,
      sort_by: "created_at",
      sort_order: "asc",
      select: ["metadata", "status"],
    },
    wait: 16,
  }),
  step("cron-due-delete", "DELETE /runs/crons/{{cron-due.cron_id}}", "4B.DELETE /runs/crons/{cron_id}"),
  step("cron-version-assistant", "POST /assistants", "3B.cron:version", {
    body: { assistant_id: assistantId(10), graph_id: "echo", context: { prefix: "First: " } },
  }),
  due("version", "3B.cron:version", { assistant_id: assistantId(10) }),
  step("cron-version-patch", `PATCH /assistants/${assistantId(10)}`, "3B.cron:version", {
    body: { context: { prefix: "Second: " } },
  }),
  due("never", "3B.cron:never", { context: { prefix: "C: " }, config: { configurable: { other: 1 } } }),
  due("disabled", "3B.cron:disabled", { enabled: false }),
  fired("version", "3B.cron:version", 12),
  fired("never", "3B.cron:never"),
  fired("disabled", "3B.cron:disabled"),
  step("cron-disabled-patch", "PATCH /runs/crons/{{cron-due-disabled.cron_id}}", "3B.cron:disabled", {
    body: { enabled: true },
  }),
  fired("disabled", "3B.cron:disabled", 12, "enabled"),
  ...["version", "never", "disabled"].map(deleteDue),
  due("ending", "3B.cron:end-time", { end_time: "2031-01-01T00:00:00Z" }),
  due("stopped", "3B.cron:end-time", {}),
  fired("ending", "3B.cron:end-time", 12),
  fired("stopped", "3B.cron:end-time"),
  deleteDue("ending"),
  fired("stopped", "3B.cron:end-time", 12, "again"),
  deleteDue("stopped"),
];

const deleteSteps = [
  step("cron-delete", `DELETE /runs/crons/${cron}`, `4B.DELETE ${one}`),
  step("cron-delete-again", `DELETE /runs/crons/${cron}`, `4B.DELETE ${one}`),
  step("cron-delete-read", `GET /runs/crons/${cron}`, `4B.DELETE ${one}`),
  step("cron-thread-delete", `DELETE /threads/${threadId(61)}`, "4B.POST /threads/{thread_id}/runs/crons"),
  step(
    "cron-of-deleted-thread",
    "GET /runs/crons/{{cron-on-thread.cron_id}}",
    "4B.POST /threads/{thread_id}/runs/crons",
  ),
  step("cron-assistant-delete", `DELETE /assistants/${assistantId(9)}`, "4B.DELETE /assistants/{assistant_id}"),
  step(
    "cron-of-deleted-assistant",
    "GET /runs/crons/{{cron-smallest.cron_id}}",
    "4B.DELETE /assistants/{assistant_id}",
  ),
];

export const cronSteps = [...createSteps, ...patchSteps, ...searchSteps, ...firingSteps, ...deleteSteps];
