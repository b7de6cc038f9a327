import type { GraphKind } from "../../runtime/options";
import { isObject } from "../../runtime/validation/validator";
import type { State } from "../threads/checkpoints";
import { lastHumanMessage, mergeMessages } from "./messages";

/** The input of a node besides the state. */
export interface NodeInput {
  runId: string;
  /** The run's `command.resume`. */
  resume?: unknown;
  /** The context of the run and of its assistant. */
  context?: Readonly<Record<string, unknown>>;
}

/** The result of a node: a state update or an interrupt. A failing node throws GraphError. */
export type NodeResult = { update: State; model?: ModelCall } | { interrupt: unknown };

/** A simulated call of a language model, for the trace. */
export interface ModelCall {
  prompt: string;
  answer: string;
}

/** A built-in graph. Its nodes run one after another. */
export interface Graph {
  nodes: readonly string[];
  /** Returns the nodes that follow `node`, or the first nodes without `node`. */
  next(state: State, node?: string): string[];
  runNode(node: string, state: State, step: NodeInput): NodeResult;
  /** Accepts any node name, because the graph stands in for an unknown one. */
  acceptsAnyNode?: boolean;
  /** Undefined for a graph that stands in for an unknown one. */
  schemas?: GraphSchemas;
  /** All values of its state: others are dropped. Undefined: it accepts any. */
  values?: readonly string[];
  /** Lists of the state that an update is appended to. */
  lists?: readonly string[];
  /** By node. They remember their state from one run of a thread to the next. */
  subgraphs?: Readonly<Record<string, Subgraph>>;
}

