import type { JSX } from "preact";
import { visible } from "./format";
import { Json, Text } from "./text";

/** The names of message types and roles that readers know. */
const SPEAKERS: Record<string, string> = {
  human: "User",
  user: "User",
  ai: "Agent",
  assistant: "Agent",
  system: "System",
  tool: "Tool",
};

interface Message {
  type?: unknown;
  role?: unknown;
  content?: unknown;
  id?: unknown;
}

/** The messages of a thread, those of the user on the other side. */
export function Messages({ messages }: { messages: readonly unknown[] }): JSX.Element {
  return (
    <ol class="messages">
      {messages.map((message, index) => {
        const { type, role, content, id } = Object(message) as Message;
        const name = [type, role].find((value) => typeof value === "string") ?? "message";
        const speaker = SPEAKERS[name as string] ?? String(name);
        return (
          <li key={typeof id === "string" ? id : index} class={speaker === "User" ? "user" : undefined}>
            <span class="label">{visible(speaker)}</span>
            {typeof content === "string" ? (
              <p>
                <Text>{content}</Text>
              </p>
            ) : (
              <Json value={content ?? message} label="Content" />
            )}
          </li>
        );
      })}
    </ol>
  );
}
