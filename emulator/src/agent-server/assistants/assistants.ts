import { type DeploymentRecord, revisionById } from "../../control-plane/model/records";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { type GraphKind, graphKinds } from "../../runtime/options";
import type { Agent } from "../auth";
import { uuid5 } from "../ids";
import { contains } from "../threads/json-index";
import { builtInGraphs, type Graph } from "./graphs";

/** The namespace of default assistant IDs on real servers. */
const graphNamespace = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** The usual name of the graph in an image. */
const defaultGraphName = "agent";

/** The default configuration of a graph. */
export interface Assistant {
  assistant_id: string;
  graph_id: string;
}

/**
 * Returns the graphs of a deployment by name: built-in graphs, the graphs of its uploaded configuration, and those set by
 * the option `graphs` or `/_emulator`. A name without a kind is an echo.
 */
export function graphsOf({ store, settings }: Context, deployment: DeploymentRecord): Record<string, GraphKind> {
  const { active_revision_id: active } = deployment;
  const source = active ? revisionById(store, active)?.plan.source : undefined;
  const additional = store.all(
    "SELECT name, kind FROM agent_graphs WHERE deployment_id = ? ORDER BY name",
    deployment.id,
  );
  return {
    ...Object.fromEntries(graphKinds.map((kind) => [kind, kind])),
    ...Object.fromEntries((source?.graphs ?? [defaultGraphName]).map((name) => [name, kindForName(name)])),
    ...settings.graphs,
    ...Object.fromEntries(additional.map(({ name, kind }) => [name, kind as GraphKind])),
  };
}

/** Replaces the additional graphs of a deployment. */
export function setGraphs({ store }: Context, deploymentId: string, graphs: Readonly<Record<string, GraphKind>>): void {
  store.run("DELETE FROM agent_graphs WHERE deployment_id = ?", deploymentId);
  for (const [name, kind] of Object.entries(graphs))
    store.upsert("agent_graphs", { deployment_id: deploymentId, name, kind });
}

function kindForName(name: string): GraphKind {
  return graphKinds.find((kind) => kind === name) ?? "echo";
}

/** Returns the graph of this name; undefined if the deployment has none. */
export function findGraph(context: Context, { deployment }: Agent, name: string): Graph | undefined {
  const graphs = graphsOf(context, deployment);
  const kind = Object.hasOwn(graphs, name) ? graphs[name] : undefined;
  if (kind === undefined) return undefined;
  // The nodes of the user's own graph are unknown, so any node is accepted.
  return name === kind ? builtInGraphs[kind] : { ...builtInGraphs[kind], acceptsAnyNode: true };
}

/** Returns the assistant that a run names, by its ID or its graph (API `1B.item 4`). @throws ApiError 404 */
export function findAssistant(context: Context, agent: Agent, name: string): Assistant {
  const assistant = assistantsOf(context, agent).find(({ assistant_id, graph_id }) =>
    [assistant_id, graph_id].includes(name),
  );
  if (assistant) return assistant;
  throw new ApiError(404, `Assistant '${name}' not found`);
}

function assistantsOf(context: Context, { deployment }: Agent): Assistant[] {
  return Object.keys(graphsOf(context, deployment)).map((graph_id) => ({
    assistant_id: uuid5(graphNamespace, graph_id),
    graph_id,
  }));
}

function assistantResponse({ deployment }: Agent, { assistant_id, graph_id }: Assistant) {
  const { created_at } = deployment;
  const common = { name: graph_id, description: null, config: {}, context: {}, version: 1 };
  return { assistant_id, graph_id, ...common, metadata: { created_by: "system" }, created_at, updated_at: created_at };
}

interface SearchBody {
  graph_id?: string;
  metadata?: object;
  limit: number;
  offset: number;
}

/** POST /assistants/search: one assistant for each graph. */
export function searchAssistants(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { graph_id, metadata = {}, limit, offset } = request.body as SearchBody;
  const matches = assistantsOf(context, agent)
    .map((assistant) => assistantResponse(agent, assistant))
    .filter(
      (assistant) => (graph_id ?? assistant.graph_id) === assistant.graph_id && contains(assistant.metadata, metadata),
    );
  return { status: 200, body: matches.slice(offset, offset + limit) };
}

/** GET /assistants/{assistant_id} */
export function getAssistant(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  return {
    status: 200,
    body: assistantResponse(agent, findAssistant(context, agent, request.params.assistant_id ?? "")),
  };
}
