import type { Route } from "../../http/route";
import { list } from "../../runtime/validation/schema";
import { agentRoute } from "../agent-route";
import { onAgent } from "../auth";
import { createRun, createRuns, deleteRun, getRun, listRuns, stopRun, stopRuns } from "./runs";
import { cancelBody, cancelQuery, run, runBody, runsQuery, streamQuery } from "./schemas";
import { joinRun, joinStream, streamRun, waitForRun } from "./streams";

const runs = "/threads/{thread_id}/runs";
const one = `${runs}/{run_id}`;
const starts = { body: runBody, errors: [409] };

/** Runs: interface-notes.md section 4. The interface itself shows none. */
export const runRoutes: Route[] = [
  agentRoute({
    ...{ method: "POST", path: runs, name: "runs-create", inInterface: false, summary: "Start a run on a thread" },
    ...starts,
    success: { status: 200, schema: run, description: "The run, which is pending" },
    handle: onAgent(createRun),
  }),
  agentRoute({
    ...{ method: "GET", path: runs, name: "runs-list", inInterface: false, summary: "List the runs of a thread" },
    query: runsQuery,
    success: { status: 200, schema: list(run), description: "Runs, newest first" },
    handle: onAgent(listRuns),
  }),
  agentRoute({
    ...{ method: "POST", path: `${runs}/wait`, name: "runs-wait", inInterface: false },
    summary: "Start a run and wait for its end",
    ...starts,
    success: { status: 200, description: "The state once it has ended" },
    handle: onAgent(waitForRun),
  }),
  agentRoute({
    ...{ method: "POST", path: `${runs}/stream`, name: "runs-stream", inInterface: false },
    summary: "Start a run and follow it",
    ...starts,
    success: { status: 200, description: "Server-sent events: metadata, values, updates, error, end" },
    handle: onAgent(streamRun),
  }),
  agentRoute({
    ...{ method: "POST", path: "/runs", name: "runs-stateless", inInterface: false, ...starts },
    summary: "Start a run on a thread of its own",
    success: { status: 200, schema: run, description: "The run, which is pending" },
    handle: onAgent(createRun),
  }),
  agentRoute({
    ...{ method: "POST", path: "/runs/wait", name: "runs-stateless-wait", inInterface: false, ...starts },
    summary: "Start a run on a thread of its own and wait for its end",
    success: { status: 200, description: "The state once it has ended" },
    handle: onAgent(waitForRun),
  }),
  agentRoute({
    ...{ method: "POST", path: "/runs/stream", name: "runs-stateless-stream", inInterface: false, ...starts },
    summary: "Start a run on a thread of its own and follow it",
    success: { status: 200, description: "Server-sent events: metadata, values, updates, error, end" },
    handle: onAgent(streamRun),
  }),
  agentRoute({
    ...{ method: "POST", path: "/runs/batch", name: "runs-batch", inInterface: false, body: list(runBody) },
    summary: "Start several runs, each on a thread of its own",
    success: { status: 200, schema: list(run), description: "The runs, in order" },
    handle: onAgent(createRuns),
  }),
  agentRoute({
    ...{ method: "POST", path: "/runs/cancel", name: "runs-cancel-many", inInterface: false, body: cancelBody },
    summary: "Cancel several runs",
    query: cancelQuery,
    success: { status: 204, description: "They go no further" },
    handle: onAgent(stopRuns),
  }),
  agentRoute({
    ...{ method: "DELETE", path: one, name: "runs-delete", inInterface: false, summary: "Delete a run" },
    success: { status: 204, description: "It is gone; what it did to the thread stays" },
    errors: [409],
    handle: onAgent(deleteRun),
  }),
  agentRoute({
    ...{ method: "GET", path: one, name: "runs-get", inInterface: false, summary: "Retrieve a run" },
    success: { status: 200, schema: run, description: "The run" },
    handle: onAgent(getRun),
  }),
  agentRoute({
    ...{
      method: "GET",
      path: `${one}/join`,
      name: "runs-join",
      inInterface: false,
      summary: "Wait for the end of a run",
    },
    success: { status: 200, description: "The state once it has ended" },
    handle: onAgent(joinRun),
  }),
  agentRoute({
    ...{ method: "GET", path: `${one}/stream`, name: "runs-join-stream", inInterface: false, summary: "Follow a run" },
    query: streamQuery,
    success: { status: 200, description: "Server-sent events, from its beginning" },
    handle: onAgent(joinStream),
  }),
  agentRoute({
    ...{ method: "POST", path: `${one}/cancel`, name: "runs-cancel", inInterface: false, summary: "Cancel a run" },
    query: cancelQuery,
    success: { status: 202, description: "It goes no further" },
    errors: [409],
    handle: onAgent(stopRun),
  }),
];
