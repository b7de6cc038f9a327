import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type AgentAccess, type AgentThread, LISTED_THREADS, threadsOf } from "../../data/agent";
import { formatDateTime, visible } from "../../ui/format";
import { Status } from "../../ui/status";
import { Code, Empty, Problem, Text } from "../../ui/text";

interface Result {
  /** undefined: the agent does not list them. */
  threads?: AgentThread[];
  error?: string;
}

/** The threads of an agent that runs as a process, which only the agent knows. It is asked once they are to be shown. */
export function AgentThreads({
  access,
  isProtected,
  version,
}: {
  access: AgentAccess;
  /** Whether requests need a key, which a link cannot send. */
  isProtected: boolean;
  /** Whatever changes when the threads do. */
  version: unknown;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [result, setResult] = useState<Result>();
  const load = () =>
    threadsOf(access).then(
      (threads) => setResult({ threads }),
      ({ message }: Error) => setResult({ error: message }),
    );
  // Not for each letter of a key.
  useEffect(() => {
    if (isOpen) void load();
  }, [isOpen, version]);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Threads of this agent</summary>
      {result === undefined ? (
        <Empty>Loading …</Empty>
      ) : (
        <Found result={result} access={access} isLinked={!isProtected} />
      )}
      <button type="button" class="link" onClick={load}>
        Load again
      </button>
    </details>
  );
}

function Found({
  result: { threads, error },
  access: { deploymentId },
  isLinked,
}: {
  result: Result;
  access: AgentAccess;
  isLinked: boolean;
}): JSX.Element {
  if (error !== undefined) return <Problem>{visible(error)}</Problem>;
  if (!threads) return <Empty>This agent does not list its threads: POST /threads/search returns no list.</Empty>;
  if (threads.length === 0) return <Empty>No threads yet.</Empty>;
  return (
    <>
      {threads.length === LISTED_THREADS && <p class="hint">The {LISTED_THREADS} threads that changed last.</p>}
      <ul class="plain agent-threads">
        {threads.map(({ id, status, updatedAt, lastMessage }) => (
          <li key={id}>
            {isLinked ? (
              <a href={`/agents/${deploymentId}/threads/${encodeURIComponent(id)}`}>
                <Code>{id}</Code>
              </a>
            ) : (
              <Code>{id}</Code>
            )}{" "}
            <Status status={status} />{" "}
            {!Number.isNaN(Date.parse(updatedAt)) && <span class="minor">{formatDateTime(updatedAt)}</span>}{" "}
            {lastMessage === undefined ? <span class="minor">No messages yet</span> : <Text>{lastMessage}</Text>}
          </li>
        ))}
      </ul>
    </>
  );
}
