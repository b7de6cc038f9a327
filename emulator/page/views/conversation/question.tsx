import { useState } from "preact/hooks";
import { type Decision, questionOf } from "../../data/agent/questions";
import { TextField } from "../../ui/fields";
import { Code, Json, Text } from "../../ui/text";

const BUTTONS: [Decision, string][] = [
  ["approve", "Approve"],
  ["reject", "Reject"],
  ["text", "Send text"],
];

interface Props {
  /** That of the interrupt. */
  value: unknown;
  isDisabled: boolean;
  onAnswer(answer: unknown): void;
}

/** What a thread waits for, and the buttons that answer it as its graph expects. */
export function QuestionForm({ value, isDisabled, onAnswer }: Props) {
  const [text, setText] = useState("");
  const { subjects, allows, answer } = questionOf(value);
  return (
    <section class="callout waiting question" aria-label="Question of the agent">
      <strong>The agent waits for a decision</strong>
      {subjects.map(({ name, description, value }, index) => (
        <div key={index}>
          {typeof name === "string" && <Code>{name}</Code>}
          {typeof description === "string" && (
            <p>
              <Text>{description}</Text>
            </p>
          )}
          {value !== undefined && <Json value={value} label="Question" />}
        </div>
      ))}
      <div class="filter">
        <TextField
          class="text"
          label={allows("text") ? "Text" : "Reason of a rejection"}
          value={text}
          onChange={setText}
        />
        {BUTTONS.filter(([decision]) => allows(decision)).map(([decision, title]) => (
          <button
            key={decision}
            type="button"
            disabled={isDisabled || (decision === "text" && text === "")}
            onClick={() => onAnswer(answer(decision, text))}
          >
            {title}
          </button>
        ))}
      </div>
    </section>
  );
}
