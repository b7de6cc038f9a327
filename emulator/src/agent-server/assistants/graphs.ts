import type { GraphKind } from "../../runtime/options";
import type { State } from "../threads/checkpoints";
import { lastWords, mergeMessages } from "./messages";

/** The input of a node besides the state. */
export interface Step {
  runId: string;
  /** The run's `command.resume`. */
  resume?: unknown;
}

/** The result of a node: a state update or an interrupt. A failing node throws GraphError. */
export type Outcome = { update: State; model?: ModelCall } | { interrupt: unknown };

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
  perform(node: string, state: State, step: Step): Outcome;
  /** Accepts any node name, because the graph stands in for an unknown one. */
  anyNode?: boolean;
}

/** The failure of a node; its message becomes the error of the run. */
export class GraphError extends Error {}

/** Steps of `counter` unless the input sets `steps`. */
const defaultSteps = 3;

const inLine =
  (nodes: readonly string[]): Graph["next"] =>
  (_state, node) =>
    nodes
      .slice(node === undefined ? 0 : nodes.indexOf(node) + 1)
      .slice(0, node !== undefined && !nodes.includes(node) ? 0 : 1);

/** Repeats the last message, or the whole state if there are no messages. */
const echo: Graph = {
  nodes: ["echo"],
  next: inLine(["echo"]),
  perform(_node, { messages, ...rest }, { runId }) {
    const prompt = lastWords(messages) ?? JSON.stringify(rest);
    const answer = `Echo: ${prompt}`;
    const usage = { input_tokens: tokensIn(prompt), output_tokens: tokensIn(answer) };
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
  next: ({ steps }, node) => (node === undefined || Number(steps) > 0 ? ["count"] : []),
  perform(_node, { count, steps }) {
    const left = Number(steps) > 0 ? Number(steps) : defaultSteps;
    return { update: { count: (Number(count) || 0) + 1, steps: left - 1 } };
  },
};

const interrupted = ["prepare", "finish"];

/** Interrupts before its second node until a run resumes it with `command: {resume: …}`. */
const interrupt: Graph = {
  nodes: interrupted,
  next: inLine(interrupted),
  perform(node, _state, { resume }) {
    if (node === "prepare") return { update: { prepared: true } };
    return resume === undefined ? { interrupt: "Shall I finish?" } : { update: { resumed: resume, finished: true } };
  },
};

const doomed = ["work", "fail"];

/** A graph whose second node always fails. */
const failing: Graph = {
  nodes: doomed,
  next: inLine(doomed),
  perform(node) {
    if (node === "fail") throw new GraphError("This graph always fails");
    return { update: { worked: true } };
  },
};

/** The built-in graphs of every emulator. */
export const builtIn = { echo, counter, interrupt, failing } satisfies Readonly<Record<GraphKind, Graph>>;

/** Returns the state after an update: `messages` are merged, all other values are replaced. */
export function applied(state: State, update: State | null | undefined): State {
  if (!update) return state;
  const { messages, ...rest } = update;
  const grown = messages === undefined ? {} : { messages: mergeMessages(state.messages, messages) };
  return { ...state, ...rest, ...grown };
}

/** Estimates tokens: one for every four characters. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
