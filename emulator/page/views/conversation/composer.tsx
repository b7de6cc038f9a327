import { useState } from "preact/hooks";
import { inputOf } from "../../data/agent/questions";
import { SelectField } from "../../ui/fields";
import { visible } from "../../ui/format";
import type { useAssistants } from "./use-assistants";
import type { Conversation } from "./use-conversation";

/** Sends a message, or a JSON object as the whole input of graphs without messages. */
export function Composer({
  conversation: { agent, access, setKey, needsKey, isRunning, start },
  assistants: { all, load, select, selectedOf },
}: {
  conversation: Conversation;
  assistants: ReturnType<typeof useAssistants>;
}) {
  const [text, setText] = useState("");
  const send = async () => {
    if (text.trim() === "" || isRunning) return;
    setText("");
    const value = inputOf(text);
    const input = typeof value === "string" ? { messages: [{ role: "user", content: value }] } : value;
    // A failure shows with that of the run.
    const loaded = await load().catch(() => all);
    if (!(await start(selectedOf(loaded), { input }, text))) setText(text);
  };
  const prepare = () => void ((!needsKey || access.key !== "") && load().catch(() => {}));
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {needsKey && (
        <label class="key">
          {agent.agent_auth === "none"
            ? "API key of the agent"
            : `API key, required by --agent-auth ${agent.agent_auth}`}
          {/* It is used when it is complete, not for each letter. */}
          <input
            type="password"
            autocomplete="off"
            defaultValue={access.key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
      )}
      {all.length > 1 && (
        <SelectField
          label="Assistant"
          value={selectedOf(all)}
          onChange={select}
          options={all.map(({ id, name, graph, isDefault }): [string, string] => [
            id,
            visible(isDefault ? graph : `${name || "No name"} (${graph})`),
          ])}
        />
      )}
      <label class="text">
        Message to the agent
        <textarea
          rows={1}
          value={text}
          onFocus={prepare}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
      </label>
      <button type="submit" disabled={isRunning}>
        Send
      </button>
    </form>
  );
}
