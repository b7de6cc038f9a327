import type { Context } from "../runtime/context";
import { ApiError, withTextDetail } from "../runtime/errors";
import type { RequestFault } from "../runtime/faults";
import { limits } from "../runtime/limits";
import { parseJson } from "../runtime/validation/json";
import { authenticate } from "./auth";
import { errorAnswer, faultAnswer, jsonAnswer, type WireAnswer, type WireRequest } from "./http-messages";
import { describeRoutes } from "./openapi";
import type { Call, Route } from "./route";
import { Router } from "./router";
import { checkRequest, type Remarks } from "./validate-request";

/** `/bulk-exports/runs` is not an export ID, even where that route is disabled. */
const reservedWords = ["destinations", "runs"];

/**
 * Handles requests to the platform in one transaction: routing, authentication, validation, handler and request log.
 */
export class Gateway {
  private readonly router: Router<Route>;
  /** The response of `/openapi.json`, which is constant while the emulator runs. */
  private description?: WireAnswer;

  constructor(
    private readonly context: Context,
    routes: readonly Route[],
  ) {
    this.router = new Router(routes, (path) => context.vocabulary.routePath(path), reservedWords);
  }

  /** Returns the largest body that a request to this route may have. */
  maxBytes(method: string, path: string): number {
    const found = this.router.find(method, path);
    return ("route" in found && found.route.raw?.maxBytes) || limits.body.maxBytes;
  }

  /** Executes and commits one request. Returns the response, which a fault may replace. */
  perform(request: WireRequest, fault?: RequestFault): WireAnswer | Promise<WireAnswer> {
    const { store, scheduler, backgroundTasks } = this.context;
    store.transaction(() => scheduler.runDue());
    const remarks = remarksOf(request, fault);
    if (this.routeOf(request)?.prepare) {
      return backgroundTasks.track((signal) => this.performPrepared(request, remarks, signal, fault));
    }
    return this.commit(request, remarks, fault, () => this.act(request, remarks));
  }

  /** Does the same for a route that asynchronously prepares its handler. */
  private async performPrepared(
    request: WireRequest,
    remarks: Remarks,
    signal: AbortSignal,
    fault?: RequestFault,
  ): Promise<WireAnswer> {
    const act = await this.prepare(request, remarks, signal).catch((error) => () => {
      throw signal.aborted ? new ApiError(503, "The emulator is being stopped or reset") : error;
    });
    return this.commit(request, remarks, fault, act);
  }

  private async prepare(request: WireRequest, remarks: Remarks, signal: AbortSignal): Promise<() => WireAnswer> {
    const { route, call } = this.admit(request, remarks);
    const prepared = await route.prepare?.(this.context, call, signal);
    return () => this.handle(route, { ...call, prepared });
  }

  private commit(
    request: WireRequest,
    remarks: Remarks,
    fault: RequestFault | undefined,
    act: () => WireAnswer,
  ): WireAnswer {
    const { store, scheduler } = this.context;
    try {
      return store.transaction(() => {
        const answer = act();
        // With --speed instant, jobs that this request scheduled are due as well.
        scheduler.runDue();
        return this.settle(request, remarks, answer, fault);
      });
    } catch (error) {
      const shown = this.routeOf(request)?.textErrors ? withTextDetail(error) : error;
      return store.transaction(() => this.settle(request, remarks, errorAnswer(shown), fault));
    }
  }

  /** Responds to a request without executing it, because of a fault or because its body is too large. */
  turnAway(request: WireRequest, fault?: RequestFault): WireAnswer {
    const answer = errorAnswer(new ApiError(413, "Request body too large"));
    return this.context.store.transaction(() => this.settle(request, remarksOf(request, fault), answer, fault));
  }

  private act(request: WireRequest, remarks: Remarks): WireAnswer {
    if (request.method === "GET" && request.path === "/openapi.json") {
      this.description ??= jsonAnswer(200, describeRoutes(this.router.routes, this.context));
      return this.description;
    }
    const { route, call } = this.admit(request, remarks);
    return this.handle(route, call);
  }

  /** Routes, authenticates and validates a request. */
  private admit(request: WireRequest, remarks: Remarks): { route: Route; call: Call } {
    const { route, params } = this.router.require(request.method, request.path);
    if (!route.open) remarks.tenantId = authenticate(this.context, request.header, route.bothHeaders);
    route.guard?.(this.context.settings);
    route.gate?.(this.context, params, request.header);
    return { route, call: checkRequest(this.context, route, params, request, remarks) };
  }

  private handle(route: Route, call: Call): WireAnswer {
    const { status, body, headers = {}, stream } = route.handle(this.context, call);
    if (body === undefined) return { status, headers, text: null, stream };
    const { schema } = route.success;
    const answer = jsonAnswer(status, schema ? this.context.vocabulary.toWire(schema, body) : body);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }

  private routeOf({ method, path }: WireRequest): Route | undefined {
    const found = this.router.find(method, path);
    return "route" in found ? found.route : undefined;
  }

  /** Writes the request log and returns the response that is really sent. */
  private settle(request: WireRequest, remarks: Remarks, answer: WireAnswer, fault?: RequestFault): WireAnswer {
    const { method, path, query } = request;
    const { notes, tenantId, body } = remarks;
    const sent = (fault && faultAnswer(fault)) ?? answer;
    const status = fault?.connection === undefined ? sent.status : null;
    const entry = { method, path, query, status, tenant_id: tenantId, body, notes, fault: remarks.fault };
    this.context.requestLog.append(this.context.clock.now(), entry);
    return sent;
  }
}

function remarksOf({ body }: WireRequest, fault: RequestFault | undefined): Remarks {
  return { notes: [], tenantId: null, body: showBody(body), fault: fault ? describe(fault) : null };
}

/** Returns the body as the request log shows it. */
function showBody(body: Buffer): unknown {
  if (body.length === 0) return null;
  if (body.length > limits.requestLog.maxBodyBytes) return `${body.length} bytes`;
  try {
    return parseJson(body.toString(), limits.body.maxDepth);
  } catch {
    return `${body.length} bytes of invalid JSON`;
  }
}

function describe({ status, connection, delay_ms }: RequestFault): string {
  const parts = [connection, status && `status ${status}`, delay_ms && `delay ${delay_ms} ms`];
  return parts.filter(Boolean).join(", ");
}
