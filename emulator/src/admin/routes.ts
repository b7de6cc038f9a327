import type { BucketService } from "../bucket/service";
import type { Push } from "../control-plane/sources/pushes";
import type { AdminRequest, AdminRoute } from "../http/admin-gateway";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import type { Fault } from "../runtime/faults";
import type { RequestLogFilter } from "../runtime/request-log";
import { emulatorVersion } from "../runtime/version";
import { agentAdminRoutes } from "./agent-servers";
import { type BucketAccess, bucketAdminRoutes } from "./buckets";
import { readDeploymentLogs } from "./deployment-logs";
import {
  describeDestinations,
  describeExport,
  describeExports,
  type OutOfBandExportUpdate,
  outOfBandExportUpdate,
} from "./exports";
import { loadRunsFromBody, type RunsTarget, runsTarget } from "./load-runs";
import type { Operations } from "./operations";
import { EventFeed } from "./page/event-feed";
import {
  type ClockChange,
  clockBody,
  faultBody,
  type LogsQuery,
  logsQuery,
  type OutOfBandUpdate,
  outOfBandUpdate,
  pushBody,
  type RequestLogEntryQuery,
  requestLogEntryQuery,
  requestLogQuery,
} from "./schemas";
import { type Seed, seedBody } from "./seed/seed";

export { pageResponse } from "./page/response";

/**
 * The admin API below `/_emulator`. operations.ts implements what programs can do as well, schemas.ts validates bodies,
 * `seed/` contains the initial data, and each other file controls one feature.
 */
export function adminRoutes(
  context: Context,
  buckets: BucketService,
  access: BucketAccess,
  operations: Operations,
): AdminRoute[] {
  const events = new EventFeed(context);
  return [
    { method: "GET", path: "/health", handle: () => health(context) },
    { method: "GET", path: "/events", streams: "text/event-stream", handle: () => events.stream() },
    ...timeAndFaultRoutes(context, operations),
    ...requestLogRoutes("/request-log", context, operations),
    // The earlier path, which scripts may still use.
    ...requestLogRoutes("/journal", context, operations),
    ...deploymentLogRoutes(context),
    ...contentRoutes(context, operations),
    ...deploymentRoutes(operations),
    ...exportRoutes(context, operations),
    ...agentAdminRoutes(context, (transaction) => operations.commit(transaction)),
    ...bucketAdminRoutes(buckets, access),
  ];
}

function health({ settings, clock }: Context): Record<string, unknown> {
  const { strict, interfaceOnly, edition, platform } = settings;
  const mode = strict ? "strict" : interfaceOnly ? "interface-only" : "tolerant";
  return { status: "ok", version: emulatorVersion, pid: process.pid, mode, edition, platform, now: clock.isoNow() };
}

function timeAndFaultRoutes({ clock, faults }: Context, operations: Operations): AdminRoute[] {
  return [
    { method: "GET", path: "/clock", handle: () => clock.read() },
    {
      method: "POST",
      path: "/clock",
      body: clockBody,
      handle: ({ body }: AdminRequest<ClockChange>) => operations.changeClock(body),
    },
    { method: "GET", path: "/faults", handle: () => ({ faults: faults.list() }) },
    {
      method: "POST",
      path: "/faults",
      body: faultBody,
      status: 201,
      handle: ({ body }: AdminRequest<Fault>) => operations.addFault(body),
    },
    { method: "DELETE", path: "/faults", handle: () => operations.removeFaults() },
    { method: "DELETE", path: "/faults/{id}", handle: ({ params }) => operations.removeFaults(Number(params.id)) },
  ];
}

function requestLogRoutes(path: string, context: Context, operations: Operations): AdminRoute[] {
  return [
    {
      method: "GET",
      path,
      query: requestLogQuery,
      handle({ query }: AdminRequest<unknown, RequestLogFilter>) {
        const entries = context.requestLog.entries(query);
        return { count: entries.length, entries };
      },
    },
    {
      method: "GET",
      path: `${path}/{id}`,
      query: requestLogEntryQuery,
      handle({ params: { id }, query }: AdminRequest<unknown, RequestLogEntryQuery>) {
        const entry = context.requestLog.find(Number(id), query.secrets === "shown");
        if (entry) return entry;
        throw new ApiError(404, `The request log has no entry ${id}`);
      },
    },
    { method: "DELETE", path, handle: () => operations.clearRequestLog() },
  ];
}

function deploymentLogRoutes(context: Context): AdminRoute[] {
  return [
    {
      method: "GET",
      path: "/logs",
      query: logsQuery,
      handle: ({ query }: AdminRequest<unknown, LogsQuery>) => readDeploymentLogs(context, query),
    },
  ];
}

function contentRoutes(context: Context, operations: Operations): AdminRoute[] {
  return [
    { method: "POST", path: "/reset", handle: async () => ({ status: "ok", ...(await operations.reset()) }) },
    {
      method: "POST",
      path: "/seed",
      body: seedBody,
      status: 201,
      handle: ({ body }: AdminRequest<Seed>) => operations.seed(body),
    },
    {
      method: "POST",
      path: "/runs",
      query: runsTarget.fields,
      body: "stream",
      status: 201,
      handle: ({ query, incoming }: AdminRequest<unknown, RunsTarget>) => loadRunsFromBody(context, query, incoming),
    },
    {
      method: "POST",
      path: "/pushes",
      body: pushBody,
      status: 201,
      handle: ({ body }: AdminRequest<Push>) => operations.push(body),
    },
    {
      method: "GET",
      path: "/projects",
      handle: () => ({ projects: context.store.all("SELECT * FROM projects ORDER BY start_time, name") }),
    },
  ];
}

function deploymentRoutes(operations: Operations): AdminRoute[] {
  const itemPath = "/deployments/{id}";
  const describe = ({ params: { id = "" }, origin }: AdminRequest) => operations.describeDeployment(id, origin);
  return [
    { method: "GET", path: itemPath, handle: describe },
    {
      method: "PATCH",
      path: itemPath,
      body: outOfBandUpdate,
      handle(request: AdminRequest<OutOfBandUpdate>) {
        operations.updateDeployment(request.params.id ?? "", request.body);
        return describe(request);
      },
    },
    { method: "DELETE", path: itemPath, handle: ({ params: { id = "" } }) => operations.deleteDeployment(id) },
    { method: "DELETE", path: "/listeners/{id}", handle: ({ params: { id = "" } }) => operations.deleteListener(id) },
  ];
}

function exportRoutes(context: Context, operations: Operations): AdminRoute[] {
  const itemPath = "/exports/{id}";
  return [
    { method: "GET", path: "/destinations", handle: () => ({ destinations: describeDestinations(context) }) },
    { method: "GET", path: "/exports", handle: () => ({ exports: describeExports(context) }) },
    { method: "GET", path: itemPath, handle: ({ params: { id = "" } }) => describeExport(context, id) },
    {
      method: "PATCH",
      path: itemPath,
      body: outOfBandExportUpdate,
      handle({ params: { id = "" }, body }: AdminRequest<OutOfBandExportUpdate>) {
        operations.updateExport(id, body);
        return describeExport(context, id);
      },
    },
  ];
}
