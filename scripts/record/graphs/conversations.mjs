/** Graphs whose conversations are moved: each exercises one way in which a state comes about. */
import { AIMessage, RemoveMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  END,
  entrypoint,
  getPreviousState,
  interrupt,
  messagesStateReducer,
  Send,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";

const list = () => Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
const Chat = Annotation.Root({
  messages: Annotation({ reducer: messagesStateReducer, default: () => [] }),
  total: Annotation({ reducer: (left, right) => left + right, default: () => 0 }),
  last: Annotation(),
});
const Log = Annotation.Root({ log: list(), count: Annotation(), items: Annotation() });
const Private = Annotation.Root({ log: list(), seen: list(), item: Annotation() });

function chain(graph, nodes) {
  const names = [START, ...Object.keys(nodes), END];
  for (const [name, node] of Object.entries(nodes)) graph.addNode(name, node);
  names.slice(1).forEach((name, index) => {
    graph.addEdge(names[index], name);
  });
  return graph;
}

const write = (name) => () => ({ log: [name] });

function reply({ messages }) {
  const text = messages.at(-1).content;
  const usage_metadata = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
  return { messages: [new AIMessage({ content: `Echo: ${text} \u{1f44b}`, usage_metadata })], total: 1, last: text };
}

const callTool = ({ messages }) => {
  const call = { name: "search", args: { q: messages.at(-1).content }, id: "call_1", type: "tool_call" };
  return { messages: [new AIMessage({ content: "", tool_calls: [call] })] };
};
const useTool = () => ({ messages: [{ type: "tool", content: "found", tool_call_id: "call_1" }] });
const shorten = ({ messages }) => ({ messages: messages.slice(0, -2).map(({ id }) => new RemoveMessage({ id })) });

export const chat = chain(new StateGraph(Chat), { reply }).compile();
export const trim = chain(new StateGraph(Chat), { call: callTool, tool: useTool, reply, shorten }).compile();
export const steps = chain(new StateGraph(Log), { a: write("a"), b: write("b"), c: write("c") }).compile();
export const wide = new StateGraph(Log)
  .addNode("left", write("left"))
  .addNode("right", write("right"))
  .addNode("join", write("join"))
  .addEdge(START, "left")
  .addEdge(START, "right")
  .addEdge(["left", "right"], "join")
  .addEdge("join", END)
  .compile();
export const loop = new StateGraph(Log)
  .addNode("turn", ({ count = 0 }) => ({ count: count + 1, log: [count] }))
  .addEdge(START, "turn")
  .addConditionalEdges("turn", ({ count }) => (count < 30 ? "turn" : END))
  .compile();
export const fan = new StateGraph(Log)
  .addNode("split", () => ({ items: [1, 2, 3] }))
  .addNode("work", ({ item }) => ({ log: [item * 10] }))
  .addNode("collect", write("collected"))
  .addEdge(START, "split")
  .addConditionalEdges("split", ({ items }) => items.map((item) => new Send("work", { item })), ["work"])
  .addEdge("work", "collect")
  .addEdge("collect", END)
  .compile();
export const hop = new StateGraph(Log)
  .addNode("one", () => new Command({ update: { log: ["one"] }, goto: "two" }), { ends: ["two"] })
  .addNode("two", () => new Command({ update: { log: ["two"] }, goto: "three" }), { ends: ["three"] })
  .addNode("three", write("three"))
  .addEdge(START, "one")
  .compile();
const sends = [1, 2, 3].map((item) => new Send("work", { item }));
export const sent = new StateGraph(Log)
  .addNode("split", () => new Command({ update: { log: ["split"] }, goto: sends }), { ends: ["work"] })
  .addNode("work", ({ item }) => ({ log: [item * 10] }))
  .addNode("collect", write("collected"))
  .addEdge(START, "split")
  .addEdge("work", "collect")
  .addEdge("collect", END)
  .compile();

export const ask = chain(new StateGraph(Log), {
  before: write("before"),
  ask: () => ({ log: [interrupt("Continue?")] }),
  after: write("after"),
}).compile();
export const two = new StateGraph(Log)
  .addNode("left", () => ({ log: [`left:${interrupt("left?")}`] }))
  .addNode("right", () => ({ log: [`right:${interrupt("right?")}`] }))
  .addNode("fast", write("fast"))
  .addEdge(START, "left")
  .addEdge(START, "right")
  .addEdge(START, "fast")
  .addEdge("left", END)
  .addEdge("right", END)
  .addEdge("fast", END)
  .compile();

const inner = chain(new StateGraph(Private), {
  note: () => ({ seen: ["noted"] }),
  ask: () => ({ log: [interrupt("Inner?")], seen: ["asked"] }),
});
export const sub = chain(new StateGraph(Log), {
  before: write("before"),
  inner: inner.compile(),
  after: write("after"),
}).compile();
const middle = chain(new StateGraph(Private), { enter: () => ({ seen: ["entered"] }), inner: inner.compile() });
export const deep = chain(new StateGraph(Log), {
  before: write("before"),
  middle: middle.compile(),
  after: write("after"),
}).compile();

const noteItem = chain(new StateGraph(Private), {
  note: ({ item }) => ({ seen: [item] }),
  ask: ({ seen }) => ({ log: [interrupt(`Item ${seen}?`)] }),
});
export const each = new StateGraph(Log)
  .addNode("split", () => ({ items: [1, 2, 3] }))
  .addNode("work", noteItem.compile())
  .addConditionalEdges("split", ({ items }) => items.map((item) => new Send("work", { item })), ["work"])
  .addEdge(START, "split")
  .addEdge("work", END)
  .compile();

const memory = chain(new StateGraph(Private), { recall: ({ seen }) => ({ seen: ["x"], log: [`saw ${seen.length}`] }) });
const remembering = memory.compile({ checkpointer: true });
export const mem2 = chain(new StateGraph(Log), { before: write("before"), inner: remembering }).compile();
const recalling = chain(new StateGraph(Private), {
  recall: () => ({ seen: ["x"] }),
  ask: ({ seen }) => ({ log: [interrupt(`Seen ${seen.length}?`)] }),
});
export const memask = chain(new StateGraph(Log), { inner: recalling.compile({ checkpointer: true }) }).compile();
const outer = chain(new StateGraph(Private), { inner: remembering }).compile({ checkpointer: true });
export const nested = chain(new StateGraph(Log), { before: write("before"), outer }).compile();
export const mem = chain(new StateGraph(Log), {
  before: write("before"),
  inner: async (_state, config) => ({ log: (await remembering.invoke({ log: [] }, config)).log }),
}).compile();

export const fail = chain(new StateGraph(Log), {
  work: write("work"),
  fail: () => {
    throw new Error("This node always fails");
  },
}).compile();
export const brk = chain(new StateGraph(Log), { a: write("a"), b: write("b"), c: write("c") }).compile({
  interruptBefore: ["b"],
});

const double = task("double", async (number) => number * 2);
export const func = entrypoint("func", async ({ number }) => {
  const doubled = await double(number);
  const answer = number > 10 ? interrupt(`Add to ${doubled}?`) : "0";
  const total = doubled + Number(answer) + (getPreviousState() ?? 0);
  return entrypoint.final({ value: { total }, save: total });
});
