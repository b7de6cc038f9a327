/** Plans the supersteps that write the checkpoints of a thread again. */
import { isObject, isSameJson } from "../lossless-json";
import type { Checkpoint, Superstep, Task, Update } from "../server/conversation-server";

const START = "__start__";

/** Returns the checkpoints that led to the latest one, oldest first. @param history Newest first. */
export function lineOf(history: readonly Checkpoint[]): Checkpoint[] {
  const byId = new Map(history.map((state) => [state.checkpoint.checkpoint_id, state]));
  const line: Checkpoint[] = [];
  for (let at = history[0]; at; at = byId.get(at.parent_checkpoint?.checkpoint_id ?? "")) line.push(at);
  return line.reverse();
}

export const isWaiting = ({ tasks }: Checkpoint): boolean => tasks.some(({ interrupts = [] }) => interrupts.length > 0);

/** The node that values are attributed to, and whether it names the next nodes itself. */
export interface Writer {
  node: string;
  jumps: boolean;
}

/** What the replays of a graph have shown of it. */
export interface Learned {
  isPython: boolean;
  /** Nodes that choose the next node themselves, which no edge shows. */
  jumping: ReadonlySet<string>;
  /** Channels whose values add up, so that a new value is written over the earlier one. */
  reducing: ReadonlySet<string>;
  /** Numbers of the checkpoints in this line whose values are not what the tasks before them show. */
  unexplained: ReadonlySet<number>;
  /** By number of such a checkpoint, who wrote it. */
  writers: ReadonlyMap<number, Writer>;
  /** Inputs of the runs, oldest first, of a function: its history does not show them. */
  inputs?: readonly unknown[] | undefined;
}

/** Returns one superstep for each checkpoint of a line. */
export function planLine(line: readonly Checkpoint[], learned: Learned): Superstep[] {
  const supersteps: Superstep[] = [];
  let inputCount = 0;
  line.forEach((state, index) => {
    const previous = line[index - 1];
    if (state.metadata.source === "input") {
      const values = isFunction(line) ? learned.inputs?.[inputCount] : inputOf(state, line[index + 1], learned);
      inputCount += 1;
      if (isAbandoned(previous, state)) supersteps.push(FINISH);
      supersteps.push({ updates: [{ as_node: "__input__", values }] });
    } else if (previous && isEnd(previous, state)) supersteps.push(FINISH);
    else if (previous) {
      const writer = learned.unexplained.has(index) ? (learned.writers.get(index) ?? usualWriter(previous)) : undefined;
      supersteps.push({ updates: toUpdates(previous, state, writer, learned) });
    } else supersteps.push({ updates: [{ as_node: START, values: state.values }] });
  });
  return supersteps;
}

/** Returns the steps of a line that update its state, for a namespace, whose inputs come from the graph around it. */
export const planUpdates = (line: readonly Checkpoint[], isPython: boolean): Update[] =>
  planLine(line, {
    isPython,
    ...{ jumping: new Set(), reducing: new Set() },
    ...{ unexplained: unexplainedOf(line), writers: new Map() },
  }).flatMap(({ updates }) => updates.filter(({ as_node }) => as_node !== "__input__"));

/** Returns supersteps that lead to the latest values of a finished thread, without the way there. */
export const planLatest = ({ values }: Checkpoint): Superstep[] => [{ updates: [{ as_node: START, values }] }, FINISH];

/** Ends whatever a graph would run next. */
const FINISH: Superstep = { updates: [{ as_node: "__end__", values: null }] };

/**
 * Whether a run ended before its last step, by an error or a question, and another input followed. Servers drop such a
 * step where a run begins, and not where an input is written, so that a restore ends it with one more checkpoint.
 */
export const isAbandoned = (before: Checkpoint | undefined, { metadata }: Checkpoint): boolean =>
  metadata.source === "input" && before !== undefined && before.next.length > 0;

/** Whether a checkpoint only ends a run, as a restore writes it. */
export const isEnd = (before: Checkpoint, { metadata, next, values }: Checkpoint): boolean =>
  metadata.source === "update" &&
  before.next.length > 0 &&
  next.length === 0 &&
  before.tasks.every(({ result }) => result == null) &&
  isSameJson(before.values, values);

/** Who is taken for the writer of a checkpoint at first: the task before it. */
export const usualWriter = ({ tasks }: Checkpoint): Writer => ({ node: tasks[0]?.name ?? START, jumps: false });

/**
 * Returns the numbers of the checkpoints whose values no task shows: those of a copy, and those that someone wrote,
 * also where a run had continued from the same checkpoint. @param history All branches.
 */
export function unexplainedOf(line: readonly Checkpoint[], history: readonly Checkpoint[] = line): Set<number> {
  const parents = history.map((state) => state.parent_checkpoint?.checkpoint_id);
  const isBranched = ({ checkpoint: { checkpoint_id: id } }: Checkpoint) =>
    parents.filter((parent) => parent === id).length > 1;
  const numbers = line.flatMap(({ metadata }, index) => {
    const before = line[index - 1];
    const isEdited = metadata.source === "update" && before !== undefined && isBranched(before);
    return before && (isEdited || before.tasks.every(({ result }) => result == null)) ? [index] : [];
  });
  return new Set(numbers);
}

/** Whether a thread is of a function, whose runs do not begin with the node of the input. */
export const isFunction = ([first]: readonly Checkpoint[]): boolean =>
  first !== undefined && !first.next.includes(START) && first.metadata.source === "input";

