import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useAdmin } from "../data/api";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import type { AgentServer } from "../data/types";
import { formatTime } from "../ui/format";
import { Status } from "../ui/status";
import { Code, Empty, Json, Problem, Property, Text } from "../ui/text";
import { ConversationPanel } from "./conversation";
import { useConversation } from "./conversation/use-conversation";
import { ResourceRequests } from "./requests/of-resource";

interface ThreadProps {
  live: Live;
  deploymentId: string;
  id: string;
}

/** One thread: its turns, what it waits for, and a form that continues it. */
export function ThreadView({ live, deploymentId, id }: ThreadProps): JSX.Element {
  const version = live.deployments.find((row) => row.id === deploymentId)?.active_revision_id;
  const { data: agent, error } = useAdmin<AgentServer>(`/agents/${encodeURIComponent(deploymentId)}`, version);
  if (error) return <Problem>{error}</Problem>;
  if (!agent) return <Empty>Loading …</Empty>;
  return <Thread key={`${deploymentId}/${id}`} live={live} deploymentId={deploymentId} id={id} agent={agent} />;
}

function Thread({ live, deploymentId, id, agent }: ThreadProps & { agent: AgentServer }): JSX.Element {
  const conversation = useConversation(live, deploymentId, agent, id);
  const { row, thread } = conversation;
  const wasListed = useRef(false);
  wasListed.current ||= row !== undefined;
  if (wasListed.current && row === undefined) return <Empty>This thread was deleted.</Empty>;
  const now = emulatedNow(live);
  const status = row?.status ?? thread?.status;
  return (
    <>
      <nav aria-label="Breadcrumb" class="breadcrumb">
        <a href={linkTo("threads")}>All threads</a>
      </nav>
      <h2>
        Thread <Code>{id}</Code>
      </h2>
      <dl class="properties">
        {status !== undefined && (
          <Property name="Status">
            <Status status={status} />
          </Property>
        )}
        <Property name="Deployment">
          <a href={linkTo("deployments", deploymentId)}>
            <Text>{agent.name}</Text>
          </a>
        </Property>
        {thread?.created_at && <Property name="Created">{formatTime(thread.created_at, now)}</Property>}
        {thread?.updated_at && <Property name="Last change">{formatTime(thread.updated_at, now)}</Property>}
      </dl>
      <section aria-labelledby="messages" class="message-box">
        <h3 id="messages">Messages</h3>
        {thread?.history?.length === 0 && <Empty>No messages yet.</Empty>}
        <ConversationPanel conversation={conversation} />
      </section>
      {thread && (
        <section aria-labelledby="metadata">
          <h3 id="metadata">Metadata</h3>
          <Json value={thread.metadata ?? {}} label="Metadata" />
        </section>
      )}
      <ResourceRequests live={live} id={id} />
    </>
  );
}
