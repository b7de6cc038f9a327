import type { IncomingMessage } from "node:http";
import { authenticate } from "./auth";
import type { Context } from "./context";
import { ApiError } from "./errors";
import type { RequestFault } from "./faults";
import { limits } from "./limits";
import { openApi } from "./openapi";
import { type Answer, type Call, type Route, Router } from "./routes";
import { Checker } from "./validation/check";
import { findJsonError } from "./validation/json";
import { maskSecrets } from "./validation/mask";
import { uuid } from "./validation/schema";

/** A request as it came over the wire. */
export interface WireRequest {
  method: string;
  path: string;
  query: Record<string, string[]>;
  header(name: string): string | undefined;
  /** The whole body; 413 when it is too large. */
  text: string;
  origin: string;
}

/** What goes back over the wire: text, headers and all. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  text: string | null;
}

/** Performs requests of the service: route, credentials, validation, handler, journal, all in one transaction. */
export class Gateway {
  private readonly router: Router;

  constructor(
    private readonly context: Context,
    routes: readonly Route[],
  ) {
    this.router = new Router(routes, (path) => context.words.path(path));
  }

  /** One request, done and committed when this returns. */
  perform(request: WireRequest, fault: RequestFault | undefined): WireAnswer {
    const { store, jobs } = this.context;
    store.transaction(() => jobs.runDue());
    const remarks: Remarks = { notes: [], tenantId: null, body: null };
    try {
      return store.transaction(() => {
        const answer = this.act(request, remarks);
        const sent = fault?.status === undefined ? answer : faultAnswer(fault);
        this.write(request, remarks, sent.status, fault);
        jobs.runDue();
        return sent;
      });
    } catch (error) {
      const answer = errorAnswer(error);
      const sent = fault?.status === undefined ? answer : faultAnswer(fault);
      store.transaction(() => this.write(request, remarks, sent.status, fault));
      return sent;
    }
  }

  /** A request that a fault keeps from acting; `null`: the connection is closed instead of an answer. */
  refuse(request: WireRequest, fault: RequestFault): WireAnswer | null {
    const answer = fault.status === undefined ? null : faultAnswer(fault);
    const remarks: Remarks = { notes: [], tenantId: null, body: parseQuietly(request.text) };
    this.context.store.transaction(() => this.write(request, remarks, answer?.status ?? null, fault));
    return answer;
  }

  /** A body over the limit. */
  tooLarge(request: WireRequest): WireAnswer {
    const answer = json(413, { detail: "Request body too large" });
    const remarks: Remarks = { notes: [], tenantId: null, body: null };
    this.context.store.transaction(() => this.write(request, remarks, answer.status, undefined));
    return answer;
  }

  private act(request: WireRequest, remarks: Remarks): WireAnswer {
    if (request.method === "GET" && request.path === "/openapi.json")
      return json(200, openApi(this.context, this.router.routes));
    const found = this.router.find(request.method, request.path);
    if ("allow" in found) {
      if (found.allow.length === 0) throw new ApiError(404, "Not Found");
      throw new ApiError(405, "Method Not Allowed", { allow: found.allow.join(", ") });
    }
    remarks.body = parseQuietly(request.text);
    remarks.tenantId = authenticate(this.context, request.header);
    const { route } = found;
    const call = this.check(route, found.params, request, remarks);
    const answer: Answer = route.handle(this.context, call);
    if (answer.body === undefined) return { status: answer.status, headers: {}, text: null };
    const { schema } = route.success;
    return json(answer.status, schema ? this.context.words.answer(schema, answer.body) : answer.body);
  }

