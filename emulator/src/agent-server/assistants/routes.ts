import type { Route } from "../../http/route";
import { list } from "../../runtime/validation/schema";
import { emulatorVersion } from "../../runtime/version";
import { agentRoute } from "../agent-route";
import { onAgent } from "../auth";
import * as schemas from "../schemas";
import { getAssistant, searchAssistants } from "./assistants";

/** The agent server as a whole, and its assistants (interface-notes.md section 4). */
export const assistantRoutes: Route[] = [
  agentRoute({
    method: "GET",
    path: "/ok",
    name: "agent-ok",
    inInterface: false,
    anyone: true,
    summary: "Whether the agent server of a deployment serves",
    success: { status: 200, schema: schemas.ok, description: "It serves" },
    handle: () => ({ status: 200, body: { ok: true } }),
  }),
  agentRoute({
    method: "GET",
    path: "/info",
    name: "agent-info",
    inInterface: false,
    anyone: true,
    summary: "Version and features of an agent server",
    success: { status: 200, schema: schemas.info, description: "What it is" },
    handle: () => ({ status: 200, body: { version: emulatorVersion, flags: { assistants: true, crons: false } } }),
  }),
  agentRoute({
    method: "POST",
    path: "/assistants/search",
    name: "assistants-search",
    inInterface: false,
    summary: "Search assistants",
    body: schemas.assistantSearch,
    bodyOptional: true,
    success: { status: 200, schema: list(schemas.assistant), description: "One for each graph" },
    handle: onAgent(searchAssistants),
  }),
  agentRoute({
    method: "GET",
    path: "/assistants/{assistant_id}",
    name: "assistants-get",
    inInterface: false,
    summary: "Retrieve an assistant",
    success: { status: 200, schema: schemas.assistant, description: "The assistant" },
    handle: onAgent(getAssistant),
  }),
];
