/** Every form in which clients send a field: each type of what users store, and each word that servers know. */
import { assistantId, human, step, threadId } from "./step.ts";

const anything = { text: "a", integer: 1, fraction: 0.5, flag: true, nothing: null, list: [1], empty: [], object: {} };
const config = {
  tags: ["one"],
  recursion_limit: 50,
  configurable: { prefix: "C: " },
  other: { kept: true },
  note: "kept",
};
const input = { messages: [human("On time")] };
/** Never due while a script runs. */
const yearly = { assistant_id: assistantId(81), schedule: "0 0 1 1 *" };
const cron = "{{form-cron.cron_id}}";
const request = "2B.Cron.request";

const runFields = {
  ...{ input: [input], config, webhook: "https://93.184.216.34/hook", durability: "exit" },
  ...{ interrupt_before: ["echo"], interrupt_after: ["echo"], stream_mode: ["values"] },
  ...{ stream_subgraphs: true, stream_resumable: true },
};
const fields = { timezone: "Europe/Berlin", end_time: "2031-01-01T00:00:00Z", enabled: false, metadata: anything };
const WORDS = {
  durability: ["sync", "async", "exit"],
  multitask_strategy: ["enqueue", "reject", "interrupt", "rollback"],
  stream_mode: [
    ...["values", "messages", "messages-tuple", "updates", "events"],
    ...["tasks", "checkpoints", "debug", "custom"],
  ],
  on_run_completed: ["delete", "keep"],
};
const words = Object.entries(WORDS).flatMap(([key, values]) => values.map((word) => ({ key, word })));
const bodyOf = ({ key, word }: (typeof words)[number]) => ({ [key]: key === "stream_mode" ? [word] : word });
const onThread = `POST /threads/${threadId(81)}/runs/crons`;

const threadForms = [
  step("form-thread", "POST /threads", "4B.POST /threads:id", {
    body: { thread_id: threadId(81), metadata: { ...anything, graph_id: "echo" }, if_exists: "raise" },
  }),
  step("form-thread-patch", `PATCH /threads/${threadId(81)}`, "4B.PATCH /threads/{thread_id}", {
    body: { metadata: anything },
  }),
  step("form-threads", "POST /threads/search", "4B.POST /threads/search:metadata", {
    body: { metadata: anything, limit: 10 },
  }),
  step("form-ttl", "POST /threads", "2B.Thread.ttl", {
    body: { thread_id: threadId(82), ttl: { strategy: "delete", ttl: 0.5 } },
  }),
  step("form-ttl-patch", `PATCH /threads/${threadId(82)}`, "2B.Thread.ttl", {
    body: { metadata: {}, ttl: { strategy: "keep_latest", ttl: 0.5 } },
  }),
  ...["busy", "interrupted"].map((status) =>
    step(`form-threads-${status}`, "POST /threads/search", "4B.POST /threads/search:status", {
      body: { status, metadata: anything, limit: 10 },
    }),
  ),
];

const assistantForms = [
  step("form-assistant", "POST /assistants", "4B.POST /assistants", {
    body: { assistant_id: assistantId(81), graph_id: "echo", metadata: anything, config, if_exists: "raise" },
  }),
  step("form-assistant-patch", `PATCH /assistants/${assistantId(81)}`, "4B.PATCH /assistants/{assistant_id}", {
    body: { metadata: anything, config },
  }),
  step("form-assistants", "POST /assistants/search", "4B.POST /assistants/search:filter", {
    body: { metadata: anything, limit: 10 },
  }),
];

const cronForms = [
  step("form-cron", "POST /runs/crons", request, { body: { ...yearly, ...fields, ...runFields } }),
  step("form-cron-thread", onThread, request, { body: { ...yearly, ...fields, ...runFields } }),
  step("form-cron-thread-context", onThread, request, { body: { ...yearly, context: { prefix: "C: " }, input } }),
  step("form-cron-thread-null-end", onThread, "2B.Cron.end_time", { body: { ...yearly, end_time: null } }),
  ...words.map((one) =>
    step(`form-cron-${one.key}-${one.word}`, "POST /runs/crons", request, { body: { ...yearly, ...bodyOf(one) } }),
  ),
  ...words
    .filter(({ key }) => key !== "on_run_completed")
    .map((one) =>
      step(`form-cron-thread-${one.key}-${one.word}`, onThread, request, { body: { ...yearly, ...bodyOf(one) } }),
    ),
  step("form-cron-patch", `PATCH /runs/crons/${cron}`, request, { body: { ...fields, ...runFields } }),
  step("form-crons", "POST /runs/crons/search", "4B.POST /runs/crons/search", {
    body: { metadata: anything, limit: 10, select: ["cron_id", "metadata"] },
  }),
  ...words.map((one) =>
    step(`form-cron-patch-${one.key}-${one.word}`, `PATCH /runs/crons/${cron}`, request, { body: bodyOf(one) }),
  ),
];

export const formSteps = [...threadForms, ...assistantForms, ...cronForms];
