import { useState } from "preact/hooks";
import { inputOf } from "../../data/agent/questions";
import { Button, SelectField } from "../../ui/fields";
import { visible } from "../../ui/format";
import type { useAssistants } from "./use-assistants";
import type { Conversation } from "./use-conversation";

interface ComposerProps {
  conversation: Conversation;
  assistants: ReturnType<typeof useAssistants>;
}

/** Sends a message, or a JSON object as the whole input of graphs without messages. */
export function Composer({ conversation, assistants: { all, load, select, selectedOf } }: ComposerProps) {
  const { agent, access, setKey, needsKey, isRunning, start } = conversation;
  const [text, setText] = useState("");
  const send = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === "" || isRunning) return;
    setText("");
    const value = inputOf(text);
    const input = typeof value === "string" ? { messages: [{ role: "user", content: value }] } : value;
    if (!(await start(selectedOf(await load()), { input }, text))) setText(text);
  };
  const prepare = () => void ((!needsKey || access.key !== "") && load());
  const options = all.map(({ id, name, graph, isDefault }): [string, string] => [
    id,
    visible(isDefault ? graph : `${name || "No name"} (${graph})`),
  ]);
  return (
    <form class="row filter" onSubmit={send}>
      {needsKey && (
        <label>
          API key{agent.agent_auth === "none" ? " of the agent" : `, required by --agent-auth ${agent.agent_auth}`}
          {/* It is used when it is complete, not for each letter. */}
          <input
            type="password"
            autocomplete="off"
            defaultValue={access.key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
      )}
      {all.length > 1 && <SelectField label="Assistant" value={selectedOf(all)} onChange={select} options={options} />}
      <label class="text">
        Message to the agent
        <textarea
          rows={1}
          value={text}
          onFocus={prepare}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void send(event);
          }}
        />
      </label>
      <Button type="submit" text="Send" disabled={isRunning} />
    </form>
  );
}
