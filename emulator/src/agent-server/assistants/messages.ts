import { randomUUID } from "node:crypto";
import { isObject } from "../../runtime/validation/validator";

/** A message of a conversation, with all that such servers add. */
type Message = Record<string, unknown> & { type: string; content: unknown; id: string };

/** Roles that clients write, and the types that servers make of them. */
const types = new Map([
  ["user", "human"],
  ["assistant", "ai"],
]);

/** New messages come behind the old ones; one with a known id takes its place, `remove` takes it away. */
export function mergeMessages(old: unknown, added: unknown): Message[] {
  const merged = new Map(toMessages(old).map((message) => [message.id, message]));
  for (const message of toMessages(added)) {
    if (message.type === "remove") merged.delete(message.id);
    else merged.set(message.id, message);
  }
  return [...merged.values()];
}

function toMessages(value: unknown): Message[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(toMessage);
}

function toMessage(value: unknown): Message {
  const { role, type, id, ...rest } = isObject(value) ? value : { content: value };
  const word = [type, role].find((name) => typeof name === "string") ?? "human";
  return {
    content: "",
    additional_kwargs: {},
    response_metadata: {},
    ...rest,
    type: types.get(word) ?? word,
    name: rest.name ?? null,
    id: typeof id === "string" ? id : randomUUID(),
  };
}

/** What the last person said, as text; undefined when nobody said anything. */
export function lastWords(messages: unknown): string | undefined {
  const said = toMessages(messages).findLast((message) => message.type === "human");
  return said && (typeof said.content === "string" ? said.content : JSON.stringify(said.content));
}
