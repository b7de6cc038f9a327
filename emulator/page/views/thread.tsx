import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useAdmin } from "../data/api";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import type { Thread } from "../data/types";
import { formatTime, visible } from "../ui/format";
import { Messages } from "../ui/messages";
import { Status } from "../ui/status";
import { Code, Empty, Json, Problem, Property, Text } from "../ui/text";
import { ResourceRequests } from "./requests/of-resource";

/** One thread: its messages, the rest of its state, and its history. */
export function ThreadView({ live, deploymentId, id }: { live: Live; deploymentId: string; id: string }): JSX.Element {
  const row = live.threads.find((thread) => thread.id === id && thread.deployment_id === deploymentId);
  const wasListed = useRef(false);
  wasListed.current ||= row !== undefined;
  const wasDeleted = wasListed.current && row === undefined;
  const path = `/agents/${encodeURIComponent(deploymentId)}/threads/${encodeURIComponent(id)}`;
  const { data: thread, error } = useAdmin<Thread>(wasDeleted ? undefined : path, row && JSON.stringify(row));
  const now = emulatedNow(live);
  if (wasDeleted) return <Empty>This thread was deleted.</Empty>;
  if (error) return <Problem>{error}</Problem>;
  if (!thread) return <Empty>Loading …</Empty>;
  const { messages, ...values } = thread.values ?? {};
  const interrupts = Object.values(thread.interrupts ?? {}).flat();
  return (
    <>
      <nav aria-label="Breadcrumb" class="breadcrumb">
        <a href={linkTo("threads")}>All threads</a>
      </nav>
      <h2>
        Thread <Code>{id}</Code>
      </h2>
      <dl class="properties">
        <Property name="Status">
          <Status status={thread.status} />
        </Property>
        <Property name="Deployment">
          <a href={linkTo("deployments", deploymentId)}>
            <Text>{thread.deployment.name}</Text>
          </a>
        </Property>
        <Property name="Created">{formatTime(thread.created_at, now)}</Property>
        <Property name="Last change">{formatTime(thread.updated_at, now)}</Property>
      </dl>
      {thread.error !== null && <Problem>{visible(`The last run failed: ${thread.error}`)}</Problem>}
      {interrupts.map(({ value }, index) => (
        <p class="callout active" key={index}>
          The agent waits for a decision: <Text>{typeof value === "string" ? value : JSON.stringify(value)}</Text>
        </p>
      ))}
      <section aria-labelledby="messages">
        <h3 id="messages">Messages</h3>
        {Array.isArray(messages) && messages.length > 0 ? (
          <Messages messages={messages} />
        ) : (
          <Empty>No messages yet.</Empty>
        )}
      </section>
      <section aria-labelledby="metadata">
        <h3 id="metadata">Metadata</h3>
        <Json value={thread.metadata} label="Metadata" />
      </section>
      {Object.keys(values).length > 0 && (
        <section aria-labelledby="state">
          <h3 id="state">Other state</h3>
          <Json value={values} label="Other state" />
        </section>
      )}
      <History thread={thread} now={now} />
      <ResourceRequests live={live} id={id} />
    </>
  );
}

function History({ thread: { checkpoints }, now }: { thread: Thread; now: number }): JSX.Element | null {
  if (checkpoints.length === 0) return null;
  return (
    <details>
      <summary>Checkpoints ({checkpoints.length})</summary>
      <ol class="plain">
        {checkpoints.map(({ id, created_at, source, step, next }) => (
          <li key={id}>
            Step {step} ({visible(source)}), {formatTime(created_at, now)}
            {next.length > 0 && `, next: ${visible(next.join(", "))}`}
          </li>
        ))}
      </ol>
    </details>
  );
}
