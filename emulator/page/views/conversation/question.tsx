import { useState } from "preact/hooks";
import { type Decision, questionOf } from "../../data/agent/questions";
import { Button, TextField } from "../../ui/fields";
import { Code, Json, Paragraph } from "../../ui/text";

const BUTTONS: [Decision, string][] = [
  ["approve", "Approve"],
  ["reject", "Reject"],
  ["text", "Send text"],
];

interface Props {
  value: unknown;
  isDisabled: boolean;
  onAnswer(answer: unknown): void;
}

/** What a thread waits for, and the buttons that answer it as its graph expects. */
export function QuestionForm({ value, isDisabled, onAnswer }: Props) {
  const [text, setText] = useState("");
  const { subjects, allows, answer } = questionOf(value);
  const label = allows("text") ? "Text" : "Reason of a rejection";
  return (
    <section class="callout waiting question" aria-label="Question of the agent">
      <strong>The agent waits for a decision</strong>
      {subjects.map(({ name, description, value }, index) => (
        <div key={index}>
          {typeof name === "string" && <Code>{name}</Code>}
          {typeof description === "string" && <Paragraph>{description}</Paragraph>}
          {value !== undefined && <Json value={value} label="Question" />}
        </div>
      ))}
      <div class="row filter">
        <TextField class="text" label={label} value={text} onChange={setText} />
        {BUTTONS.filter(([decision]) => allows(decision)).map(([decision, title]) => (
          <Button
            key={decision}
            text={title}
            disabled={isDisabled || (decision === "text" && text === "")}
            onClick={() => onAnswer(answer(decision, text))}
          />
        ))}
      </div>
    </section>
  );
}
