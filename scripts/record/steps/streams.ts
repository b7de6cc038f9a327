/** What runs send while they are in progress, and where a run or a history is read that does not exist. */
import { human, step, threadId, UNKNOWN_ID } from "./step.ts";

const stream = "4B.POST /threads/{thread_id}/runs/stream:modes";
const history = "4B.GET /threads/{thread_id}/history";
const run = "4B.GET /threads/{thread_id}/runs/{run_id}";
const input = { messages: [human("Again")] };

/** A run on a new thread. */
function streamed(number: number, name: string, body: object) {
  const path = `/threads/${threadId(number)}`;
  return [
    step(`${name}-thread`, "POST /threads", "4B.POST /threads:id", { body: { thread_id: threadId(number) } }),
    step(name, `POST ${path}/runs/stream`, stream, { body }),
  ];
}

const steps = ["tasks", "checkpoints"];

const modeSteps = [
  ...streamed(71, "stream-steps", {
    ...{ assistant_id: "interrupt", input: { prepared: false } },
    stream_mode: ["values", "updates", ...steps],
  }),
  step("stream-steps-resumed", `POST /threads/${threadId(71)}/runs/stream`, stream, {
    body: { assistant_id: "interrupt", command: { resume: "yes" }, stream_mode: steps },
  }),
  ...streamed(72, "stream-steps-failed", {
    ...{ assistant_id: "failing", input: { worked: false } },
    stream_mode: steps,
  }),
  ...streamed(73, "stream-steps-subgraph", {
    ...{ assistant_id: "memory", input, stream_subgraphs: true },
    stream_mode: steps,
  }),
  ...streamed(74, "stream-debug", { assistant_id: "interrupt", input: { prepared: false }, stream_mode: "debug" }),
  ...streamed(75, "stream-messages", { assistant_id: "echo", input, stream_mode: ["values", "messages"] }),
  ...streamed(76, "stream-tuples", { assistant_id: "echo", input, stream_mode: ["values", "messages-tuple"] }),
];

const commandSteps = (["missing", "__start__"] as const).map((goto) =>
  step(`stream-goto-${goto.replaceAll("_", "")}`, `POST /threads/${threadId(76)}/runs/wait`, "2B.Run:request", {
    body: { assistant_id: "echo", command: { goto, update: { messages: [human("Updated")] } } },
  }),
);

const superstepSteps = [
  step("update-before-input", "POST /threads", "2B.Superstep:input", {
    body: {
      ...{ thread_id: threadId(77), metadata: { graph_id: "echo" } },
      supersteps: [{ updates: [{ as_node: "__input__", values: input }] }],
    },
  }),
  step("update-before-input-run", `POST /threads/${threadId(77)}/runs/wait`, "2B.Run:request", {
    body: { assistant_id: "echo", command: { update: { messages: [human("Updated")] } } },
  }),
];

const readSteps = [
  step("join-unknown", `GET /threads/${threadId(71)}/runs/${UNKNOWN_ID}/join`, `${run}/join:unknown`),
  step("join-unknown-thread", `GET /threads/${UNKNOWN_ID}/runs/${UNKNOWN_ID}/join`, `${run}/join:unknown`),
  step("stream-unknown", `GET /threads/${threadId(71)}/runs/${UNKNOWN_ID}/stream`, `${run}/join:unknown`),
  step("history-by-get", `GET /threads/${threadId(72)}/history`, history),
  step("history-by-get-3", `GET /threads/${threadId(72)}/history?limit=3`, history),
  step("history-by-get-0", `GET /threads/${threadId(72)}/history?limit=0`, history),
  step(
    "history-by-get-before",
    `GET /threads/${threadId(72)}/history?limit=9&before={{history-by-get.0.checkpoint.checkpoint_id}}`,
    history,
  ),
  step("history-by-get-unknown", `GET /threads/${UNKNOWN_ID}/history`, history),
  step("number-too-large", "POST /threads", "7:threads.numbers", { body: '{"metadata":{"a":1e400}}' }),
];

export const streamSteps = [...modeSteps, ...commandSteps, ...superstepSteps, ...readSteps];