/** A graph that is a node of another one. Its nodes do not interrupt. */
export interface Subgraph extends Graph {
  runNode(node: string, state: State, step: NodeInput): { update: State };
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schemas of a graph. */
interface GraphSchemas {
  /** Of its input, output and state, which are the same. */
  state: ReturnType<typeof objectSchema>;
  /** Undefined for a graph without context. */
  context?: { type: "object"; title: string; properties: Readonly<Record<string, JsonSchema>> };
}

const objectSchema = (title: string, properties: Readonly<Record<string, JsonSchema>>) =>
  ({ type: "object", title, properties }) as const;

const messageList = { type: "array", items: { type: "object" } };

/** The failure of a node; its message becomes the error of the run. */
export class GraphError extends Error {}

/** Steps of `counter` unless the input sets `steps`. */
const defaultSteps = 3;

const sequence =
  (nodes: readonly string[]): Graph["next"] =>
  (_state, node) =>
    nodes
      .slice(node === undefined ? 0 : nodes.indexOf(node) + 1)
      .slice(0, node !== undefined && !nodes.includes(node) ? 0 : 1);

/** What the context value `letters` of `echo` does to the response. */
const letters: Readonly<Record<string, (text: string) => string>> = {
  unchanged: (text) => text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
};

/** Repeats the last message, or the whole state if there are no messages, as its context says. */
const echo: Graph = {
  nodes: ["echo"],
  next: sequence(["echo"]),
  schemas: {
    state: objectSchema("EchoState", { messages: messageList }),
    context: objectSchema("EchoContext", {
      prefix: { type: "string", title: "Prefix", default: "Echo: " },
      letters: { type: "string", title: "Letters", enum: Object.keys(letters), default: "unchanged" },
    }),
  },
  runNode(_node, { messages, ...rest }, { runId, context = {} }) {
    const prompt = lastHumanMessage(messages) ?? JSON.stringify(rest);
    const prefix = typeof context.prefix === "string" ? context.prefix : "Echo: ";
    const change = letters[String(context.letters)] ?? letters.unchanged;
    const answer = `${prefix}${change?.(prompt)}`;
    const usage = { input_tokens: estimateTokens(prompt), output_tokens: estimateTokens(answer) };
    const usage_metadata = { ...usage, total_tokens: usage.input_tokens + usage.output_tokens };
    return {
      update: { messages: [{ type: "ai", id: `run-${runId}`, content: answer, usage_metadata }] },
      model: { prompt, answer },
    };
  },
};

/** Adds 1 to `count`, `steps` times (default: 3). The next run continues counting. */
const counter: Graph = {
  nodes: ["count"],
  schemas: { state: objectSchema("CounterState", { count: { type: "integer" }, steps: { type: "integer" } }) },
  next: ({ steps }, node) => (node === undefined || Number(steps) > 0 ? ["count"] : []),
  runNode(_node, { count, steps }) {
    const remaining = Number(steps) > 0 ? Number(steps) : defaultSteps;
    return { update: { count: (Number(count) || 0) + 1, steps: remaining - 1 } };
  },
};

const interruptNodes = ["prepare", "finish"];

/** Interrupts before its second node until a run resumes it with `command: {resume: …}`. */
const interrupt: Graph = {
  nodes: interruptNodes,
  schemas: {
    state: objectSchema("InterruptState", {
      prepared: { type: "boolean" },
      resumed: { type: "string" },
      finished: { type: "boolean" },
    }),
  },
  next: sequence(interruptNodes),
  runNode(node, _state, { resume }) {
    if (node === "prepare") return { update: { prepared: true } };
    return resume === undefined ? { interrupt: "Shall I finish?" } : { update: { resumed: resume, finished: true } };
  },
};

const failingNodes = ["work", "fail"];

/** A graph whose second node always fails. */
const failing: Graph = {
  nodes: failingNodes,
  schemas: { state: objectSchema("FailingState", { worked: { type: "boolean" } }) },
  next: sequence(failingNodes),
  runNode(node) {
    if (node === "fail") throw new GraphError("This graph always fails");
    return { update: { worked: true } };
  },
};

/** The node of `memory`, with a list that the graph around it does not show. */
const remember: Subgraph = {
  nodes: ["recall"],
  next: sequence(["recall"]),
  lists: ["heard"],
  values: ["messages", "heard"],
  schemas: {
    state: objectSchema("RememberState", {
      messages: messageList,
      heard: { type: "array", items: { type: "string" } },
    }),
  },
  runNode(_node, { messages, heard }, { runId }) {
    const text = lastHumanMessage(messages) ?? "";
    const all = [...(Array.isArray(heard) ? heard : []), text];
    const content = `I have heard: ${all.join(", ")}`;
    return { update: { messages: [{ type: "ai", id: `run-${runId}`, content }], heard: [text] } };
  },
};

/** Lists everything that was said in the thread, which a subgraph remembers. */
const memory: Graph = {
  nodes: ["remember"],
  next: sequence(["remember"]),
  values: ["messages"],
  schemas: { state: objectSchema("MemoryState", { messages: messageList }) },
  subgraphs: { remember },
  runNode: (_node, state) => ({ update: state }),
};

/** The built-in graphs of every emulator. */
export const builtInGraphs = { echo, counter, interrupt, failing, memory } satisfies Readonly<Record<GraphKind, Graph>>;

/** Returns a state without the values that other built-in graphs have, and this one has not. */
export function withoutOthers({ schemas }: Graph, state: State): State {
  if (!schemas) return state;
  const own = namesOf(schemas);
  const others = new Set(Object.values(builtInGraphs).flatMap(({ schemas: one }) => (one ? namesOf(one) : [])));
  return Object.fromEntries(Object.entries(state).filter(([name]) => own.includes(name) || !others.has(name)));
}

const namesOf = ({ state }: GraphSchemas): string[] => Object.keys(state.properties);

/** Returns the state before the first update. */
export const initialState = ({ lists = [] }: Graph): State => Object.fromEntries(lists.map((name) => [name, []]));

/**
 * Returns the state after an update: `messages` are merged, lists grow, and all other values are replaced. Where values
 * add up, `{"__overwrite__": value}` replaces them.
 */
export function applyUpdate(graph: Graph, state: State, update: State | null | undefined): State {
  const entries = Object.entries(update ?? {}).filter(([name]) => graph.values?.includes(name) ?? true);
  const changes = entries.map(([name, value]) => [name, merge(graph, name, state[name], value)]);
  return { ...state, ...Object.fromEntries(changes) };
}

function merge({ lists = [] }: Graph, name: string, before: unknown, value: unknown): unknown {
  const isList = lists.includes(name);
  if (name !== "messages" && !isList) return value;
  if (isObject(value) && Object.keys(value).join() === "__overwrite__") return value.__overwrite__;
  return isList ? [...(Array.isArray(before) ? before : []), ...[value].flat()] : mergeMessages(before, value);
}

/** Estimates tokens: one for every four characters. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
