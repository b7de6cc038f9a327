/** How the streaming protocol shows messages: in parts on their channel, and with fewer fields in states. */
import { isObject } from "../../runtime/validation/validator";
import type { RunRecord } from "../runs/records";

/** An event without its number and time. */
export interface ProtocolEvent {
  method: string;
  namespace: string[];
  data: unknown;
  node?: string;
}

/** Returns the parts of a message that a node has written: its start, each block of its content, and its end. */
export function messageParts(event: unknown, { id: run_id }: RunRecord, isPython: boolean): ProtocolEvent[] {
  const [message = {}, details = {}] = Array.isArray(event) ? event.filter(isObject) : [];
  const { langgraph_node: node, langgraph_checkpoint_ns: place } = details;
  const { id, content, usage_metadata: usage } = message;
  const parts = [
    { event: "message-start", id, ...(isPython && { role: "ai" }) },
    ...blocksOf(content).flatMap((block, index) => [
      { event: "content-block-start", index, content: block.type === "text" ? { type: "text", text: "" } : block },
      ...(block.type === "text"
        ? [{ event: "content-block-delta", index, delta: { type: "text-delta", text: block.text } }]
        : []),
      { event: "content-block-finish", index, content: block },
    ]),
    { event: "message-finish", ...(usage !== undefined && { usage }), ...(!isPython && { responseMetadata: {} }) },
  ];
  // The server in JavaScript shows the node as a part of the path.
  if (!isPython)
    return parts.map((part) => ({ method: "messages", namespace: [String(place)], data: { ...part, run_id } }));
  return parts.map((data) => ({ method: "messages", namespace: [], node: String(node), data }));
}

function blocksOf(content: unknown): Record<string, unknown>[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** What the protocol shows of a message, where it has it. */
const FIELDS = ["type", "content", "id", "name", "example", "tool_call_id", "status", "artifact", "response_metadata"];

/** Returns a state whose messages have the fields of the protocol. */
export function plainState(state: Record<string, unknown>): Record<string, unknown> {
  const { messages } = state;
  return Array.isArray(messages) ? { ...state, messages: messages.map(plainMessage) } : state;
}

function plainMessage(message: unknown): unknown {
  if (!isObject(message) || typeof message.type !== "string") return message;
  const isEmpty = (value: unknown) => value === null || (isObject(value) && Object.keys(value).length === 0);
  const fields = FIELDS.filter((name) => Object.hasOwn(message, name) && !isEmpty(message[name]));
  const calls = ["tool_calls", "invalid_tool_calls"].filter((name) => blocksOf(message[name]).length > 0);
  return Object.fromEntries([...fields, ...calls].map((name) => [name, message[name]]));
}
