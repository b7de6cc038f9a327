/** The graphs that are recorded: they do what the built-in graphs of the emulator do, and one has a subgraph. */
import { setTimeout } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, interrupt as ask, END, messagesStateReducer, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";

const SECONDS_PER_STEP = 1.5;

const EchoState = Annotation.Root({ messages: Annotation({ reducer: messagesStateReducer, default: () => [] }) });
const EchoContext = z.object({ prefix: z.string().optional(), letters: z.string().optional() });
const RememberState = Annotation.Root({
  ...EchoState.spec,
  heard: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const CounterState = Annotation.Root({ count: Annotation(), steps: Annotation() });
const InterruptState = Annotation.Root({ prepared: Annotation(), resumed: Annotation(), finished: Annotation() });
const FailingState = Annotation.Root({ worked: Annotation() });

function answer({ messages }, { context = {} }) {
  const text = messages.at(-1).content;
  const content = (context.prefix ?? "Echo: ") + (context.letters === "upper" ? text.toUpperCase() : text);
  return { messages: [new AIMessage(content)] };
}

async function count({ count = 0, steps = 3 }) {
  await setTimeout(SECONDS_PER_STEP * 1000);
  return { count: count + 1, steps: steps - 1 };
}

function recall({ messages, heard }) {
  const text = messages.at(-1).content;
  return { messages: [{ type: "ai", content: `I have heard: ${[...heard, text].join(", ")}` }], heard: [text] };
}

function sequence(graph, nodes, options) {
  const names = [START, ...Object.keys(nodes), END];
  for (const [name, node] of Object.entries(nodes)) graph.addNode(name, node);
  names.slice(1).forEach((name, index) => {
    graph.addEdge(names[index], name);
  });
  return graph.compile(options);
}

export const echo = sequence(new StateGraph(EchoState, EchoContext), { echo: answer });
export const subgraph = sequence(new StateGraph(EchoState, EchoContext), { inner: echo });
const remember = sequence(new StateGraph(RememberState), { recall }, { checkpointer: true });
export const memory = sequence(new StateGraph(EchoState), { remember });
export const interrupt = sequence(new StateGraph(InterruptState), {
  prepare: () => ({ prepared: true }),
  finish: () => ({ resumed: ask("Shall I finish?"), finished: true }),
});
export const failing = sequence(new StateGraph(FailingState), {
  work: () => ({ worked: true }),
  fail: () => {
    throw new Error("This graph always fails");
  },
});
export const counter = new StateGraph(CounterState)
  // A node cannot have the name of a state value here.
  .addNode("tick", count)
  .addEdge(START, "tick")
  .addConditionalEdges("tick", ({ steps }) => (steps > 0 ? "tick" : END))
  .compile();
