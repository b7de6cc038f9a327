/** Random requests to a route: with existing and hostile IDs, parameters, headers and bodies. */
import { request as sendWithNode } from "node:http";
import fc from "fast-check";
import type { Fields, Schema } from "../../../src/runtime/validation/schema";
import { arbitraryOf, validOf } from "./from-schema";
import { EXTREME_NUMBERS, hostileParameter, hostileSegment, hostileValue, toJson } from "./values";

/** What a route of the platform and one of the admin API have in common. */
export interface FuzzedRoute {
  method: string;
  path: string;
  query?: Fields;
  body?: Schema | "stream";
  /** Declared statuses of errors. */
  errors?: readonly number[];
}

/** Of a 2 MB body, a failure shows only the length. */
const shortened = (body: Buffer) =>
  Object.assign(body, { [fc.toStringMethod]: () => `${body.length} bytes: ${body.toString("latin1", 0, 300)}` });

export interface RandomRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
const HEADERS = {
  "content-type": ["text/plain", "application/xml", "application/json; charset=utf-16", "multipart/form-data", ""],
  "content-encoding": ["gzip", "br"],
  authorization: ["Bearer x", "Bearer ", "Basic eDp4", "\u00ff"],
  "x-api-key": ["", " ", "\u00ff", "x".repeat(5000)],
  "x-tenant-id": ["", "x", "\u00ff", "../..", "00000000-0000-0000-0000-000000000000"],
  accept: ["text/event-stream", "*/*;q=x"],
  ...{ range: ["bytes=5-1"], "if-match": ['"x"'], "last-event-id": ["-1", "x"], expect: ["100-continue"] },
} as const;