  /** Path, query and body, with all their problems in one answer. */
  private check(route: Route, params: Record<string, string>, request: WireRequest, remarks: Remarks): Call {
    const { settings, words } = this.context;
    const raw = route.body ? readBody(request, route.bodyOptional ?? false) : undefined;
    const query = Object.fromEntries(Object.entries(request.query).map(([name, values]) => [name, values.at(-1)]));
    const shown = { path: params, query, body: maskSecrets(raw) };
    const ceilings = settings.edition !== "self-hosted";
    const refuseUnknown = settings.strict || settings.interfaceOnly;
    const checker = new Checker({ words, ceilings, refuseUnknown }, shown);
    const refuseProblems = () => {
      if (checker.problems.length > 0) throw new ApiError(422, checker.problems);
    };

    const checkedParams: Record<string, string> = {};
    for (const [name, value] of Object.entries(params)) {
      checkedParams[name] = String(checker.check(uuid(), value, ["path", name]));
    }
    const queryChecker = settings.strict ? checker : new Checker({ words, ceilings, refuseUnknown: false }, shown);
    const checkedQuery = queryChecker.fields(route.query ?? {}, query, ["query"]);
    if (queryChecker !== checker) {
      checker.problems.push(...queryChecker.problems);
      checker.unknown.push(...queryChecker.unknown);
    }
    let body: unknown;
    if (route.body && raw === undefined) {
      if (!route.bodyOptional) checker.report("missing", ["body"], "Field required");
    } else if (route.body) body = checker.check(route.body, raw, ["body"]);
    remarks.notes.push(...checker.unknown.map((name) => `${name} is unknown and ignored`));
    refuseProblems();
    return {
      params: checkedParams,
      query: checkedQuery,
      body,
      tenantId: remarks.tenantId ?? "",
      origin: request.origin,
      problem: (loc, message) =>
        checker.report("value_error", ["body", ...words.loc(loc)], `Value error, ${message}`, { error: {} }),
      refuseProblems,
      note: (remark) => remarks.notes.push(remark),
    };
  }

  private write(request: WireRequest, remarks: Remarks, status: number | null, fault: RequestFault | undefined): void {
    const { method, path, query } = request;
    const { notes, tenantId, body } = remarks;
    const closed = fault?.connection !== undefined;
    this.context.journal.write(this.context.clock.now(), {
      ...{ method, path, query, notes, body },
      status: closed ? null : status,
      tenant_id: tenantId,
      fault: fault ? describe(fault) : null,
    });
  }
}

/** What the journal will say besides what is in the request. */
interface Remarks {
  notes: string[];
  tenantId: string | null;
  body: unknown;
}

/** The body as JSON; undefined when there is none. */
function readBody({ text, header }: WireRequest, optional: boolean): unknown {
  if (text === "") return undefined;
  const type = header("content-type");
  // FastAPI reads a body of another type as text, which then is no object.
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\b/i.test(type)) return optional ? undefined : masked;
  try {
    return JSON.parse(text);
  } catch {
    const { position, message } = findJsonError(text);
    const problem = {
      type: "json_invalid",
      loc: ["body", position],
      msg: "JSON decode error",
      input: {},
      ctx: { error: message },
    };
    throw new ApiError(422, [problem]);
  }
}

const masked = "**********";

function parseQuietly(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return `${Buffer.byteLength(text)} bytes that are no JSON`;
  }
}

function json(status: number, value: unknown): WireAnswer {
  return { status, headers: { "content-type": "application/json" }, text: JSON.stringify(value) };
}

function errorAnswer(error: unknown): WireAnswer {
  if (error instanceof ApiError) {
    const answer = json(error.status, { detail: error.detail });
    return { ...answer, headers: { ...answer.headers, ...error.headers } };
  }
  console.error(error);
  return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, text: "Internal Server Error" };
}

function faultAnswer({ status = 500, body, headers = {} }: RequestFault): WireAnswer {
  const type = typeof body === "string" ? "text/html" : "application/json";
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: { "content-type": type, ...own }, text };
}

function describe({ status, connection, delay_ms }: RequestFault): string {
  const parts = [
    connection,
    status === undefined ? undefined : `status ${status}`,
    delay_ms ? `delay ${delay_ms} ms` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** Reads a body up to the limit; undefined when it is larger. */
export async function readText(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size <= limits.body.maxBytes) chunks.push(chunk);
  }
  return size > limits.body.maxBytes ? undefined : Buffer.concat(chunks).toString();
}
