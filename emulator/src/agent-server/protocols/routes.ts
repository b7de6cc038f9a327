import type { RouteSettings } from "../../http/feature";
import type { Route } from "../../http/route";
import { any, string } from "../../runtime/validation/schema";
import { agentRoute } from "../requests/agent-route";
import { agentHandler } from "../requests/auth";
import { handleA2a } from "./a2a";
import { getAgentCard } from "./agent-card";
import { handleMcp } from "./mcp";

const a2a = "/a2a/{assistant_id}";

/** How other agents and models call assistants. The server in JavaScript has none of these routes. */
export const protocolRoutes = ({ agentServer }: RouteSettings): readonly Route[] =>
  agentServer === "python" ? [mcpRoute, a2aRoute, ...cardRoutes] : [];

const mcpRoute = agentRoute({
  method: "POST",
  path: "/mcp",
  name: "mcp",
  isDescribed: false,
  summary: "Call assistants as tools",
  body: any(),
  success: { status: 200, description: "A response of the Model Context Protocol" },
  errors: [400],
  handle: agentHandler(handleMcp),
});

const a2aRoute = agentRoute({
  method: "POST",
  path: a2a,
  name: "a2a",
  isDescribed: false,
  summary: "Send a message to an assistant as another agent",
  body: any(),
  textParams: ["assistant_id"],
  success: { status: 200, description: "A response of the Agent2Agent protocol, or server-sent events" },
  errors: [400],
  handle: agentHandler(handleA2a),
});

const card = {
  method: "GET",
  name: "a2a-card",
  isDescribed: false,
  summary: "Retrieve the agent card of an assistant",
  textParams: ["assistant_id"],
  success: { status: 200, schema: any(), description: "The agent card" },
  errors: [400],
  handle: agentHandler(getAgentCard),
} as const;

const cardRoutes: readonly Route[] = [
  agentRoute({ ...card, path: a2a }),
  agentRoute({ ...card, name: "a2a-card-path", path: `${a2a}/.well-known/agent-card.json` }),
  agentRoute({ ...card, name: "a2a-card-old-path", path: `${a2a}/.well-known/agent.json` }),
  agentRoute({
    ...card,
    name: "a2a-card-query",
    path: "/.well-known/agent-card.json",
    query: { assistant_id: string() },
  }),
];
