import { useRef } from "preact/hooks";
import { useAdmin } from "../data/api";
import { emulatedNow, type Live } from "../data/live";
import type { AgentServer } from "../data/types";
import { Heading } from "../ui/heading";
import { Status } from "../ui/status";
import { Breadcrumb, Code, Empty, JsonSection, Link, Problem, Properties, Time } from "../ui/text";
import { ConversationPanel } from "./conversation";
import { useConversation } from "./conversation/use-conversation";
import { ResourceRequests } from "./requests/of-resource";

interface ThreadProps {
  live: Live;
  deploymentId: string;
  id: string;
}

/** One thread: its turns, what it waits for, and a form that continues it. */
export function ThreadView({ live, deploymentId, id }: ThreadProps) {
  const version = live.deployments.find((row) => row.id === deploymentId)?.active_revision_id;
  const { data: agent, error } = useAdmin<AgentServer>(`/agents/${encodeURIComponent(deploymentId)}`, version);
  if (error) return <Problem>{error}</Problem>;
  if (!agent) return <Empty>Loading …</Empty>;
  return <Thread key={`${deploymentId}/${id}`} live={live} deploymentId={deploymentId} id={id} agent={agent} />;
}

function Thread({ live, deploymentId, id, agent }: ThreadProps & { agent: AgentServer }) {
  const conversation = useConversation(live, deploymentId, agent, id);
  const { row, thread } = conversation;
  const wasListed = useRef(false);
  wasListed.current ||= row !== undefined;
  if (wasListed.current && row === undefined) return <Empty>This thread was deleted.</Empty>;
  const now = emulatedNow(live);
  const status = row?.status ?? thread?.status;
  return (
    <>
      <Breadcrumb kind="threads" />
      <Heading title={`Thread ${id.slice(0, 8)}: ${status ?? ""}`}>
        Thread <Code>{id}</Code>
      </Heading>
      <Properties
        of={{
          Status: status !== undefined && <Status status={status} />,
          Deployment: <Link to={["deployments", deploymentId]}>{agent.name}</Link>,
          Created: thread?.created_at !== undefined && <Time at={thread.created_at} now={now} />,
          "Last change": thread?.updated_at !== undefined && <Time at={thread.updated_at} now={now} />,
        }}
      />
      <section aria-labelledby="messages" class="message-box">
        <h3 id="messages">Messages</h3>
        {thread?.history?.length === 0 && <Empty>No messages yet.</Empty>}
        <ConversationPanel conversation={conversation} />
      </section>
      {thread && <JsonSection title="Metadata" value={thread.metadata ?? {}} />}
      <ResourceRequests live={live} id={id} />
    </>
  );
}
