/** What is read of conversations, and how they are written again: subgraphs, supersteps, questions. */
import { ai, human, step, threadId } from "./step.ts";

const history = "4B.POST /threads/{thread_id}/history";
const write = "4B.POST /threads/{thread_id}/state";
const waits = "4B.POST /threads/{thread_id}/runs/wait";
const superstep = "2B.Superstep";
const namespace = "remember";
const message = (text: string) => ({ ...human(text), id: text });
const reply = (text: string) => ({ ...ai(text), id: text });
const updates = (as_node: string, values: object) => ({ updates: [{ as_node, values }] });

const historyStep = (name: string, facts: string, id: number, body: object = {}) =>
  step(name, `POST /threads/${threadId(id)}/history`, facts, { body: { limit: 20, ...body } });
const runStep = (name: string, facts: string, id: number, body: object) =>
  step(name, `POST /threads/${threadId(id)}/runs/wait`, `${waits}, ${facts}`, { body });
const threadStep = (name: string, id: number, graph: string, supersteps?: object[]) =>
  step(name, "POST /threads", `${superstep}:graph`, {
    body: { thread_id: threadId(id), metadata: { graph_id: graph }, ...(supersteps && { supersteps }) },
  });
const readStep = (name: string, facts: string, id: number) => step(name, `GET /threads/${threadId(id)}`, facts);
const stateStep = (name: string, facts: string, id: number) => step(name, `GET /threads/${threadId(id)}/state`, facts);
const writeStep = (name: string, facts: string, [id, as_node, values]: [number, string, object], ns?: string) =>
  step(name, `POST /threads/${threadId(id)}/state`, facts, {
    body: {
      ...{ as_node, values },
      ...(ns !== undefined && { checkpoint: { thread_id: threadId(id), checkpoint_ns: ns } }),
    },
  });

const remembers = `${history}:namespace`;

/** A subgraph that remembers has states of its own. */
const memorySteps = [
  threadStep("memory", 101, "memory"),
  runStep("memory-run", remembers, 101, { assistant_id: "memory", input: { messages: [message("one")] } }),
  runStep("memory-run-again", remembers, 101, { assistant_id: "memory", input: { messages: [message("two")] } }),
  step("memory-runs", `GET /threads/${threadId(101)}/runs`, "4B.GET /threads/{thread_id}/runs"),
  historyStep("memory-history", "2B.Thread state.tasks:items", 101),
  historyStep("memory-child", remembers, 101, { checkpoint: { checkpoint_ns: namespace } }),
  historyStep("memory-child-none", remembers, 101, { checkpoint: { checkpoint_ns: "nothing" } }),
  step("memory-child-state", `POST /threads/${threadId(101)}/state/checkpoint`, `${write}/checkpoint`, {
    body: { checkpoint: { thread_id: threadId(101), checkpoint_ns: namespace } },
  }),
  step("memory-assistants", "POST /assistants/search", "4B.POST /assistants/search", {
    body: { graph_id: "memory", limit: 1 },
  }),
  step(
    "memory-subgraphs",
    "GET /assistants/{{memory-assistants.0.assistant_id}}/subgraphs?recurse=true",
    "4B.GET /assistants/{assistant_id}/subgraphs",
  ),
];

/** The states of a subgraph are written before those of the graph around it. */
const rememberedSteps = [
  threadStep("remembered", 102, "memory"),
  writeStep("remembered-input", `${write}:namespace`, [102, "__start__", { messages: [message("one")] }], namespace),
  writeStep(
    "remembered-write",
    `${write}:namespace`,
    [102, "recall", { messages: [reply("heard")], heard: ["one"] }],
    namespace,
  ),
  readStep("remembered-read", `${write}:leak`, 102),
  historyStep("remembered-child", remembers, 102, { checkpoint: { checkpoint_ns: namespace } }),
  writeStep("remembered-unknown-node", `${write}:namespace`, [102, "nonode", {}], namespace),
  writeStep("remembered-unknown-subgraph", `${write}:namespace`, [102, "recall", {}], "nothing"),
  step("remembered-append", "POST /threads", "4B.POST /threads:existing", {
    body: {
      ...{ thread_id: threadId(102), if_exists: "do_nothing" },
      supersteps: [
        updates("__input__", { messages: [message("one")] }),
        updates("__start__", { messages: [message("one")] }),
        updates("remember", { messages: [reply("heard")] }),
      ],
    },
  }),
  readStep("remembered-append-read", `${write}:leak`, 102),
  historyStep("remembered-history", `${superstep}:results`, 102),
  runStep("remembered-run", `${write}:namespace`, 102, {
    assistant_id: "memory",
    input: { messages: [message("two")] },
  }),
];

const overwriteSteps = [
  writeStep("overwrite", `${superstep}:overwrite`, [
    102,
    "remember",
    { messages: { __overwrite__: [message("new")] } },
  ]),
  stateStep("overwrite-state", `${superstep}:overwrite`, 102),
  writeStep(
    "overwrite-list",
    `${superstep}:overwrite`,
    [102, "recall", { heard: { __overwrite__: ["new"] } }],
    namespace,
  ),
  historyStep("overwrite-list-child", `${superstep}:overwrite`, 102, {
    ...{ limit: 1, checkpoint: { checkpoint_ns: namespace } },
  }),
  threadStep("overwrite-plain", 103, "interrupt"),
  writeStep("overwrite-plain-write", `${superstep}:overwrite`, [103, "prepare", { prepared: { __overwrite__: true } }]),
  stateStep("overwrite-plain-state", `${superstep}:overwrite`, 103),
  writeStep("unknown-value", `${superstep}:unknown`, [102, "remember", { unknown: 1 }]),
  stateStep("unknown-value-state", `${superstep}:unknown`, 102),
];

/** The supersteps of a thread that waits for an answer restore its state, and not its question. */
const asked = [
  updates("__input__", { prepared: false }),
  updates("__start__", { prepared: false }),
  updates("prepare", { prepared: true }),
];
const questionSteps = [
  threadStep("asked", 104, "interrupt", asked),
  readStep("asked-read", `${superstep}:question`, 104),
  historyStep("asked-history", `${superstep}:question`, 104),
  runStep("asked-again", `${superstep}:question`, 104, { assistant_id: "interrupt", input: null }),
  readStep("asked-again-read", `${superstep}:question`, 104),
  stateStep("asked-again-state", `${superstep}:question`, 104),
  runStep("asked-answer", `${superstep}:question`, 104, { assistant_id: "interrupt", command: { resume: "yes" } }),
  readStep("asked-answer-read", `${superstep}:question`, 104),
];

const half = "2B.Superstep:failure";
const halfSteps = [
  threadStep("half", 105, "interrupt", [...asked, updates("nonode", {})]),
  readStep("half-read", half, 105),
  historyStep("half-history", half, 105),
];

export const conversationSteps = [
  ...memorySteps,
  ...rememberedSteps,
  ...overwriteSteps,
  ...questionSteps,
  ...halfSteps,
];
