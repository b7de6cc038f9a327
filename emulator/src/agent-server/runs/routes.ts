import type { RouteSettings } from "../../http/feature";
import type { Route } from "../../http/route";
import { any, list } from "../../runtime/validation/schema";
import { agentRoute } from "../requests/agent-route";
import { agentHandler } from "../requests/auth";
import { traitsOf } from "../server/server-traits";
import { cancelRunRequest, cancelRunsRequest } from "./cancel";
import { createRun, createRuns, deleteRun, getRun, listRuns } from "./runs";
import {
  batchBody,
  cancelBody,
  cancelQuery,
  joinQuery,
  listedRun,
  run,
  runBody,
  runsQuery,
  streamQuery,
  threadStreamQuery,
} from "./schemas";
import { joinRun, joinStream, streamRun, waitForRun } from "./streams/streams";
import { streamThread } from "./streams/thread-stream";

const runs = "/threads/{thread_id}/runs";
const singleRun = `${runs}/{run_id}`;
const startFields = { body: runBody, errors: [400, 409] };

/** Runs: API `4B`. The interface itself has none. */
export function runRoutes(settings: RouteSettings): Route[] {
  const { hasBatchRoutes } = traitsOf({ settings });
  // A run whose thread the client need not know.
  const statelessStream = joinStreamRoute(settings, "/runs/{run_id}/stream");
  return [
    ...routes,
    joinRoute(settings),
    joinStreamRoute(settings, `${singleRun}/stream`),
    cancelRoute(settings),
    listRoute(settings),
    ...(hasBatchRoutes ? [cancelManyRoute(settings), threadStreamRoute] : [statelessStream]),
  ];
}

const joinStreamRoute = (settings: RouteSettings, path: string) =>
  agentRoute({
    path,
    method: "GET",
    name: "runs-join-stream",
    isDescribed: false,
    summary: "Stream a run",
    query: streamQuery(settings),
    success: { status: 200, description: "Server-sent events from the start of the run" },
    handle: agentHandler(joinStream),
  });

const routes: readonly Route[] = [
  agentRoute({
    method: "POST",
    path: runs,
    name: "runs-create",
    isDescribed: false,
    summary: "Start a run on a thread",
    ...startFields,
    success: { status: 200, schema: run, description: "The pending run" },
    handle: agentHandler(createRun),
  }),
  agentRoute({
    method: "POST",
    path: `${runs}/wait`,
    name: "runs-wait",
    isDescribed: false,
    summary: "Start a run and wait for it to finish",
    ...startFields,
    success: { status: 200, schema: any(), description: "The final state" },
    handle: agentHandler(waitForRun),
  }),
  agentRoute({
    method: "POST",
    path: `${runs}/stream`,
    name: "runs-stream",
    isDescribed: false,
    summary: "Start a run and stream it",
    ...startFields,
    success: { status: 200, description: "Server-sent events: metadata, those of the modes, error" },
    handle: agentHandler(streamRun),
  }),
  agentRoute({
    method: "POST",
    path: "/runs",
    name: "runs-stateless",
    isDescribed: false,
    ...startFields,
    summary: "Start a stateless run",
    success: { status: 200, schema: run, description: "The pending run" },
    handle: agentHandler(createRun),
  }),
  agentRoute({
    method: "POST",
    path: "/runs/wait",
    name: "runs-stateless-wait",
    isDescribed: false,
    ...startFields,
    summary: "Start a stateless run and wait for it to finish",
    success: { status: 200, schema: any(), description: "The final state" },
    handle: agentHandler(waitForRun),
  }),
  agentRoute({
    method: "POST",
    path: "/runs/stream",
    name: "runs-stateless-stream",
    isDescribed: false,
    ...startFields,
    summary: "Start a stateless run and stream it",
    success: { status: 200, description: "Server-sent events: metadata, those of the modes, error" },
    handle: agentHandler(streamRun),
  }),
  agentRoute({
    method: "POST",
    path: "/runs/batch",
    name: "runs-batch",
    isDescribed: false,
    body: batchBody,
    summary: "Start several stateless runs",
    success: { status: 200, schema: list(run), description: "The runs, in order" },
    handle: agentHandler(createRuns),
  }),
  agentRoute({
    method: "DELETE",
    path: singleRun,
    name: "runs-delete",
    isDescribed: false,
    summary: "Delete a run",
    success: { status: 204, description: "The run is deleted with its states" },
    handle: agentHandler(deleteRun),
  }),
  agentRoute({
    method: "GET",
    path: singleRun,
    name: "runs-get",
    isDescribed: false,
    summary: "Retrieve a run",
    success: { status: 200, schema: run, description: "The run" },
    handle: agentHandler(getRun),
  }),
];

const joinRoute = (settings: RouteSettings) =>
  agentRoute({
    method: "GET",
    path: `${singleRun}/join`,
    name: "runs-join",
    isDescribed: false,
    summary: "Wait for a run to finish",
    query: joinQuery(settings),
    success: { status: 200, schema: any(), description: "The final state" },
    handle: agentHandler(joinRun),
  });

const cancelRoute = (settings: RouteSettings) =>
  agentRoute({
    method: "POST",
    path: `${singleRun}/cancel`,
    name: "runs-cancel",
    isDescribed: false,
    summary: "Cancel a run",
    query: cancelQuery(settings),
    success: { status: 202, description: "The run is cancelled" },
    errors: [409],
    handle: agentHandler(cancelRunRequest),
  });

const listRoute = (settings: RouteSettings) =>
  agentRoute({
    method: "GET",
    path: runs,
    name: "runs-list",
    isDescribed: false,
    summary: "List the runs of a thread",
    query: runsQuery(settings),
    success: {
      status: 200,
      schema: list(listedRun),
      description: "Runs of the thread, with the fields that `select` names",
    },
    handle: agentHandler(listRuns),
  });

const threadStreamRoute = agentRoute({
  method: "GET",
  path: "/threads/{thread_id}/stream",
  name: "threads-stream",
  isDescribed: false,
  summary: "Stream the runs of a thread",
  query: threadStreamQuery,
  success: { status: 200, description: "Server-sent events of all runs, until the client disconnects" },
  handle: agentHandler(streamThread),
});

const cancelManyRoute = (settings: RouteSettings) =>
  agentRoute({
    method: "POST",
    path: "/runs/cancel",
    name: "runs-cancel-many",
    isDescribed: false,
    body: cancelBody,
    summary: "Cancel several runs",
    query: cancelQuery(settings),
    success: { status: 204, description: "The runs are cancelled" },
    handle: agentHandler(cancelRunsRequest),
  });
