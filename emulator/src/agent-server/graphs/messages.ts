import { randomUUID } from "node:crypto";
import { isObject } from "../../runtime/validation/validator";

/** A message of a conversation with all the fields that real servers add. */
type Message = Record<string, unknown> & { type: string; content: unknown; id: string };

/** Roles in requests, and the message types that servers store for them. */
const types = new Map([
  ...["human", "ai", "system"].map((type) => [type, type] as const),
  ["user", "human"],
  ["assistant", "ai"],
]);

/** Appends messages. One with an existing ID replaces that message; the type `remove` deletes it. */
export function mergeMessages(existing: unknown, added: unknown): Message[] {
  const merged = new Map(toMessages(existing).map((message) => [message.id, message]));
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

/** A message may be an object, a text, or a pair of a role and a text. */
function toMessage(value: unknown): Message {
  const [first, content] = Array.isArray(value) && value.length === 2 && types.has(value[0]) ? value : ["human", value];
  const { role, type, id, ...rest }: Record<string, unknown> = isObject(value) ? value : { role: first, content };
  const name = [type, role].find((name) => typeof name === "string") ?? "human";
  return {
    content: "",
    additional_kwargs: {},
    response_metadata: {},
    ...rest,
    type: types.get(name) ?? name,
    name: rest.name ?? null,
    id: typeof id === "string" ? id : randomUUID(),
  };
}

/** Returns the content of the last human message as text; undefined if there is none. */
export function lastHumanMessage(messages: unknown): string | undefined {
  const message = toMessages(messages).findLast((message) => message.type === "human");
  return message && (typeof message.content === "string" ? message.content : JSON.stringify(message.content));
}
