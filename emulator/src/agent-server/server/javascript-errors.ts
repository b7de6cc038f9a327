import { jsonResponse, textResponse } from "../../http/http-messages";
import type { HttpResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import type { ApiError } from "../../runtime/errors";

/**
 * Formats an error as the agent server in JavaScript does: 400 with a list of issues for what is invalid, and plain
 * text for everything else. An unsupported method is an unknown path.
 */
export function formatAgentError({ settings }: Context, { status, detail }: ApiError): HttpResponse | undefined {
  if (settings.agentServer === "python") return undefined;
  if (status === 405) return textResponse(404, "404 Not Found");
  if (typeof detail === "string") return textResponse(status, detail);
  if (detail.some(({ type }) => type === "json_invalid")) return textResponse(400, "Malformed JSON in request body");
  const issues = detail.map(({ type, loc, msg }) => ({ code: type, path: loc.slice(1), message: msg }));
  return jsonResponse(400, { success: false, error: { issues, name: "ZodError" } });
}
