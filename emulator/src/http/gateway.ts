import type { Context } from "../runtime/context";
import { ApiError, PartialError, withTextDetail } from "../runtime/errors";
import type { RequestFault } from "../runtime/faults";
import { limits } from "../runtime/limits";
import { parseJson } from "../runtime/validation/json";
import { authenticate } from "./auth";
import { errorResponse, faultResponse, type HttpRequest, jsonResponse } from "./http-messages";
import { describeRoutes } from "./openapi";
import type { ApiRequest, HttpResponse, Route } from "./route";
import { Router, withoutSlash } from "./router";
import { type LogDetails, validateRequest } from "./validate-request";

/** `/bulk-exports/runs` is not an export ID, even where that route is disabled. */
const reservedPathValues = ["destinations", "runs"];

/**
 * Returns the pattern of a path where published clients send it that know only the address of an installation: the
 * control plane below `/api-host`, projects and workspaces at the address itself or below `/api`. None asks for exports
 * there.
 */
function addAliases(path: string): string {
  return path
    .replace(/^\/api\/v1(?!\/bulk-exports)/, "(?:/api(?:/v1)?)?")
    .replace(/^\/(?=v\d\/|deployments\/)/, "(?:/api-host)?/");
}

/**
 * Handles requests to the platform in one transaction: routing, authentication, validation, handler and request log.
 */
export class Gateway {
  private readonly router: Router<Route>;
  /** The response of `/openapi.json`, which is constant while the emulator runs. */
  private description?: HttpResponse;

  constructor(
    private readonly context: Context,
    routes: readonly Route[],
  ) {
    const { vocabulary, settings } = context;
    const withAliases = settings.strict || settings.interfaceOnly ? (path: string) => path : addAliases;
    this.router = new Router(routes, (path) => withAliases(vocabulary.routePath(path)), reservedPathValues);
  }

  /** Returns the largest body that a request to this route may have. */
  maxBodyBytes(method: string, path: string): number {
    const match = this.router.find(method, path);
    if (!("route" in match)) return limits.body.maxBytes;
    return match.route.rawBody?.maxBytes ?? match.route.maxBodyBytes ?? limits.body.maxBytes;
  }

  /** Executes and commits one request. Returns the response, which a fault may replace. */
  handleRequest(request: HttpRequest, fault?: RequestFault): HttpResponse | Promise<HttpResponse> {
    const { store, scheduler, backgroundTasks } = this.context;
    store.transaction(() => scheduler.runDue());
    const logDetails = logDetailsOf(request, fault);
    if (this.routeOf(request)?.prepare) {
      return backgroundTasks.track((signal) => this.handlePrepared(request, logDetails, signal, fault));
    }
    return this.commit(request, logDetails, fault, () => this.execute(request, logDetails));
  }

  /** Does the same for a route that asynchronously prepares its handler. */
  private async handlePrepared(
    request: HttpRequest,
    logDetails: LogDetails,
    signal: AbortSignal,
    fault?: RequestFault,
  ): Promise<HttpResponse> {
    const execute = await this.prepare(request, logDetails, signal).catch((error) => () => {
      throw signal.aborted ? new ApiError(503, "The emulator is being stopped or reset") : error;
    });
    return this.commit(request, logDetails, fault, execute);
  }

  private async prepare(
    request: HttpRequest,
    logDetails: LogDetails,
    signal: AbortSignal,
  ): Promise<() => HttpResponse> {
    const { route, apiRequest } = this.authorize(request, logDetails);
    const prepared = await route.prepare?.(this.context, apiRequest, signal);
    return () => this.callHandler(route, { ...apiRequest, prepared }, logDetails);
  }

  private commit(
    request: HttpRequest,
    logDetails: LogDetails,
    fault: RequestFault | undefined,
    execute: () => HttpResponse,
  ): HttpResponse {
    const { store, scheduler } = this.context;
    try {
      return store.transaction(() => {
        const response = this.attempt(request, execute);
        // With --speed instant, jobs that this request scheduled are due as well.
        scheduler.runDue();
        return this.finish(request, logDetails, response, fault);
      });
    } catch (error) {
      const response = this.formatError(request, error);
      return store.transaction(() => this.finish(request, logDetails, response, fault));
    }
  }

  /**
   * Executes a request; one that fails after it was applied in part is a response, so that its changes are committed.
   */
  private attempt(request: HttpRequest, execute: () => HttpResponse): HttpResponse {
    try {
      return execute();
    } catch (error) {
      if (error instanceof PartialError) return this.formatError(request, error);
      throw error;
    }
  }

  /** Responds to a request without executing it, because of a fault or because its body is too large. */
  reject(request: HttpRequest, fault?: RequestFault): HttpResponse {
    const response = errorResponse(new ApiError(413, "Request body too large"));
    return this.context.store.transaction(() => this.finish(request, logDetailsOf(request, fault), response, fault));
  }

