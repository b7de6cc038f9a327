/** Opens the conversations of an agent server, and finds out what it runs. */
import type { Clock } from "../../http/clock";
import { UserError } from "../../text/user-error";
import { ConversationServer, type Probe } from "./conversation-server";

/** What a backup notes of its server. */
export interface ServerFacts {
  url: string;
  language: "python" | "javascript";
  version?: string;
}

export interface OpenedServer {
  server: ConversationServer;
  about: ServerFacts;
}

interface AgentServer {
  url: string;
  probe: Probe;
}

const INFO_TIMEOUT_MS = 60_000;

/** @throws UserError when the server rejects the credentials. */
export async function openConversations(agent: AgentServer, clock?: Clock): Promise<OpenedServer> {
  const info = await agent.probe({ method: "GET", path: "/info", isRead: true, timeoutMs: INFO_TIMEOUT_MS });
  if (info.status === 401 || info.status === 403)
    throw new UserError(
      `${agent.url} rejected the credentials (${info.status}), so nothing is known of its conversations. ` +
        "Check the API key, and the headers that the server requires.",
    );
  const facts = (info.json ?? {}) as Record<"version" | "context" | "langgraph_js_version", unknown>;
  const isJavascript = facts.langgraph_js_version !== undefined || facts.context === "js";
  const about: ServerFacts = {
    url: agent.url,
    language: isJavascript ? "javascript" : "python",
    ...(typeof facts.version === "string" && { version: facts.version }),
  };
  return { server: new ConversationServer(agent.probe, !isJavascript, clock, true), about };
}
