import type { Route } from "../../http/route";
import { list } from "../../runtime/validation/schema";
import { emulatorVersion } from "../../runtime/version";
import { agentRoute } from "../agent-route";
import { agentHandler } from "../auth";
import * as schemas from "../schemas";
import { getAssistant, searchAssistants } from "./assistants";

/** The agent server itself and its assistants (API `4B`). */
export const assistantRoutes: Route[] = [
  agentRoute({
    method: "GET",
    path: "/ok",
    name: "agent-ok",
    isDescribed: false,
    isPublic: true,
    summary: "Check the health of an agent server",
    success: { status: 200, schema: schemas.ok, description: "The server is running" },
    handle: () => ({ status: 200, body: { ok: true } }),
  }),
  agentRoute({
    method: "GET",
    path: "/info",
    name: "agent-info",
    isDescribed: false,
    isPublic: true,
    summary: "Retrieve the version and features of an agent server",
    success: { status: 200, schema: schemas.info, description: "Version and features" },
    handle: () => ({ status: 200, body: { version: emulatorVersion, flags: { assistants: true, crons: false } } }),
  }),
  agentRoute({
    method: "POST",
    path: "/assistants/search",
    name: "assistants-search",
    isDescribed: false,
    summary: "Search assistants",
    body: schemas.assistantSearch,
    bodyOptional: true,
    success: { status: 200, schema: list(schemas.assistant), description: "One assistant for each graph" },
    handle: agentHandler(searchAssistants),
  }),
  agentRoute({
    method: "GET",
    path: "/assistants/{assistant_id}",
    name: "assistants-get",
    isDescribed: false,
    summary: "Retrieve an assistant",
    success: { status: 200, schema: schemas.assistant, description: "The assistant" },
    handle: agentHandler(getAssistant),
  }),
];
