import { useAgent } from "../../data/api";
import { linkTo } from "../../data/route";
import type { AgentServer } from "../../data/types";
import { Button } from "../../ui/fields";
import { Status } from "../../ui/status";
import { Section } from "../../ui/text";
import { ConversationPanel } from "../conversation";
import { useConversation } from "../conversation/use-conversation";
import { AgentThreads } from "./agent-threads";

/** Talks to the live agent of a deployment, on one thread until another one is started. */
export function MessageBox({ id }: { id: string }) {
  const { data: agent } = useAgent(id);
  return agent ? <Box id={id} agent={agent} /> : null;
}

function Box({ id, agent }: { id: string; agent: AgentServer }) {
  const conversation = useConversation(id, agent);
  const { id: thread, row, run, isRunning, reset, access } = conversation;
  const status = row?.status ?? conversation.thread?.status;
  return (
    <Section title="Send a message" class="message-box">
      <ConversationPanel conversation={conversation}>
        {thread !== undefined && (
          <p class="row thread-link">
            <a href={linkTo("threads", id, thread)}>Thread {thread.slice(0, 8)}</a>
            {status !== undefined && <Status status={status} />}
            {!isRunning && <Button text="New thread" class="link" onClick={reset} />}
          </p>
        )}
      </ConversationPanel>
      {agent.process && <AgentThreads access={access} version={run} />}
    </Section>
  );
}