const hostileHeaders = fc.record(
  Object.fromEntries(Object.entries(HEADERS).map(([name, values]) => [name, fc.constantFrom(...values)])),
  { requiredKeys: [], noNullPrototype: true },
);
const hostileBody = fc.oneof(
  hostileValue.map((value) => Buffer.from(toJson(value))),
  fc
    .constantFrom('{"a":1', '{"a":1}}', "{'a':1}", "NaN", '{"a":1,"a":2}', "\ufeff{}", "")
    .map((text) => Buffer.from(text)),
  fc.constantFrom(
    Buffer.from([0xff, 0xfe, 0x7b]),
    Buffer.from('{"a":"\xc3\x28"}', "latin1"),
    Buffer.alloc(2_000_000, "["),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** @param idsOf Returns existing values of a path parameter. @param ids All existing IDs. */
export function requestsTo(
  { method, path, query = {}, body }: FuzzedRoute,
  idsOf: (name: string) => readonly string[],
  ids: readonly string[],
  credentials: Record<string, string>,
): fc.Arbitrary<RandomRequest> {
  const segments = path.split("/").map((segment) => segmentOf(segment, idsOf));
  const json =
    body && body !== "stream" ? arbitraryOf(body, ids).map((value) => Buffer.from(toJson(value))) : hostileBody;
  return fc.record({
    method: mostly(fc.constant(method), fc.constantFrom(...METHODS)),
    path: fc
      .tuple(fc.tuple(...segments), queryOf(query, ids))
      .map(([parts, search]) => parts.join("/") + (search === "" ? "" : `?${search}`)),
    headers: mostly(fc.constant({}), hostileHeaders).map((hostile) => ({
      ...{ "content-type": "application/json", ...credentials, ...hostile },
    })),
    body: mostly(method === "GET" ? fc.constant(undefined) : json, hostileBody).map(
      (bytes) => bytes && shortened(bytes),
    ),
  });
}

/**
 * Returns requests that are valid but for one number, which is extreme: one for each number of the query and the body.
 */
export function extremeRequestsTo(
  route: FuzzedRoute,
  idOf: (name: string) => string,
  credentials: Record<string, string>,
): RandomRequest[] {
  const { method, query = {}, body } = route;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => idOf(name));
  const headers = { "content-type": "application/json", ...credentials };
  const required = Object.keys(query).filter((name) => query[name]?.required);
  const parameters = Object.keys(query).filter((name) => isNumber(query[name]));
  const inQuery = parameters.flatMap((parameter) =>
    EXTREME_NUMBERS.map((number) => {
      const search = [...required.map((name) => `${name}=${idOf(name)}`), `${parameter}=${toJson(number)}`];
      return { method, path: `${path}?${search.join("&")}`, headers, body: undefined };
    }),
  );
  const bodies = body && body !== "stream" ? extremeBodies(body, idOf) : [];
  const inBody = bodies.map((value) => ({ method, path, headers, body: Buffer.from(toJson(value)) }));
  return [...inQuery, ...inBody];
}

const isNumber = (schema?: Schema) => schema?.type === "integer" || schema?.type === "number";

/** Returns values with the required fields and one extreme number. */
function extremeBodies(schema: Schema, idOf: (name: string) => string): unknown[] {
  if (isNumber(schema)) return [...EXTREME_NUMBERS];
  if (schema.type === "list") return extremeBodies(schema.items, idOf).map((value) => [value]);
  if (schema.type !== "object") return [];
  const ids = [idOf("id")];
  const required = Object.entries(schema.fields).filter(([, field]) => field.required);
  const base = Object.fromEntries(
    required.map(([name, field]) => [name, fc.sample(validOf(field, ids), { numRuns: 1, seed: 1 })[0]]),
  );
  return Object.entries(schema.fields).flatMap(([name, field]) =>
    extremeBodies(field, idOf).map((value) => ({ ...base, [name]: value })),
  );
}

function segmentOf(segment: string, idsOf: (name: string) => readonly string[]): fc.Arbitrary<string> {
  const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
  return name === undefined ? fc.constant(segment) : mostly(fc.constantFrom(...idsOf(name)), hostileSegment);
}

function queryOf(fields: Fields, ids: readonly string[]): fc.Arbitrary<string> {
  const value = (field: Schema) =>
    mostly(
      arbitraryOf(field, ids).map((one) =>
        encodeURIComponent(typeof one === "string" ? one.toWellFormed() : toJson(one)),
      ),
      hostileParameter,
    );
  const declared = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, value(field)]));
  const required = Object.keys(fields).filter((name) => fields[name]?.required);
  return fc
    .tuple(
      fc.record(declared, { requiredKeys: required as never[], noNullPrototype: true }),
      mostly(fc.constant(""), hostileParameter),
    )
    .map(([parameters, other]) =>
      [...Object.entries(parameters).map(([name, text]) => `${name}=${text}`), other && `other=${other}`]
        .filter(Boolean)
        .join("&")
        .slice(0, 10_000),
    );
}

const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: other });

const MAX_RESPONSE_MS = 20_000;

/** Whether only the client ends the response: the events of a thread, and those of a run that starts later. */
const isEndless = ({ path, body }: RandomRequest) =>
  /\/threads\/[^/?]+\/stream/.test(path) || body?.includes("after_seconds") === true;

/** Sends a request as it is. @returns The status, when the response has ended. */
export function send(origin: string, request: RandomRequest): Promise<number> {
  const { method, path, headers, body } = request;
  const { hostname, port } = new URL(origin);
  // Node.js would send the body of a GET or DELETE without its length.
  const framed = body === undefined ? headers : { ...headers, "content-length": String(body.length) };
  return new Promise((resolve, reject) => {
    const sent = sendWithNode({ hostname, port, method, path, headers: framed, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      response.on("error", reject).on("end", () => resolve(statusCode));
      response.resume();
      if (!isEndless(request)) return;
      resolve(statusCode);
      sent.destroy();
    });
    sent.setTimeout(MAX_RESPONSE_MS, () => sent.destroy(new Error(`no response after ${MAX_RESPONSE_MS} ms`)));
    sent.on("error", reject).end(body);
  });
}
