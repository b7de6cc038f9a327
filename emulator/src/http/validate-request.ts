import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { limits } from "../runtime/limits";
import { findJsonError, parseJson, TooDeep } from "../runtime/validation/json";
import { masked, maskSecrets } from "../runtime/validation/redact";
import { uuid } from "../runtime/validation/schema";
import { Checker } from "../runtime/validation/validator";
import type { WireRequest } from "./http-messages";
import type { Call, Route } from "./route";

/** What the request log records besides the request itself. */
export interface Remarks {
  notes: string[];
  tenantId: string | null;
  body: unknown;
  fault: string | null;
}

/** Validates path, query and body. @throws ApiError 422 with all errors. */
export function checkRequest(
  { settings, words }: Context,
  route: Route,
  params: Record<string, string>,
  request: WireRequest,
  remarks: Remarks,
): Call {
  const raw = route.body ? readJson(request) : undefined;
  const query = Object.fromEntries(
    // The last value of a repeated parameter counts, except for lists.
    Object.entries(request.query).map(([name, values]) => [
      name,
      route.query?.[name]?.type === "list" ? values : values.at(-1),
    ]),
  );
  const ceilings = settings.edition !== "self-hosted";
  const options = { words, refuseUnknown: settings.strict, ceilings, refuseReadOnly: true };
  const checker = new Checker(options, { path: params, query, body: maskSecrets(raw) });
  const refuseProblems = () => {
    if (checker.problems.length > 0) throw new ApiError(422, checker.problems);
  };
  const ids = Object.entries(params).map(([name, value]) => [name, checker.check(uuid(), value, ["path", name])]);
  const checkedQuery = checker.fields(route.query ?? {}, query, ["query"]);
  const body = route.body && checkBody(checker, route, raw);
  remarks.notes.push(...checker.unknown.map((name) => `${name} is unknown and ignored`));
  refuseProblems();
  return {
    params: Object.fromEntries(ids),
    query: checkedQuery,
    body,
    bytes: request.body,
    header: request.header,
    tenantId: remarks.tenantId ?? "",
    prepared: undefined,
    origin: request.origin,
    problem(loc, message) {
      checker.report("value_error", ["body", ...words.loc(loc)], `Value error, ${message}`, { error: {} });
    },
    refuseProblems,
    note: (remark) => remarks.notes.push(remark),
  };
}

function checkBody(checker: Checker, { body, bodyOptional }: Route, raw: unknown): unknown {
  // An omitted body has the defaults of an empty one.
  const given = raw === undefined && bodyOptional ? {} : raw;
  if (given !== undefined && body) return checker.check(body, given, ["body"]);
  return checker.report("missing", ["body"], "Field required");
}

/** Parses the body as JSON. Returns undefined without a body. */
function readJson({ body, header }: WireRequest): unknown {
  if (body.length === 0) return undefined;
  const type = header("content-type");
  // FastAPI treats a body of another content type as a string, which is not an object.
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\b/i.test(type)) return masked;
  const text = body.toString();
  try {
    return parseJson(text, limits.body.maxLevels);
  } catch (error) {
    // Python cannot parse it either, and FastAPI has no more specific message.
    if (error instanceof TooDeep) throw new ApiError(400, "There was an error parsing the body");
    const { position, message } = findJsonError(text);
    const problem = { type: "json_invalid", loc: ["body", position], msg: "JSON decode error", input: {} };
    throw new ApiError(422, [{ ...problem, ctx: { error: message } }]);
  }
}
