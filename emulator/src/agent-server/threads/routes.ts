import type { RouteSettings } from "../../http/feature";
import type { Route } from "../../http/route";
import { errorSchema } from "../../runtime/errors";
import { any, integer, list } from "../../runtime/validation/schema";
import { agentRoute } from "../requests/agent-route";
import { agentHandler } from "../requests/auth";
import * as schemas from "../schemas";
import { traitsOf } from "../server/server-traits";
import { countThreads, searchThreads } from "./search";
import { findState, getHistory, getState, getStateAt, postState, readHistory } from "./state";
import { getStorage } from "./storage";
import { copyThread, createThread, deleteThread, getThread, patchThread, pruneThreads } from "./threads";

const thread = "/threads/{thread_id}";
const state = `${thread}/state`;

/** The description has no required fields, so a body may be absent. */
const isBodyOptional = (settings: RouteSettings) => settings.interfaceOnly || !traitsOf({ settings }).requiresBody;

/** Threads: API `4B`. */
export function threadRoutes(settings: RouteSettings): Route[] {
  return [...collectionRoutes(settings), ...singleRoutes(settings), ...stateRoutes(settings)];
}

/** All threads of an agent server. */
function collectionRoutes(settings: RouteSettings): Route[] {
  return [
    agentRoute({
      method: "POST",
      path: "/threads",
      name: "threads-create",
      isDescribed: true,
      summary: "Create a thread",
      body: schemas.createBody(settings),
      bodyOptional: isBodyOptional(settings),
      success: { status: 200, schema: schemas.thread(settings), description: "The new thread" },
      partialSuccess: {
        status: 201,
        schema: errorSchema,
        description: "The new thread, whose supersteps could not be applied",
      },
      errors: [400, 404, 409, 500],
      handle: agentHandler(createThread),
    }),
    agentRoute({
      method: "POST",
      path: "/threads/search",
      name: "threads-search",
      isDescribed: true,
      summary: "Search threads",
      body: schemas.searchBody(settings),
      bodyOptional: isBodyOptional(settings),
      success: {
        status: 200,
        schema: list(schemas.threadSearchResult(settings)),
        description: "The matching threads, with the fields that `select` names",
      },
      handle: agentHandler(searchThreads),
    }),
    agentRoute({
      method: "POST",
      path: "/threads/count",
      name: "threads-count",
      isDescribed: false,
      summary: "Count threads",
      body: schemas.countBody,
      bodyOptional: isBodyOptional(settings),
      success: { status: 200, schema: integer(), description: "The number of matching threads" },
      handle: agentHandler(countThreads),
    }),
    ...(traitsOf({ settings }).hasBatchRoutes ? [pruneRoute, storageRoute] : []),
  ];
}

const pruneRoute = agentRoute({
  method: "POST",
  path: "/threads/prune",
  name: "threads-prune",
  isDescribed: false,
  summary: "Delete several threads or their history",
  body: schemas.pruneBody,
  success: { status: 200, schema: schemas.pruned, description: "The number of threads" },
  handle: agentHandler(pruneThreads),
});

const storageRoute = agentRoute({
  method: "GET",
  path: `${thread}/storage`,
  name: "threads-storage",
  isDescribed: false,
  summary: "Retrieve how many bytes a thread stores",
  success: { status: 200, schema: any(), description: "Bytes of checkpoints and of values" },
  handle: agentHandler(getStorage),
});

/** One thread. */
function singleRoutes(settings: RouteSettings): Route[] {
  return [
    agentRoute({
      method: "GET",
      path: thread,
      name: "threads-get",
      isDescribed: true,
      summary: "Retrieve a thread",
      ...(!settings.interfaceOnly && { query: schemas.includeQuery }),
      success: { status: 200, schema: schemas.thread(settings), description: "The thread" },
      handle: agentHandler(getThread),
    }),
    agentRoute({
      method: "PATCH",
      path: thread,
      name: "threads-patch",
      isDescribed: false,
      summary: "Update a thread",
      body: schemas.patchBody(settings),
      success: { status: 200, schema: schemas.thread(settings), description: "The thread after the update" },
      ...(traitsOf({ settings }).hasMinimalResponses && {
        partialSuccess: { status: 204, description: "The same, for a request with Prefer: return=minimal" },
      }),
      handle: agentHandler(patchThread),
    }),
    agentRoute({
      method: "DELETE",
      path: thread,
      name: "threads-delete",
      isDescribed: false,
      summary: "Delete a thread",
      success: { status: 204, description: "The thread is deleted with its history and runs" },
      handle: agentHandler(deleteThread),
    }),
    agentRoute({
      method: "POST",
      path: `${thread}/copy`,
      name: "threads-copy",
      isDescribed: true,
      summary: "Copy a thread",
      success: { status: 200, schema: schemas.thread(settings), description: "A new thread with the same history" },
      errors: [409],
      handle: agentHandler(copyThread),
    }),
  ];
}

/** The state of a thread, now and at each of its checkpoints. */
function stateRoutes(settings: RouteSettings): Route[] {
  return [
    agentRoute({
      method: "GET",
      path: state,
      name: "threads-state",
      isDescribed: true,
      summary: "Retrieve the state of a thread",
      ...(!settings.interfaceOnly && { query: schemas.stateQuery }),
      success: { status: 200, schema: schemas.threadState(settings), description: "The latest state" },
      handle: agentHandler(getState),
    }),
    agentRoute({
      method: "POST",
      path: state,
      name: "threads-state-post",
      isDescribed: false,
      summary: "Update the state of a thread",
      body: schemas.stateBody,
      success: { status: 200, schema: schemas.updatedState, description: "The new checkpoint" },
      errors: [400, 409],
      handle: agentHandler(postState),
    }),
    agentRoute({
      method: "GET",
      path: `${state}/{checkpoint_id}`,
      name: "threads-state-at",
      isDescribed: true,
      summary: "Retrieve the state of a thread at a checkpoint",
      ...(!settings.interfaceOnly && { query: schemas.stateQuery }),
      success: { status: 200, schema: schemas.threadState(settings), description: "The state at the checkpoint" },
      handle: agentHandler(getStateAt),
    }),
    agentRoute({
      method: "POST",
      path: `${state}/checkpoint`,
      name: "threads-state-checkpoint",
      isDescribed: false,
      summary: "Retrieve the state of a thread at a checkpoint object",
      body: schemas.checkpointBody,
      success: { status: 200, schema: schemas.threadState(settings), description: "The state at the checkpoint" },
      handle: agentHandler(findState),
    }),
    agentRoute({
      method: "POST",
      path: `${thread}/history`,
      name: "threads-history",
      isDescribed: true,
      summary: "Retrieve the history of a thread",
      body: schemas.historyBody(settings),
      bodyOptional: isBodyOptional(settings),
      success: { status: 200, schema: list(schemas.threadState(settings)), description: "States, most recent first" },
      // What the server in Python responds to a `before` that names no checkpoint.
      errors: [500],
      handle: agentHandler(readHistory),
    }),
    historyRoute(settings),
  ];
}

const historyRoute = (settings: RouteSettings) =>
  agentRoute({
    method: "GET",
    path: `${thread}/history`,
    name: "threads-history",
    isDescribed: false,
    summary: "Retrieve the history of a thread, without a filter",
    query: schemas.historyQuery(settings),
    success: { status: 200, schema: list(schemas.threadState(settings)), description: "States, most recent first" },
    handle: agentHandler(getHistory),
  });
