/** What a run has done until now, from the events that its server streams. */
import { type Checkpoint, type Interrupt, type Message, textOf, type Values } from "./types";

export interface Progress {
  /** The state after the last step; undefined before the first. */
  values?: Values;
  /** Messages whose end has not arrived. */
  streamed: Message[];
  /** What each node wrote. */
  steps: Checkpoint[];
  interrupts: Interrupt[];
}

export const NO_PROGRESS: Progress = { streamed: [], steps: [], interrupts: [] };

/** Returns the progress after an event. Events of other modes, and those of subgraphs, change nothing. */
export function applyEvent(progress: Progress, event: string, data: unknown): Progress {
  if (event === "messages") return { ...progress, streamed: append(progress.streamed, Object(Object(data)[0])) };
  if (event !== "values" && event !== "updates") return progress;
  const { __interrupt__, ...rest } = Object(data) as Values;
  const interrupts = Array.isArray(__interrupt__) ? __interrupt__.map(Object) : progress.interrupts;
  // Where nothing streams, the server in JavaScript returns the questions alone.
  if (event === "values")
    return { ...progress, interrupts, ...(Object.keys(rest).length > 0 && { values: rest, streamed: [] }) };
  const steps = Object.entries(rest).map(([node, update], index) => {
    const id = `${progress.steps.length + index}`;
    return { id, nodes: [node], keys: Object.keys(Object(update)), state: Object(update) };
  });
  return { ...progress, interrupts, steps: [...progress.steps, ...steps] };
}

/** Adds a part of a message to what has arrived of it, or begins another message. */
function append(messages: readonly Message[], part: Message): Message[] {
  const index = messages.findIndex(({ id }) => id !== undefined && id === part.id);
  const before = messages[index];
  return before
    ? messages.with(index, { ...before, content: textOf(before.content) + textOf(part.content) })
    : [...messages, part];
}
