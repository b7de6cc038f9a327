import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { type Agent, ownerMetadata } from "../requests/auth";
import { cancelRun } from "../runs/execution/finish-run";
import { deleteRunRecord, runsInFlightOf } from "../runs/records";
import { formatTime, traitsOf } from "../server/server-traits";
import { deleteThreadRecord, threadBySeq, toThread } from "../threads/records";
import { applyConfiguration, type Configuration } from "./configuration";
import { isOwned, requireAssistant, requireGraph, requireUsableAssistant } from "./find";
import {
  type AssistantRecord,
  addVersion,
  assistantById,
  deleteAssistantRecord,
  insertAssistant,
  type VersionRecord,
} from "./records";
import { cleanMetadata, readable } from "./reserved";
import type { CreateBody, PatchBody } from "./schemas";

/** The name of an assistant that got none. */
const unnamed = "Untitled";

/** POST /assistants */
export function createAssistant(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const body = request.body as CreateBody;
  const { assistant_id: id = randomUUID(), graph_id, name = unnamed, description = null } = body;
  checkConfig(request, body);
  // A graph that is missing is refused even if the assistant exists.
  const { checksGraph } = traitsOf(context);
  if (checksGraph) requireGraph(context, agent, graph_id);
  const existing = assistantById(context.store, agent.deployment.id, id);
  if (existing) {
    if (body.if_exists === "do_nothing" && isOwned(context, agent, existing)) return respond(context, existing);
    throw new ApiError(409, `Assistant ${id} already exists`);
  }
  const created = insertAssistant(context, {
    id,
    deployment_id: agent.deployment.id,
    graph_id,
    name: readable(context, name || (checksGraph ? unnamed : graph_id)),
    description: readable(context, description),
    ...applyConfiguration(context, { config: {}, context: {} }, body),
    metadata: { ...cleanMetadata(context, body.metadata ?? {}), ...ownerMetadata(context, agent) },
  });
  return respond(context, created);
}

/** GET /assistants/{assistant_id} */
export function getAssistant(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  return respond(context, requireUsableAssistant(context, agent, request));
}

/** PATCH /assistants/{assistant_id}: always makes a version, even of an empty body. */
export function patchAssistant(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const assistant = requireAssistant(context, agent, request);
  const { config, context: values, metadata = {}, ...rest } = request.body as PatchBody;
  checkConfig(request, { config });
  if (rest.graph_id !== undefined && traitsOf(context).checksGraph) requireGraph(context, agent, rest.graph_id);
  addVersion(context, assistant, {
    ...readable(context, rest),
    ...applyConfiguration(context, assistant, { config, context: values ?? undefined }),
    metadata: { ...assistant.metadata, ...cleanMetadata(context, metadata), ...ownerMetadata(context, agent) },
  });
  return respond(context, assistant);
}

/** DELETE /assistants/{assistant_id}: with its versions and crons. Default assistants can be deleted as well. */
export function deleteAssistant(
  context: Context,
  agent: Agent,
  request: ApiRequest<{ delete_threads?: string }>,
): ApiResponse {
  const assistant = requireAssistant(context, agent, request);
  endRuns(context, assistant);
  if (request.query.delete_threads === "true") deleteThreads(context, assistant);
  deleteAssistantRecord(context.store, assistant);
  if (context.settings.agentServer === "python") return { status: 204 };
  return { status: 200, body: [assistant.id] };
}

/** Ends the unfinished runs of an assistant, newest first, so that no waiting one starts in between. */
function endRuns(context: Context, { id, deployment_id }: AssistantRecord): void {
  const { store } = context;
  for (const run of runsInFlightOf(store, deployment_id).reverse()) {
    const thread = run.assistant_id === id && threadBySeq(store, run.thread);
    if (!thread) continue;
    cancelRun(context, thread, run, { action: "interrupt" });
    if (traitsOf(context).runsOfDeleted === "deleted") deleteRunRecord(store, run);
  }
}

/** Deletes every thread whose metadata name the assistant, also those of others. */
function deleteThreads(context: Context, { id, deployment_id }: AssistantRecord): void {
  const sql = "SELECT * FROM threads WHERE deployment_id = ? AND metadata ->> '$.assistant_id' = ?";
  for (const row of context.store.all(sql, deployment_id, id)) deleteThreadRecord(context, toThread(row));
}

/** Checks the fields of `config` that have a type; it keeps any other field. @throws ApiError 422 */
export function checkConfig(request: ApiRequest, { config }: Partial<Configuration>): void {
  const { tags, recursion_limit: limit, configurable } = config ?? {};
  const areStrings = Array.isArray(tags) && tags.every((tag) => typeof tag === "string");
  if (tags !== undefined && !areStrings) request.addIssue(["config", "tags"], "expected a list of strings");
  if (limit !== undefined && !Number.isInteger(limit))
    request.addIssue(["config", "recursion_limit"], "expected an integer");
  if (
    configurable !== undefined &&
    (typeof configurable !== "object" || configurable === null || Array.isArray(configurable))
  )
    request.addIssue(["config", "configurable"], "expected an object");
  request.throwIfIssues();
}

function respond(context: Context, assistant: AssistantRecord): ApiResponse {
  return { status: 200, body: assistantResponse(context, assistant) };
}

export function assistantResponse(context: Pick<Context, "settings">, assistant: AssistantRecord) {
  return {
    ...versionResponse(context, assistant.id, assistant),
    updated_at: formatTime(context, assistant.updated_at),
  };
}

/** Returns a version, which has the fields of an assistant except `updated_at`. */
export function versionResponse(
  context: Pick<Context, "settings">,
  assistant_id: string,
  { graph_id, name, description, config, context: values, metadata, version, created_at }: VersionRecord,
) {
  const content = { graph_id, name, description, config, context: values, metadata };
  return { assistant_id, ...content, version, created_at: formatTime(context, created_at) };
}
