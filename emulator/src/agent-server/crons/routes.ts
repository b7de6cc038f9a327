import type { RouteSettings } from "../../http/feature";
import type { Route } from "../../http/route";
import { ApiError } from "../../runtime/errors";
import { integer, list } from "../../runtime/validation/schema";
import { agentRoute } from "../requests/agent-route";
import { agentHandler } from "../requests/auth";
import { createCron, deleteCron, getCron, patchCron } from "./crons";
import * as schemas from "./schemas";
import { countCrons, searchCrons } from "./search";

const crons = "/runs/crons";
const single = `${crons}/{cron_id}`;
const onThread = `/threads/{thread_id}${crons}`;

/** Crons, which the interface does not contain. The server in JavaScript has routes for some of them, and no crons. */
export function cronRoutes({ agentServer }: RouteSettings): Route[] {
  return agentServer === "python" ? [...pythonRoutes] : [...javascriptRoutes];
}

const create = {
  method: "POST",
  isDescribed: false,
  body: schemas.createBody,
  success: { status: 200, schema: schemas.cron, description: "The new cron" },
  errors: [400, 404, 500],
  handle: agentHandler(createCron),
} as const;

const pythonRoutes: readonly Route[] = [
  agentRoute({ ...create, path: crons, name: "crons-create", summary: "Create a stateless cron" }),
  agentRoute({
    ...create,
    path: onThread,
    name: "crons-create-on-thread",
    summary: "Create a cron on a thread",
    body: schemas.createOnThreadBody,
  }),
  agentRoute({
    method: "POST",
    path: `${crons}/search`,
    name: "crons-search",
    isDescribed: false,
    summary: "Search crons",
    body: schemas.searchBody,
    success: {
      status: 200,
      schema: list(schemas.cronSearchResult),
      description: "The matching crons, with the fields that `select` names",
    },
    handle: agentHandler(searchCrons),
  }),
  agentRoute({
    method: "POST",
    path: `${crons}/count`,
    name: "crons-count",
    isDescribed: false,
    summary: "Count crons",
    body: schemas.countBody,
    success: { status: 200, schema: integer(), description: "The number of matching crons" },
    handle: agentHandler(countCrons),
  }),
  agentRoute({
    method: "GET",
    path: single,
    name: "crons-get",
    isDescribed: false,
    summary: "Retrieve a cron",
    success: { status: 200, schema: schemas.cron, description: "The cron" },
    handle: agentHandler(getCron),
  }),
  agentRoute({
    method: "PATCH",
    path: single,
    name: "crons-patch",
    isDescribed: false,
    summary: "Update a cron",
    body: schemas.patchBody,
    success: { status: 200, schema: schemas.cron, description: "The cron after the update" },
    errors: [400],
    handle: agentHandler(patchCron),
  }),
  agentRoute({
    method: "DELETE",
    path: single,
    name: "crons-delete",
    isDescribed: false,
    summary: "Delete a cron",
    success: { status: 204, description: "The cron is deleted; runs that it started continue" },
    handle: agentHandler(deleteCron),
  }),
];

const notImplemented = {
  isDescribed: false,
  success: { status: 200, description: "Never: this server has no crons" },
  errors: [500],
  handle: agentHandler(() => {
    throw new ApiError(500, "Not implemented");
  }),
} as const;

const javascriptRoutes: readonly Route[] = [
  agentRoute({
    ...notImplemented,
    method: "POST",
    path: crons,
    name: "crons-create",
    summary: "Create a cron",
    body: schemas.javascriptBody,
  }),
  agentRoute({
    ...notImplemented,
    method: "POST",
    path: onThread,
    name: "crons-create-on-thread",
    summary: "Create a cron on a thread",
    body: schemas.javascriptBody,
  }),
  agentRoute({
    ...notImplemented,
    method: "POST",
    path: `${crons}/search`,
    name: "crons-search",
    summary: "Search crons",
    body: schemas.javascriptSearchBody,
  }),
  agentRoute({ ...notImplemented, method: "DELETE", path: single, name: "crons-delete", summary: "Delete a cron" }),
];
