import { AgentServerClient } from "../../../provider/api/agent-server/client";
import { openJsonClient } from "./http-client";
import { TestServer } from "./server";

/** Starts a server with these replies, and a client of it. */
export async function startAgentClient(...replies: Parameters<typeof TestServer.start>[0]) {
  const server = await TestServer.start(replies);
  const { jsonClient, clock } = openJsonClient(server.url);
  const checkHealth = () => Promise.resolve("healthy" as const);
  const agent = new AgentServerClient({ url: server.url.href, json: jsonClient, clock, checkHealth });
  const requests = () => server.requests.map(({ method, url }) => `${method} ${url}`);
  const bodies = () => server.requests.map(({ body }) => (body === "" ? undefined : JSON.parse(body)));
  return { agent, clock, server, requests, bodies };
}

/** A UUID that shows its number. */
export const numberedId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
