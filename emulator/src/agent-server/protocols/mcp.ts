import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { isObject } from "../../runtime/validation/validator";
import { emulatorVersion } from "../../runtime/version";
import { isOwned } from "../assistants/find";
import { type AssistantRecord, assistantsOf } from "../assistants/records";
import { findGraph } from "../graphs/of-deployment";
import type { Agent } from "../requests/auth";
import { waitForRun } from "../runs/streams/streams";
import { codes, failure, type Json, type Outcome, pythonText, rpcResponse, whenFinished } from "./json-rpc";

/** Of the Model Context Protocol, the newest first. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const PAGE = 100;

/**
 * POST /mcp: the Model Context Protocol over HTTP, in which each assistant is a tool. As on the server in Python, there
 * are no sessions, and responses are JSON.
 */
export function handleMcp(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const accept = request.header("accept") ?? "";
  const reject = (error: string): ApiResponse => ({ status: 400, body: { error } });
  if (!["application/json", "text/event-stream"].some((type) => accept.includes(type)))
    return reject("Accept header must include application/json or text/event-stream");
  if (!isObject(request.body)) return reject("Invalid message format.");
  const { jsonrpc, id = null, method, params } = request.body;
  if (jsonrpc !== "2.0") return reject("Invalid JSON-RPC message. Missing or invalid jsonrpc version.");
  if (id === null && !method) return reject("Invalid message format: expected a request, response or notification.");
  if (id === null || !method) return { status: 202 };
  const given = isObject(params) ? params : {};
  if (method === "tools/call") return callTool(context, agent, request, { id, params: given });
  return rpcResponse(id, perform(context, agent, String(method), given));
}

function perform(context: Context, agent: Agent, method: string, params: Json): Outcome {
  if (method === "ping") return { result: {} };
  if (method === "tools/list") return { result: listTools(context, agent, Number(params.cursor) || 0) };
  if (method !== "initialize") return failure(codes.methodNotFound, `Method not found: ${method}`);
  const protocolVersion = VERSIONS.find((version) => version === params.protocolVersion) ?? VERSIONS[0];
  const serverInfo = { name: "LangGraph", version: emulatorVersion };
  return { result: { protocolVersion, capabilities: { tools: { listChanged: false } }, serverInfo } };
}

/** Returns the assistants of a user whose graphs exist. */
function usableAssistants(context: Context, agent: Agent): AssistantRecord[] {
  const all = assistantsOf(context.store, agent.deployment.id);
  return all.filter((one) => isOwned(context, agent, one) && findGraph(context, agent, one.graph_id) !== undefined);
}

/** The name of an assistant, without the characters that names of tools cannot have. */
const toolName = ({ name }: AssistantRecord) =>
  name
    .trim()
    .replaceAll(/\s+/g, "_")
    .replaceAll(/[^\w.-]/g, "")
    .slice(0, 128);

function listTools(context: Context, agent: Agent, cursor: number) {
  const page = usableAssistants(context, agent).slice(cursor, cursor + PAGE);
  const byName = new Map(page.toReversed().map((assistant) => [toolName(assistant), assistant]));
  const tools = page
    .filter((assistant) => byName.get(toolName(assistant)) === assistant)
    .map((assistant) => toTool(context, agent, assistant));
  return { tools, ...(page.length === PAGE && { nextCursor: cursor + PAGE }) };
}

function toTool(context: Context, agent: Agent, assistant: AssistantRecord) {
  const { name: title, description, graph_id } = assistant;
  // Those of the user's own graphs are unknown.
  const { state = {} } = findGraph(context, agent, graph_id)?.schemas ?? {};
  return {
    name: toolName(assistant),
    title,
    description: description || `Tool based on the ${title} assistant`,
    inputSchema: { type: "object", ...state },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  };
}

/** Runs an assistant without a thread, and returns its final values as a text. */
function callTool(
  context: Context,
  agent: Agent,
  request: ApiRequest,
  { id, params }: { id: unknown; params: Json },
): ApiResponse {
  const { name, arguments: input = {}, context: values } = params;
  const [assistant, ...others] = usableAssistants(context, agent).filter((one) => toolName(one) === name);
  if (!assistant) return rpcResponse(id, failure(codes.invalidParams, `Unknown tool: ${name}`));
  if (others.length > 0)
    return rpcResponse(id, failure(codes.invalidParams, "Multiple tools found with the same name."));
  const body = { assistant_id: assistant.id, input, ...(isObject(values) && { context: values }), metadata: {} };
  const { deployment_id = "" } = request.params;
  const response = waitForRun(context, agent, { ...request, params: { deployment_id }, body });
  return whenFinished(response, toToolResult, id);
}

function toToolResult(value: Json): Outcome {
  const { __error__: error } = value;
  const text = isObject(error) ? String(error.error) : pythonText(value);
  return { result: { ...(isObject(error) && { isError: true }), content: [{ type: "text", text }] } };
}