  private execute(request: HttpRequest, logDetails: LogDetails): HttpResponse {
    if (request.method === "GET" && request.path === "/openapi.json") {
      this.description ??= jsonResponse(200, describeRoutes(this.router.routes, this.context));
      return this.description;
    }
    const location = this.locationWithoutSlash(request);
    if (location !== undefined) return { status: 307, headers: { location }, text: null };
    const { route, apiRequest } = this.authorize(request, logDetails);
    return this.callHandler(route, apiRequest, logDetails);
  }

  /** Returns where a request for a path with a slash at its end is redirected to, by a server that does so. */
  private locationWithoutSlash({ method, path, origin, query }: HttpRequest): string | undefined {
    const match = withoutSlash(this.router, method, path);
    if (!match?.route.redirectsSlash?.(this.context.settings)) return undefined;
    const search = new URLSearchParams();
    for (const [name, values] of Object.entries(query)) for (const value of values) search.append(name, value);
    return origin + match.path + (search.size === 0 ? "" : `?${search}`);
  }

  /** Routes, authenticates and validates a request. */
  private authorize(request: HttpRequest, logDetails: LogDetails): { route: Route; apiRequest: ApiRequest } {
    const { route, params } = this.router.resolve(request.method, request.path);
    logDetails.operation = route.summary;
    logDetails.resources = Object.values(params);
    if (!route.isPublic) logDetails.tenantId = authenticate(this.context, request.header, route.requiresBothHeaders);
    route.assertAvailable?.(this.context.settings);
    route.authorize?.(this.context, params, request.header);
    return { route, apiRequest: validateRequest(this.context, { route, params }, request, logDetails) };
  }

  private callHandler(route: Route, request: ApiRequest, logDetails: LogDetails): HttpResponse {
    const { status, body, headers = {}, stream } = route.handle(this.context, request);
    if (route.method === "POST" || route.method === "PATCH") logDetails.resources.push(...idsOf(body));
    if (body === undefined) return { status, headers, text: null, stream };
    const { schema } = route.success;
    const response = jsonResponse(status, schema ? this.context.vocabulary.toWire(schema, body) : body);
    return { ...response, headers: { ...response.headers, ...headers } };
  }

  private routeOf({ method, path }: HttpRequest): Route | undefined {
    const match = this.router.find(method, path);
    return "route" in match ? match.route : undefined;
  }

  /** Formats an error as the server of the path does, even for a method that the path does not have. */
  private formatError({ method, path }: HttpRequest, error: unknown): HttpResponse {
    const match = this.router.find(method, path);
    const route = "route" in match ? match.route : match.others[0];
    const formatted = error instanceof ApiError ? route?.formatError?.(this.context, error) : undefined;
    return formatted ?? errorResponse(route?.hasTextErrors ? withTextDetail(error) : error);
  }

  /**
   * Writes the request log and returns the response that is really sent, with the ID of its entry (API `2.request-id`).
   */
  private finish(
    request: HttpRequest,
    logDetails: LogDetails,
    response: HttpResponse,
    fault?: RequestFault,
  ): HttpResponse {
    const { method, path, query } = request;
    const { tenantId: tenant_id, ...details } = logDetails;
    const actualResponse = (fault && faultResponse(fault)) ?? response;
    const isClosed = fault?.connection !== undefined;
    const status = isClosed ? null : actualResponse.status;
    const duration_ms = Math.round((performance.now() - request.receivedAt) * 10) / 10;
    const client = request.header("user-agent") ?? null;
    const entry = { method, path, query, status, tenant_id, client, duration_ms, ...details };
    const sent = { request: request.body, response: isClosed ? null : actualResponse.text };
    const id = this.context.requestLog.append(this.context.clock.now(), entry, sent);
    return { ...actualResponse, headers: { "x-request-id": String(id), ...actualResponse.headers } };
  }
}

function logDetailsOf({ body }: HttpRequest, fault: RequestFault | undefined): LogDetails {
  const described = fault ? describeFault(fault) : null;
  return { notes: [], tenantId: null, body: bodyForLog(body), fault: described, operation: null, resources: [] };
}

/**
 * Returns the ID of a created resource, as most responses name it or as those of agent servers do, and of its revision.
 */
function idsOf(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  const ids = ["id", "thread_id", "assistant_id", "cron_id", "latest_revision_id"].map((name) =>
    Reflect.get(body, name),
  );
  return ids.filter((id) => typeof id === "string");
}

/** Returns the body as the request log shows it. */
function bodyForLog(body: Buffer): unknown {
  if (body.length === 0) return null;
  if (body.length > limits.requestLog.maxBodyBytes) return `${body.length} bytes`;
  try {
    return parseJson(body.toString(), limits.body.maxDepth);
  } catch {
    return `${body.length} bytes of invalid JSON`;
  }
}

/** Describes a fault for the request log. */
export function describeFault({ status, connection, delay_ms }: RequestFault): string {
  const parts = [connection, status && `status ${status}`, delay_ms && `delay ${delay_ms} ms`];
  return parts.filter(Boolean).join(", ");
}
