import type { GraphKind } from "../../runtime/options";
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
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schemas of a graph. */
interface GraphSchemas {
  /** Of its input, output and state, which are the same. */
  state: JsonSchema;
  /** Undefined for a graph without context. */
  context?: { type: "object"; title: string; properties: Readonly<Record<string, JsonSchema>> };
}

const objectSchema = (title: string, properties: Readonly<Record<string, JsonSchema>>) =>
  ({ type: "object", title, properties }) as const;

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
    state: objectSchema("EchoState", { messages: { type: "array", items: { type: "object" } } }),
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
  schemas: { state: objectSchema("InterruptState", { prepared: { type: "boolean" }, finished: { type: "boolean" } }) },
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

/** The built-in graphs of every emulator. */
export const builtInGraphs = { echo, counter, interrupt, failing } satisfies Readonly<Record<GraphKind, Graph>>;

/** Returns the state after an update: `messages` are merged, all other values are replaced. */
export function applyUpdate(state: State, update: State | null | undefined): State {
  if (!update) return state;
  const { messages, ...rest } = update;
  const merged = messages === undefined ? {} : { messages: mergeMessages(state.messages, messages) };
  return { ...state, ...rest, ...merged };
}

/** Estimates tokens: one for every four characters. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
