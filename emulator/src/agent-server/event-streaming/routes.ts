import type { Route } from "../../http/route";
import { any, anyObject } from "../../runtime/validation/schema";
import { agentRoute } from "../requests/agent-route";
import { agentHandler } from "../requests/auth";
import { handleCommand } from "./commands";
import { streamThreadEvents } from "./stream";

/** The streaming protocol of newer clients: commands, and one stream of events for all runs of a thread (API `4B`). */
export const eventStreamingRoutes: readonly Route[] = [
  agentRoute({
    method: "POST",
    path: "/threads/{thread_id}/commands",
    name: "threads-commands",
    isDescribed: false,
    summary: "Send a command of the streaming protocol",
    body: any(),
    success: { status: 200, schema: any(), description: "The result of the command, or why it failed" },
    errors: [400],
    handle: agentHandler(handleCommand),
  }),
  agentRoute({
    method: "POST",
    path: "/threads/{thread_id}/stream/events",
    name: "threads-stream-events",
    isDescribed: false,
    summary: "Stream the events of a thread",
    body: anyObject(),
    success: { status: 200, description: "Server-sent events of all runs, until the client disconnects" },
    errors: [400],
    handle: agentHandler(streamThreadEvents),
  }),
];