/** Graphs apply what the tasks of one step wrote in the order of their paths, whichever ended first. */
function byPath({ path: left = [], name }: Task, { path: right = [], name: other }: Task): number {
  const [one, two] = [left.length > 0 ? left : [name], right.length > 0 ? right : [other]];
  const index = one.findIndex((part, at) => String(part) !== String(two[at]));
  if (index < 0) return 0;
  const [a, b] = [one[index], two[index]];
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b ?? "") ? -1 : 1;
}

/** Returns the input of a run: what it wrote, or what is new after it where the server does not show that. */
function inputOf(state: Checkpoint, next: Checkpoint | undefined, learned: Learned): unknown {
  const written = state.tasks.find(({ name }) => name === START)?.result;
  return written ?? (next ? differenceOf(state, next, learned) : null);
}

/** Returns what the tasks of a checkpoint wrote, which resulted in the next one. */
function toUpdates(before: Checkpoint, after: Checkpoint, writer: Writer | undefined, learned: Learned): Update[] {
  if (writer) return [toUpdate(writer, differenceOf(before, after, learned), after)];
  const done = before.tasks.filter(({ result }) => result != null).toSorted(byPath);
  return done.map(({ name, result }) => {
    const values = withIds(result, after.values, learned);
    return toUpdate({ node: name, jumps: learned.jumping.has(name) }, values, after);
  });
}

const toUpdate = ({ node, jumps }: Writer, values: unknown, after: Checkpoint): Update =>
  jumps ? { as_node: node, command: { update: values, goto: targetsOf(after) } } : { as_node: node, values };

/**
 * Returns where a command goes. A command may send inputs to nodes, which no server shows: one that has ended does not
 * run again, and one that has not would run with another input, so it is left out, and the comparison finds that.
 */
function targetsOf({ next, tasks }: Checkpoint): unknown[] {
  const sent = tasks.filter(({ path }) => path?.[0] === "__pregel_push");
  const isSent = (name: string) => sent.some((task) => task.name === name);
  const isOpen = (name: string) => sent.some((task) => task.name === name && task.result == null);
  return next.flatMap((name) => (isOpen(name) ? [] : isSent(name) ? { node: name, input: null } : name));
}

/** Returns a write that leads from one state to the next: what is added to lists, and what is otherwise new. */
function differenceOf(before: Checkpoint, after: Checkpoint, { reducing }: Learned): Record<string, unknown> {
  const from = (before.values ?? {}) as Record<string, unknown>;
  const to = (after.values ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    changedKeys(from, to).map((key) => {
      const [old, value] = [from[key], to[key]];
      const added = changedMessages(old, value) ?? appended(old, value);
      return [key, added ?? (reducing.has(key) ? { __overwrite__: value } : value)];
    }),
  );
}

/** Returns the keys of the second object whose values are not those of the first. */
export function changedKeys(from: unknown, to: unknown): string[] {
  const [left, right] = [from ?? {}, to ?? {}] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys(right).filter((key) => !isSameJson(left[key], right[key]));
}

function appended(from: unknown, to: unknown): unknown[] | undefined {
  if (!Array.isArray(from) || !Array.isArray(to)) return undefined;
  return isSameJson(from, to.slice(0, from.length)) ? to.slice(from.length) : undefined;
}

/** Returns the new and changed messages of a list, and the removal of those that are gone. */
function changedMessages(from: unknown, to: unknown): unknown[] | undefined {
  if (!Array.isArray(from) || !Array.isArray(to) || ![...from, ...to].every(isMessage)) return undefined;
  const before = new Map((from as Message[]).map((message) => [message.id, message]));
  const kept = new Set((to as Message[]).map(({ id }) => id));
  const removed = (from as Message[]).filter(({ id }) => !kept.has(id));
  const changed = (to as Message[]).filter((message) => !isSameJson(before.get(message.id), message));
  return [...removed.map(({ id }) => ({ type: "remove", content: "", id })), ...changed];
}

type Message = { id?: string | null; type?: string; role?: string; content?: unknown; [key: string]: unknown };

export const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "content" in value && ("type" in value || "role" in value);

/** Gives messages without an ID the ones that they have in the next checkpoint. */
function withIds(result: unknown, values: unknown, { isPython }: Learned): unknown {
  if (!isObject(result)) return result;
  const later = (values ?? {}) as Record<string, unknown>;
  const entries = Object.entries(result).map(([key, written]) => {
    const items = [written].flat();
    if (!items.some(isMessage)) return [key, written];
    const all = [later[key]].flat().filter(isMessage);
    const fixed = items.map((item) => (isMessage(item) ? withId(item, all, isPython) : item));
    return [key, Array.isArray(written) ? fixed : fixed[0]];
  });
  return Object.fromEntries(entries);
}

function withId(message: Message, later: readonly Message[], isPython: boolean): Message {
  const { usage_metadata: usage, invalid_tool_calls: invalid, ...rest } = message;
  // A server in Python would move them into additional_kwargs.
  const kept: Message = isPython ? rest : message;
  if (message.id != null) return kept;
  const same = later.findLast(({ content, tool_call_id }) =>
    isSameJson([content, tool_call_id], [message.content, message.tool_call_id]),
  );
  return same?.id == null ? kept : { ...kept, id: same.id };
}
