import { type Message, textOf } from "../data/agent/types";
import { visible } from "./format";
import { ToneIcon } from "./status";
import { Code, Json, Paragraph } from "./text";

/** The names of message types and roles that readers know. */
const SPEAKERS: Record<string, string> = {
  human: "User",
  user: "User",
  ai: "Agent",
  assistant: "Agent",
  // A part of a message that has not ended.
  AIMessageChunk: "Agent",
  system: "System",
  tool: "Tool",
};

/** The messages of a thread, those of the user on the other side, and calls of tools with their results. */
export function Messages({ messages }: { messages: readonly Message[] }) {
  const results = new Map(messages.map((message) => [message.tool_call_id, message]));
  const called = new Set(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)));
  const shown = messages.filter(({ tool_call_id: id }) => id === undefined || !called.has(id));
  if (shown.length === 0) return null;
  return (
    <ol class="messages">
      {shown.map((message, index) => {
        const { type, role, content, tool_calls = [] } = message;
        const name = type ?? role ?? "message";
        const speaker = SPEAKERS[name] ?? String(name);
        const text = textOf(content);
        const isJson = text === "" && tool_calls.length === 0;
        return (
          <li key={message.id ?? index} class={speaker === "User" ? "user" : undefined}>
            <span class="minor">{visible(speaker)}</span>
            {text !== "" && <Paragraph>{text}</Paragraph>}
            {isJson && content !== "" && <Json value={content ?? message} label="Content" />}
            {tool_calls.map((call, at) => (
              <ToolCall key={call.id ?? at} call={call} result={call.id ? results.get(call.id) : undefined} />
            ))}
          </li>
        );
      })}
    </ol>
  );
}

type Call = NonNullable<Message["tool_calls"]>[number];

/** A call of a tool in one line, which opens to all of its arguments and its result. */
function ToolCall({ call: { name = "tool", args = {} }, result }: { call: Call; result: Message | undefined }) {
  const tone = result === undefined ? "active" : result.status === "error" ? "failed" : "done";
  return (
    <details class="tool">
      <summary class="row">
        <span class={tone}>
          <ToneIcon tone={tone} />
        </span>
        <Code>{`${name}(${JSON.stringify(args)})`}</Code>
        <span class="minor">{visible(result ? textOf(result.content) : "No result yet")}</span>
      </summary>
      <Json value={{ arguments: args, result: result?.content }} label={`Call of ${name}`} />
    </details>
  );
}
