import type { IncomingMessage } from "node:http";
import { ApiError } from "../runtime/errors";
import { limits } from "../runtime/limits";
import { parseJson } from "../runtime/validation/json";
import { type Fields, object, type Schema } from "../runtime/validation/schema";
import { Validator } from "../runtime/validation/validator";
import { neutralTerms, Vocabulary } from "../runtime/validation/vocabulary";
import { jsonResponse, parseQuery, readBody } from "./http-messages";
import type { Endpoint, HttpResponse, Stream } from "./route";
import { Router } from "./router";

/** A validated request to an admin route. */
export interface AdminRequest<Body = unknown, Query = unknown> {
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** The origin that the client used, for URLs in responses. */
  origin: string;
  incoming: IncomingMessage;
}

/**
 * One operation below `/_emulator`. Admin routes require no credentials, are not affected by faults, and appear in
 * neither the request log nor /openapi.json. They use neutral terms and commit their own changes.
 */
export interface AdminRoute extends Endpoint {
  query?: Fields;
  /** The schema of the body; "stream" if the handler reads a body of any length. */
  body?: Schema | "stream";
  /** Default: 200, or 204 if the handler returns nothing. */
  status?: number;
  /** The content type of a handler that returns a stream. */
  streams?: string;
  handle: Handler;
}

// Method syntax allows a handler to declare the narrower body and query of its schemas.
type Handler = { handle(request: AdminRequest): unknown }["handle"];

const ADMIN_PATH = "/_emulator";

/** Handles requests to the admin API. */
export class AdminGateway {
  private router?: Router<AdminRoute>;

  constructor(private readonly routes: () => readonly AdminRoute[]) {}

  /** Returns whether a request addresses the admin API. */
  static matches({ pathname }: URL): boolean {
    return pathname === ADMIN_PATH || pathname.startsWith(`${ADMIN_PATH}/`);
  }

  async handleRequest(incoming: IncomingMessage, url: URL): Promise<HttpResponse> {
    const { method = "GET" } = incoming;
    this.router ??= new Router(this.routes(), (path) => ADMIN_PATH + path);
    const { route, params } = this.router.resolve(method === "HEAD" ? "GET" : method, url.pathname);
    // The last value of a repeated parameter counts.
    const query = Object.entries(parseQuery(url)).map(([name, values]) => [name, values.at(-1)]);
    const response = await route.handle({
      params,
      incoming,
      origin: url.origin,
      query: validateAdminInput(object("Query", route.query ?? {}), Object.fromEntries(query), "query"),
      body: route.body && route.body !== "stream" && validateAdminInput(route.body, await readJson(incoming)),
    });
    if (route.streams && method !== "HEAD") return streamResponse(route.streams, response as Stream);
    if (response === undefined) return { status: 204, headers: {}, text: null };
    return jsonResponse(route.status ?? 200, response);
  }
}

function streamResponse(type: string, stream: Stream): HttpResponse {
  return { status: 200, headers: { "content-type": type, "cache-control": "no-store" }, text: null, stream };
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const text = String(await readBody(incoming, Number.POSITIVE_INFINITY));
  try {
    return text === "" ? {} : parseJson(text, limits.body.maxDepth);
  } catch {
    throw new ApiError(422, "The body is not valid JSON, or is nested too deeply");
  }
}

/** Validates a value and applies defaults. @throws ApiError 422, also for unknown fields. */
export function validateAdminInput<T>(schema: Schema, value: unknown, part: "body" | "query" = "body"): T {
  const options = {
    vocabulary: new Vocabulary(neutralTerms),
    rejectUnknown: true,
    exactTypes: false,
    enforceCeilings: false,
    rejectReadOnly: false,
  };
  const validator = new Validator(options, { [part]: value });
  const validated = validator.validate(schema, value, [part]);
  if (validator.issues.length > 0) throw new ApiError(422, validator.issues);
  return validated as T;
}
