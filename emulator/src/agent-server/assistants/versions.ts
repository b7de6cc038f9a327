import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import type { Agent } from "../requests/auth";
import { matchesMetadata } from "../requests/metadata-filter";
import { traitsOf } from "../server/server-traits";
import { assistantResponse, versionResponse } from "./assistants";
import { requireAssistant } from "./find";
import { updateAssistant, versionsOf } from "./records";
import type { LatestBody, VersionsBody } from "./schemas";

/** POST /assistants/{assistant_id}/versions: newest first. An empty page is 404. */
export function listVersions(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const assistant = requireAssistant(context, agent, request);
  const { limit, offset, metadata = {} } = request.body as VersionsBody;
  const page = versionsOf(context.store, assistant)
    .filter((version) => matchesMetadata(context, version.metadata, metadata))
    .slice(offset, offset + limit);
  if (page.length === 0) throw new ApiError(404, `Assistant '${assistant.id}' has no such versions`);
  return { status: 200, body: page.map((version) => versionResponse(context, assistant.id, version)) };
}

/** POST /assistants/{assistant_id}/latest: makes a version current. Neither the graph nor the context follows. */
export function setLatest(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const assistant = requireAssistant(context, agent, request);
  const { version: number } = request.body as LatestBody;
  const found = versionsOf(context.store, assistant).find(({ version }) => version === number);
  if (!found) throw new ApiError(404, `Assistant '${assistant.id}' has no version ${number}`);
  const { version, config, metadata, name, description } = found;
  const restored = traitsOf(context).restoresDescription ? { description } : {};
  updateAssistant(context, assistant, { version, config, metadata, name, ...restored });
  return { status: 200, body: assistantResponse(context, assistant) };
}
