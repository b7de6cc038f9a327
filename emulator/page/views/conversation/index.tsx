import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { AgentError } from "../../data/agent/request";
import { describeFailure, type RunStart } from "../../data/agent/run";
import { MAX_STATES } from "../../data/agent/threads";
import { turnsOf, withRun } from "../../data/agent/turns";
import { messagesOf, type Values } from "../../data/agent/types";
import { useLive } from "../../data/live";
import type { AgentServer } from "../../data/types";
import { Button } from "../../ui/fields";
import { visible } from "../../ui/format";
import { Json, Problem } from "../../ui/text";
import { Composer } from "./composer";
import { QuestionForm } from "./question";
import { TurnItem } from "./turn";
import { useAssistants } from "./use-assistants";
import type { Conversation } from "./use-conversation";

interface PanelProps {
  conversation: Conversation;
  children?: ComponentChildren;
}

/** A thread as turns, what it waits for, and the form that continues it. */
export function ConversationPanel({ conversation, children }: PanelProps) {
  const { agent, thread, run, isRunning, error, start } = conversation;
  const { frozen } = useLive().clock;
  const assistants = useAssistants(conversation);
  const continueWith = async (body: RunStart) => start(assistants.selectedOf(await assistants.load()), body);
  const resume = (answer: unknown) => continueWith({ command: { resume: answer } });
  const interrupts = run?.progress.interrupts ?? Object.values(thread?.interrupts ?? {}).flat();
  const isStopped = !run && thread?.status === "interrupted" && interrupts.length === 0;
  const waits = frozen && !agent.process;
  return (
    <>
      <Turns conversation={conversation} />
      {interrupts.map(({ id, value }, index) => (
        <QuestionForm
          key={id ?? index}
          value={value}
          isDisabled={isRunning}
          // Of several questions, the ID says which one it is for.
          onAnswer={(answer) => resume(interrupts.length > 1 && id ? { [id]: answer } : answer)}
        />
      ))}
      {isStopped && (
        <p class="callout waiting">
          The run stopped before {visible(thread.history?.[0]?.next?.join(", ") || "its end")}.{" "}
          <Button text="Continue" class="link" onClick={() => continueWith({ input: null })} />
        </p>
      )}
      {isRunning && (
        <p class="hint">
          {waits ? "The clock is frozen: the agent responds when it advances." : "The agent is working …"}
        </p>
      )}
      {error && <Problem>{visible(`${error.message.replace(/[.\s]+$/, "")}. ${adviceFor(error, agent)}`)}</Problem>}
      {!error && thread?.error != null && (
        <Problem>{visible(`The last run failed: ${describeFailure(thread.error)}`)}</Problem>
      )}
      {children}
      <Composer conversation={conversation} assistants={assistants} />
    </>
  );
}

/** The turns of the thread and the one in progress, and the rest of its state. */
function Turns({ conversation: { thread, run } }: { conversation: Conversation }) {
  const history = thread?.history ?? [];
  // States are compared once, and not for each token.
  const known = useMemo(() => {
    const messages = messagesOf(thread?.values);
    // A server without a history has at least the messages.
    return history.length > 0 || messages.length === 0 ? turnsOf(history) : [{ messages, checkpoints: [] }];
  }, [thread]);
  const turns = run ? withRun(known, run.sent, run.progress) : known;
  const { messages, ...rest } = { ...(run?.progress.values ?? thread?.values) } as Values;
  return (
    <>
      {history.length === MAX_STATES && <p class="hint">The newest {MAX_STATES} checkpoints.</p>}
      <div role="log" aria-label="Conversation">
        <ol class="turns">
          {turns.map((turn, index) => (
            <TurnItem key={turn.checkpoints[0]?.id} turn={turn} number={index + 1} />
          ))}
        </ol>
      </div>
      {Object.keys(rest).length > 0 && (
        <details open={!Array.isArray(messages)}>
          <summary>Other state</summary>
          <Json value={rest} label="Other state" />
        </details>
      )}
    </>
  );
}

function adviceFor({ status }: AgentError, { agent_auth, process }: AgentServer): string {
  if (status === 401 && agent_auth !== "none")
    return `The emulator runs with --agent-auth ${agent_auth}, which requires an API key. Enter one below.`;
  if (status === 401) return "The agent itself requires credentials. Enter its API key below.";
  if (status === 404 && !process) return "With --interface-only or --without, agent servers have no runs.";
  return "";
}
