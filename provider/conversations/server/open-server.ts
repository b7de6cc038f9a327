/** Opens the conversations of an agent server, and finds out what it runs. */
import { type Clock, realClock } from "../../http/clock";
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

const INFO = { method: "GET", path: "/info", isRead: true, timeoutMs: 60_000 } as const;
const [PAUSE_MS, MAX_ATTEMPTS] = [1000, 5];

/** @throws UserError when the server rejects the credentials, or does not say what it runs. */
export async function openConversations(
  agent: { url: string; probe: Probe },
  clock: Clock = realClock,
): Promise<OpenedServer> {
  let info = await agent.probe(INFO);
  for (let attempt = 1; isBusy(info) && attempt < MAX_ATTEMPTS; attempt++) {
    await clock.sleep(PAUSE_MS * attempt);
    info = await agent.probe(INFO);
  }
  if (info.status === 401 || info.status === 403)
    throw new UserError(
      `${agent.url} rejected the credentials (${info.status}), so nothing is known of its conversations. ` +
        "Check the API key, and the headers that the server requires.",
    );
  const facts: Record<"version" | "context" | "langgraph_js_version", unknown> = Object(info.json);
  if (!isMissing(info) && (info.status >= 300 || facts !== info.json))
    throw new UserError(
      `${agent.url} does not say what it runs (GET /info: ${info.status}), and servers in Python and in JavaScript ` +
        "read and write conversations differently. Run the command again, or check the URL.",
    );
  const isJavascript = facts.langgraph_js_version !== undefined || facts.context === "js";
  const about: ServerFacts = {
    url: agent.url,
    language: isJavascript ? "javascript" : "python",
    ...(typeof facts.version === "string" && { version: facts.version }),
  };
  return { server: new ConversationServer(agent.probe, !isJavascript, clock, true), about };
}

type Info = Awaited<ReturnType<Probe>>;
/** Assumed: of servers that lack the route, all are in Python. The 404 of a gateway on its way is another one. */
const isMissing = ({ status, json }: Info): boolean =>
  status === 405 || status === 501 || (status === 404 && Object(json).detail === "Not Found");

/** Whether a response says nothing of the server, and the next one may. */
const isBusy = (info: Info): boolean =>
  !isMissing(info) && (info.status >= 500 || [404, 408, 429].includes(info.status));
