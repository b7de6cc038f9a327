/** The history of a thread as its readers think of it: turns, each with an input and what followed. */
import type { Progress } from "./progress";
import { type Checkpoint, type Message, messagesOf, type State, type Turn } from "./types";

/** Returns the turns of a history as servers return it: newest first, perhaps with branches that were left. */
export function turnsOf(history: readonly State[]): Turn[] {
  const turns: Turn[] = [];
  const known: Message[] = [];
  let previous: State | undefined;
  for (const state of lineOf(history)) {
    const checkpoint = checkpointOf(state, previous);
    const added = withoutKnown(messagesOf(state.values), known);
    known.push(...added);
    const isInput = state.metadata?.source === "input";
    // The checkpoint of an input precedes the one that contains its message.
    const isAfterInput = previous?.metadata?.source === "input";
    const last = turns.at(-1);
    if (!last || isInput || (!isAfterInput && added.some(isOfUser))) {
      turns.push({ messages: added, checkpoints: [checkpoint] });
    } else {
      last.messages.push(...added);
      last.checkpoints.push(checkpoint);
    }
    previous = state;
  }
  return turns;
}

const isOfUser = ({ type, role }: Message): boolean => ["human", "user"].includes(type ?? role ?? "");

/** Returns the turns with a run in progress: a turn that what was sent began, or the rest of the last one. */
export function withRun(turns: Turn[], sent: string | undefined, { values, streamed, steps }: Progress): Turn[] {
  const stored = turns.flatMap(({ messages }) => messages);
  const input = sent === undefined ? [] : [{ type: "human", content: sent }];
  const messages = [...(values ? withoutKnown(messagesOf(values), stored) : input), ...streamed];
  const last = turns.at(-1);
  if (sent !== undefined || !last) return [...turns, { messages, checkpoints: steps }];
  const checkpoints = [...last.checkpoints, ...steps];
  return [...turns.slice(0, -1), { messages: [...last.messages, ...messages], checkpoints }];
}

/** Returns the newest state and those before it, oldest first. */
function lineOf(history: readonly State[]): State[] {
  const byId = new Map(history.map((state) => [state.checkpoint?.checkpoint_id, state]));
  const line: State[] = [];
  for (let state = history[0]; state; ) {
    line.unshift(state);
    byId.delete(state.checkpoint?.checkpoint_id);
    state = byId.get(state.parent_checkpoint?.checkpoint_id);
  }
  return line;
}

function checkpointOf(state: State, previous: State | undefined): Checkpoint {
  const { values = {}, metadata, checkpoint, created_at: at } = state;
  const before = previous?.values ?? {};
  return {
    id: checkpoint?.checkpoint_id ?? "",
    at,
    nodes: metadata?.source === "loop" && previous?.next ? previous.next : [metadata?.source ?? "state"],
    keys: Object.keys(values).filter((key) => JSON.stringify(values[key]) !== JSON.stringify(before[key])),
    state,
  };
}

/** Returns the messages that are not among those known before. One without an ID is known by its place. */
function withoutKnown(messages: readonly Message[], known: readonly Message[]): Message[] {
  const ids = new Set(known.map(({ id }) => id));
  return messages.filter(({ id }, index) => (id === undefined ? index >= known.length : !ids.has(id)));
}
