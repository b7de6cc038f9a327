import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { limits } from "../runtime/limits";
import { findJsonError, JsonDepthError, parseJson } from "../runtime/validation/json";
import { REDACTED, redactSecrets } from "../runtime/validation/redact";
import { uuid } from "../runtime/validation/schema";
import { Validator } from "../runtime/validation/validator";
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
  { settings, vocabulary }: Context,
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
  const enforceCeilings = settings.edition !== "self-hosted";
  const options = { vocabulary, rejectUnknown: settings.strict, enforceCeilings, rejectReadOnly: true };
  const checker = new Validator(options, { path: params, query, body: redactSecrets(raw) });
  const refuseProblems = () => {
    if (checker.issues.length > 0) throw new ApiError(422, checker.issues);
  };
  const ids = Object.entries(params).map(([name, value]) => [name, checker.validate(uuid(), value, ["path", name])]);
  const checkedQuery = checker.validateFields(route.query ?? {}, query, ["query"]);
  const body = route.body && checkBody(checker, route, raw);
  remarks.notes.push(...checker.unknownFields.map((name) => `${name} is unknown and ignored`));
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
      checker.addIssue("value_error", ["body", ...vocabulary.location(loc)], `Value error, ${message}`, { error: {} });
    },
    refuseProblems,
    note: (remark) => remarks.notes.push(remark),
  };
}

function checkBody(checker: Validator, { body, bodyOptional }: Route, raw: unknown): unknown {
  // An omitted body has the defaults of an empty one.
  const given = raw === undefined && bodyOptional ? {} : raw;
  if (given !== undefined && body) return checker.validate(body, given, ["body"]);
  return checker.addIssue("missing", ["body"], "Field required");
}

/** Parses the body as JSON. Returns undefined without a body. */
function readJson({ body, header }: WireRequest): unknown {
  if (body.length === 0) return undefined;
  const type = header("content-type");
  // FastAPI treats a body of another content type as a string, which is not an object.
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\b/i.test(type)) return REDACTED;
  const text = body.toString();
  try {
    return parseJson(text, limits.body.maxDepth);
  } catch (error) {
    // Python cannot parse it either, and FastAPI has no more specific message.
    if (error instanceof JsonDepthError) throw new ApiError(400, "There was an error parsing the body");
    const { position, message } = findJsonError(text);
    const problem = { type: "json_invalid", loc: ["body", position], msg: "JSON decode error", input: {} };
    throw new ApiError(422, [{ ...problem, ctx: { error: message } }]);
  }
}
