import { useEffect, useState } from "preact/hooks";
import type { AgentAccess } from "../../data/agent/request";
import { LISTED_THREADS, type Thread, threadsOf } from "../../data/agent/threads";
import { messagesOf, textOf } from "../../data/agent/types";
import { linkTo } from "../../data/route";
import { Button } from "../../ui/fields";
import { formatDateTime, visible } from "../../ui/format";
import { Status } from "../../ui/status";
import { Code, Empty, Problem, Text } from "../../ui/text";

/** The threads of an agent that runs as a process, which only the agent knows. It is asked when they are shown. */
export function AgentThreads({ access, version }: { access: AgentAccess; version: unknown }) {
  const [isOpen, setOpen] = useState(false);
  const [content, setContent] = useState(<Empty>Loading …</Empty>);
  const load = () =>
    threadsOf(access).then(
      (threads) => setContent(<Threads threads={threads} deploymentId={access.deploymentId} />),
      ({ message }: Error) => setContent(<Problem>{visible(message)}</Problem>),
    );
  useEffect(() => {
    if (isOpen) void load();
  }, [isOpen, access.key, version]);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Threads of this agent</summary>
      {content}
      <Button text="Load again" class="link" onClick={load} />
    </details>
  );
}

function Threads({ threads, deploymentId }: { threads: Thread[] | undefined; deploymentId: string }) {
  if (!threads) return <Empty>This agent does not list its threads: POST /threads/search returns no list.</Empty>;
  if (threads.length === 0) return <Empty>No threads yet.</Empty>;
  return (
    <>
      {threads.length === LISTED_THREADS && <p class="hint">The {LISTED_THREADS} threads that changed last.</p>}
      <ul class="plain">
        {threads.map(({ thread_id: id = "", status = "unknown", updated_at = "", values }) => {
          const lastMessage = textOf(messagesOf(values).at(-1)?.content).slice(0, 200);
          return (
            <li key={id}>
              <a href={linkTo("threads", deploymentId, id)}>
                <Code>{id}</Code>
              </a>{" "}
              <Status status={status} />{" "}
              {!Number.isNaN(Date.parse(updated_at)) && <span class="minor">{formatDateTime(updated_at)}</span>}{" "}
              {lastMessage === "" ? <span class="minor">No messages yet</span> : <Text>{lastMessage}</Text>}
            </li>
          );
        })}
      </ul>
    </>
  );
}
