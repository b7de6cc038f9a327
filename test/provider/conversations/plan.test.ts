/** The supersteps that write the checkpoints of a thread again, without a server. */
import type { Checkpoint, Task } from "../../../provider/conversations/server/conversation-server";
import { type Learned, planLine, unexplainedOf } from "../../../provider/conversations/thread/plan";

const LEARNED: Learned = {
  ...{ isPython: true, jumping: new Set(), reducing: new Set() },
  ...{ unexplained: new Set(), writers: new Map() },
};

/** A checkpoint with tasks, which are what comes next. */
const state = (values: unknown, source: string, ...tasks: readonly Omit<Task, "id">[]): Checkpoint => ({
  ...{ values, metadata: { source }, next: tasks.map(({ name }) => name), checkpoint: { checkpoint_id: "" } },
  tasks: tasks.map((task, index) => ({ id: String(index), ...task })),
});

/** Returns the nodes and what they write, by superstep. */
const planned = (line: readonly Checkpoint[], learned: Partial<Learned> = {}) =>
  planLine(line, { ...LEARNED, ...learned }).map(({ updates }) => updates.map((one) => [one.as_node, one.values]));

const START = { name: "__start__", result: { text: "hello" } };

test("A run that ended before its last step is ended before the next input, and one that has finished is not", () => {
  const [first, last] = [state({}, "input", START), state({ text: "hello" }, "loop")];
  const input = ["__input__", START.result];
  expect(planned([first, last, first])).toEqual([[input], [["__start__", START.result]], [input]]);
  const open = state({ text: "hello" }, "loop", { name: "ask", interrupts: [{ value: "?" }] });
  expect(planned([first, open, first])[2]).toEqual([["__end__", null]]);
});

test("The runs of a function have the inputs that were read beside its history, each its own", () => {
  const line = [state({}, "input", { name: "work", result: 1 }), state(1, "loop"), state(1, "input")];
  expect(planned(line, { inputs: ["a", "b"] })).toEqual([[["__input__", "a"]], [["work", 1]], [["__input__", "b"]]]);
});

test.each<[string, (readonly unknown[] | undefined)[], string]>([
  [
    "by number",
    [
      ["push", 10],
      ["push", 9],
    ],
    "second first",
  ],
  [
    "by name",
    [
      ["pull", "b"],
      ["pull", "a"],
    ],
    "second first",
  ],
  [
    "in their order if equal",
    [
      ["pull", "a"],
      ["pull", "a"],
    ],
    "first second",
  ],
  ["by their names without paths", [undefined, undefined], "first second"],
])("What the tasks of a step wrote is written in the order of their paths, %s", (_, paths, order) => {
  const tasks = ["first", "second"].map((name, index) => ({
    name,
    result: {},
    ...(paths[index] && { path: paths[index] }),
  }));
  const [, superstep] = planned([state({}, "loop", ...tasks), state({}, "loop")]);
  expect(superstep?.map(([node]) => node).join(" ")).toBe(order);
});

test("A message without an ID gets that of the last one with its content and its tool call", () => {
  const message = (tool_call_id: string, id?: string) => ({
    type: "tool",
    content: "done",
    tool_call_id,
    ...(id && { id }),
  });
  const before = state({}, "loop", { name: "tools", result: { messages: [message("a"), message("b", "kept")] } });
  const messages = [message("a", "1"), message("a", "2"), message("b", "3")];
  const [, superstep] = planned([before, state({ messages }, "loop")]);
  expect(superstep).toEqual([["tools", { messages: [message("a", "2"), message("b", "kept")] }]]);
});

const note = (id: string) => ({ type: "ai", content: "", id });
const GONE = { type: "remove", content: "", id: "a" };

test.each<[string, unknown, unknown, unknown]>([
  ["what was added to a list", [1], [1, 2], [2]],
  ["a list that is shorter", [1, 2], [1], [1]],
  ["a list with other items", [1], [2, 3], [2, 3]],
  [
    "messages that changed, and the removal of others",
    [note("a"), note("b")],
    [note("b"), note("c")],
    [GONE, note("c")],
  ],
  ["a list of messages and others", [note("a")], [note("a"), 1], [1]],
  ["a text in place of a list", [1], "a", "a"],
])("The write of an edit has %s", (_, old, now, written) => {
  const line = [state({ list: old, same: 1 }, "loop"), state({ list: now, same: 1 }, "update")];
  expect(planned(line, { unexplained: unexplainedOf(line) })[1]).toEqual([["__start__", { list: written }]]);
  const [, superstep] = planned(line, { unexplained: unexplainedOf(line), reducing: new Set(["list"]) });
  const isWhole = JSON.stringify(written) === JSON.stringify(now);
  expect(superstep).toEqual([["__start__", { list: isWhole ? { __overwrite__: now } : written }]]);
});
