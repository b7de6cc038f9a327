import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { limits } from "../runtime/limits";
import { parseJson } from "../runtime/validation/json";
import { type Fields, object, type Schema } from "../runtime/validation/schema";
import { Checker } from "../runtime/validation/validator";
import { neutralVocabulary, Words } from "../runtime/validation/vocabulary";
import { jsonAnswer, queryOf, readBody, type WireAnswer } from "./http-messages";
import { assertLocalOrigin } from "./origin-check";
import type { Endpoint } from "./route";
import { Router } from "./router";

/** What the handler of an admin route knows of a request. */
export interface AdminCall<Body = unknown, Query = unknown> {
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** Where the client found the emulator, for the URLs in responses. */
  origin: string;
  incoming: IncomingMessage;
}

/**
 * One operation that steers the emulator, below `/_emulator`. It asks for no credentials and meets no fault; neither the
 * request log nor /openapi.json shows it. It speaks neutral words, and what it does it commits itself.
 */
export interface AdminRoute extends Endpoint {
  query?: Fields;
  /** The schema of the body; "stream" where the handler reads a body of any length. */
  body?: Schema | "stream";
  /** Default 200, or 204 where the handler returns nothing. */
  status?: number;
  handle: Handler;
}

// A method, so that a handler may ask for the narrower body and query that its schemas let through.
type Handler = { handle(call: AdminCall): unknown }["handle"];

const ADMIN_PATH = "/_emulator";

/** Performs requests of the admin side. */
export class AdminGateway {
  private router?: Router<AdminRoute>;

  constructor(
    private readonly context: Pick<Context, "settings">,
    private readonly routes: () => readonly AdminRoute[],
  ) {}

  /** Whether a request is meant for the admin side. */
  static serves({ pathname }: URL): boolean {
    return pathname === ADMIN_PATH || pathname.startsWith(`${ADMIN_PATH}/`);
  }

  async perform(incoming: IncomingMessage, url: URL): Promise<WireAnswer> {
    try {
      return await this.act(incoming, url);
    } catch (error) {
      // What is left is read and dropped: a client in the middle of sending would not see an early response.
      incoming.resume();
      await finished(incoming, { writable: false }).catch(() => {});
      throw error;
    }
  }

  private async act(incoming: IncomingMessage, url: URL): Promise<WireAnswer> {
    const { method = "GET", headers } = incoming;
    assertLocalOrigin(this.context.settings.host, headers.host, headers.origin);
    this.router ??= new Router(this.routes(), (path) => ADMIN_PATH + path);
    const { route, params } = this.router.require(method === "HEAD" ? "GET" : method, url.pathname);
    // Of a parameter that is given several times the last one counts.
    const query = Object.entries(queryOf(url)).map(([name, values]) => [name, values.at(-1)]);
    const response = await route.handle({
      params,
      incoming,
      origin: url.origin,
      query: checkAdmin(object("Query", route.query ?? {}), Object.fromEntries(query), "query"),
      body: route.body && route.body !== "stream" && checkAdmin(route.body, await readJson(incoming)),
    });
    if (response === undefined) return { status: 204, headers: {}, text: null };
    return jsonAnswer(route.status ?? 200, response);
  }
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const text = String(await readBody(incoming, Number.POSITIVE_INFINITY));
  try {
    return text === "" ? {} : parseJson(text, limits.body.maxLevels);
  } catch {
    throw new ApiError(422, "The body is no JSON, or nested too deeply");
  }
}

/** A value as the schema reads it, with its defaults. Throws 422 for whatever the schema does not know. */
export function checkAdmin<T>(schema: Schema, value: unknown, part: "body" | "query" = "body"): T {
  const options = { words: new Words(neutralVocabulary), refuseUnknown: true, ceilings: false, refuseReadOnly: false };
  const checker = new Checker(options, { [part]: value });
  const checked = checker.check(schema, value, [part]);
  if (checker.problems.length > 0) throw new ApiError(422, checker.problems);
  return checked as T;
}
