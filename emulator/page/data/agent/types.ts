/** What agent servers return, as far as the page shows it. Any of it may be absent, or something else. */

export type Values = Record<string, unknown>;

export interface Message {
  type?: string;
  role?: string;
  content?: unknown;
  id?: string;
  tool_calls?: { id?: string; name?: string; args?: unknown }[];
  /** Of the result of a tool: the call that it answers. */
  tool_call_id?: string;
  /** Of the result of a tool: `success` or `error`. */
  status?: string;
}

export interface Interrupt {
  id?: string;
  value?: unknown;
}

export interface State {
  values?: Values;
  next?: string[];
  metadata?: { source?: string };
  created_at?: string;
  checkpoint?: { checkpoint_id?: string };
  parent_checkpoint?: { checkpoint_id?: string } | null;
}

/** A state of the thread, and what led to it. */
export interface Checkpoint {
  id: string;
  at?: string | undefined;
  /** The nodes that ran, or what else wrote it: `input`, `update`. */
  nodes: string[];
  /** The keys of the state that differ from the checkpoint before. */
  keys: string[];
  /** The state after it; of a run in progress, what it wrote. */
  state: State;
}

export interface Turn {
  messages: Message[];
  checkpoints: Checkpoint[];
}

/** Returns the text of a message, which may consist of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (typeof block === "string" ? block : String(Object(block).text ?? ""))).join("");
}

export function messagesOf(values: Values | null | undefined): Message[] {
  return Array.isArray(values?.messages) ? values.messages.map(Object) : [];
}
