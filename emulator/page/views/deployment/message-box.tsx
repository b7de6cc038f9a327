import { useAdmin } from "../../data/api";
import type { Live } from "../../data/live";
import { linkTo } from "../../data/route";
import type { AgentServer, Deployment } from "../../data/types";
import { Status } from "../../ui/status";
import { ConversationPanel } from "../conversation";
import { useConversation } from "../conversation/use-conversation";
import { AgentThreads } from "./agent-threads";

/** Talks to the live agent, on one thread until another one is started. */
export function MessageBox({ live, deployment }: { live: Live; deployment: Deployment }) {
  const path = `/agents/${encodeURIComponent(deployment.id)}`;
  const { data: agent } = useAdmin<AgentServer>(path, deployment.active_revision_id);
  return agent ? <Box live={live} id={deployment.id} agent={agent} /> : null;
}

function Box({ live, id, agent }: { live: Live; id: string; agent: AgentServer }) {
  const conversation = useConversation(live, id, agent);
  const { id: thread, row, run, isRunning, reset, access } = conversation;
  const status = row?.status ?? conversation.thread?.status;
  return (
    <section aria-labelledby="message" class="message-box">
      <h3 id="message">Send a message</h3>
      <ConversationPanel conversation={conversation}>
        {thread !== undefined && (
          <p class="thread-link">
            <a href={linkTo("threads", id, thread)}>Thread {thread.slice(0, 8)}</a>
            {status !== undefined && <Status status={status} />}
            {!isRunning && (
              <button type="button" class="link" onClick={reset}>
                New thread
              </button>
            )}
          </p>
        )}
      </ConversationPanel>
      {agent.process && <AgentThreads access={access} version={run} />}
    </section>
  );
}
