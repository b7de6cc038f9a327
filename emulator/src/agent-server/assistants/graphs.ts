import type { GraphKind } from "../../runtime/options";
import type { State } from "../threads/checkpoints";
import { lastWords, mergeMessages } from "./messages";

/** What a node knows besides the state. */
export interface Step {
  runId: string;
  /** `command.resume` of the run, when it has one. */
  resume?: unknown;
}

/** What a node does: a change of the state, or it stops and asks. It throws GraphError when it fails. */
export type Outcome = { update: State; model?: ModelCall } | { interrupt: unknown };

/** A call of a language model, for the trace. */
export interface ModelCall {
  prompt: string;
  answer: string;
}

/** A small graph: the nodes that run one after another. */
export interface Graph {
  nodes: readonly string[];
  /** The nodes that follow once `node` has run; without `node` those at the start. */
  next(state: State, node?: string): string[];
  perform(node: string, state: State, step: Step): Outcome;
  /** Stands for a graph that nobody here has seen: updates may be in the name of any node. */
  anyNode?: boolean;
}

/** A node failed: the run ends with this text. */
export class GraphError extends Error {}

/** How many steps `counter` takes when its input does not say. */
const defaultSteps = 3;

const inLine =
  (nodes: readonly string[]): Graph["next"] =>
  (_state, node) =>
    nodes
      .slice(node === undefined ? 0 : nodes.indexOf(node) + 1)
      .slice(0, node !== undefined && !nodes.includes(node) ? 0 : 1);

/** Answers the last message, or the whole state where there are no messages. */
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

/** Adds one to `count`, as many times as `steps` says (3); a next run counts on. */
const counter: Graph = {
  nodes: ["count"],
  next: ({ steps }, node) => (node === undefined || Number(steps) > 0 ? ["count"] : []),
  perform(_node, { count, steps }) {
    const left = Number(steps) > 0 ? Number(steps) : defaultSteps;
    return { update: { count: (Number(count) || 0) + 1, steps: left - 1 } };
  },
};

const interrupted = ["prepare", "finish"];

/** Stops before its second node until a run comes with `command: {resume: …}`. */
const interrupt: Graph = {
  nodes: interrupted,
  next: inLine(interrupted),
  perform(node, _state, { resume }) {
    if (node === "prepare") return { update: { prepared: true } };
    return resume === undefined ? { interrupt: "Shall I finish?" } : { update: { resumed: resume, finished: true } };
  },
};

const doomed = ["work", "fail"];

/** Its second node always fails. */
const failing: Graph = {
  nodes: doomed,
  next: inLine(doomed),
  perform(node) {
    if (node === "fail") throw new GraphError("This graph always fails");
    return { update: { worked: true } };
  },
};

/** The graphs that every emulator has. */
export const builtIn = { echo, counter, interrupt, failing } satisfies Readonly<Record<GraphKind, Graph>>;

/** The state after an update: `messages` grow, all else is replaced. */
export function applied(state: State, update: State | null | undefined): State {
  if (!update) return state;
  const { messages, ...rest } = update;
  const grown = messages === undefined ? {} : { messages: mergeMessages(state.messages, messages) };
  return { ...state, ...rest, ...grown };
}

/** A rough and steady count: a token for every four letters. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
