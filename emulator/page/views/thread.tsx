import { useAgent, useWasDeleted } from "../data/api";
import type { AgentServer } from "../data/types";
import { Status } from "../ui/status";
import { Breadcrumb, Code, Empty, Heading, JsonSection, Link, Pending, Properties, Section, Time } from "../ui/text";
import { ConversationPanel } from "./conversation";
import { useConversation } from "./conversation/use-conversation";
import { ResourceRequests } from "./requests/of-resource";

interface ThreadProps {
  deploymentId: string;
  id: string;
}

/** One thread: its turns, what it waits for, and a form that continues it. */
export function ThreadView(props: ThreadProps) {
  const { data: agent, error } = useAgent(props.deploymentId);
  return agent ? <Thread {...props} agent={agent} /> : <Pending error={error} />;
}

function Thread({ deploymentId, id, agent }: ThreadProps & { agent: AgentServer }) {
  const conversation = useConversation(deploymentId, agent, id);
  const { row, thread } = conversation;
  if (useWasDeleted(row)) return <Empty>This thread was deleted.</Empty>;
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
          Created: thread?.created_at !== undefined && <Time at={thread.created_at} />,
          "Last change": thread?.updated_at !== undefined && <Time at={thread.updated_at} />,
        }}
      />
      <Section title="Messages" class="message-box">
        {thread?.history?.length === 0 && <Empty>No messages yet.</Empty>}
        <ConversationPanel conversation={conversation} />
      </Section>
      {thread && <JsonSection title="Metadata" value={thread.metadata ?? {}} />}
      <ResourceRequests id={id} />
    </>
  );
}
