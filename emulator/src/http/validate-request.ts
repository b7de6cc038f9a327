import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { limits } from "../runtime/limits";
import { findJsonError, JsonDepthError, parseJson } from "../runtime/validation/json";
import { REDACTED, redactSecrets } from "../runtime/validation/redact";
import { string, uuid } from "../runtime/validation/schema";
import { Validator } from "../runtime/validation/validator";
import type { HttpRequest } from "./http-messages";
import type { ApiRequest, Route } from "./route";

/** What the request log records besides the request itself. */
export interface LogDetails {
  notes: string[];
  tenantId: string | null;
  body: unknown;
  fault: string | null;
  operation: string | null;
  resources: string[];
}

/** Validates path, query and body. @throws ApiError 422 with all errors. */
export function validateRequest(
  { settings, vocabulary }: Context,
  { route, params }: { route: Route; params: Record<string, string> },
  request: HttpRequest,
  logDetails: LogDetails,
): ApiRequest {
  const raw = route.body ? readJson(request, route.ignoresContentType?.(settings) ?? false) : undefined;
  const query = Object.fromEntries(
    // The last value of a repeated parameter counts, except for lists.
    Object.entries(request.query).map(([name, values]) => [
      name,
      route.query?.[name]?.type === "list" ? values : values.at(-1),
    ]),
  );
  const enforceCeilings = settings.edition !== "self-hosted";
  const options = {
    vocabulary,
    rejectUnknown: settings.strict,
    exactTypes: settings.strict || route.hasExactTypes === true,
    enforceCeilings,
    rejectReadOnly: true,
  };
  const validator = new Validator(options, { path: params, query, body: redactSecrets(raw) });
  const throwIfIssues = () => {
    if (validator.issues.length > 0) throw new ApiError(422, validator.issues);
  };
  const ids = Object.entries(params).map(([name, value]) => {
    const schema = route.textParams?.includes(name) ? string() : uuid();
    return [name, validator.validate(schema, value, ["path", name])];
  });
  const validatedQuery = validator.validateFields(route.query ?? {}, query, ["query"]);
  const body = route.body && validateBody(validator, route, raw);
  logDetails.notes.push(...validator.unknownFields.map((name) => `${name} is unknown and ignored`));
  throwIfIssues();
  return {
    params: Object.fromEntries(ids),
    query: validatedQuery,
    body,
    bytes: request.body,
    header: request.header,
    tenantId: logDetails.tenantId ?? "",
    prepared: undefined,
    origin: request.origin,
    addIssue(loc, message) {
      validator.addIssue("value_error", ["body", ...vocabulary.location(loc)], `Value error, ${message}`, {
        error: {},
      });
    },
    throwIfIssues,
    addNote: (text) => logDetails.notes.push(text),
  };
}

function validateBody(validator: Validator, { body, bodyOptional }: Route, raw: unknown): unknown {
  // An omitted body has the defaults of an empty one.
  const value = raw === undefined && bodyOptional ? {} : raw;
  if (value !== undefined && body) return validator.validate(body, value, ["body"]);
  return validator.addIssue("missing", ["body"], "Field required");
}

/** Parses the body as JSON. Returns undefined without a body. */
function readJson({ body, header }: HttpRequest, ignoresType: boolean): unknown {
  if (body.length === 0) return undefined;
  const type = ignoresType ? undefined : header("content-type");
  // FastAPI treats a body of another content type as a string, which is not an object.
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\b/i.test(type)) return REDACTED;
  const text = body.toString();
  try {
    return parseJson(text, limits.body.maxDepth);
  } catch (error) {
    // Python cannot parse it either, and FastAPI has no more specific message.
    if (error instanceof JsonDepthError) throw new ApiError(400, "There was an error parsing the body");
    const { position, message } = findJsonError(text);
    const issue = { type: "json_invalid", loc: ["body", position], msg: "JSON decode error", input: {} };
    throw new ApiError(422, [{ ...issue, ctx: { error: message } }]);
  }
}
