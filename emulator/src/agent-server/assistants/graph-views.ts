import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { parseUuid } from "../../runtime/validation/uuid";
import type { Graph } from "../graphs/built-in";
import { findGraph, graphsOf } from "../graphs/of-deployment";
import type { Agent } from "../requests/auth";
import { traitsOf } from "../server/server-traits";
import { defaultAssistantId } from "./defaults";
import { requireUsableAssistant, unknownGraph } from "./find";

/** Returns the graph of the assistant in the path. @throws ApiError 404 if the deployment lacks it */
function graphOf(context: Context, agent: Agent, request: ApiRequest): { graph_id: string; graph: Graph } {
  const { graph_id } = requireUsableAssistant(context, agent, request);
  const graph = findGraph(context, agent, graph_id);
  if (graph) return { graph_id, graph };
  throw unknownGraph(context, agent, graph_id);
}

/** GET /assistants/{assistant_id}/schemas: JSON Schemas of the graph. Those of the user's own graphs are unknown. */
export function getSchemas(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { agentServer } = context.settings;
  if (agentServer === "javascript" && request.bytes.length > 0) throw new ApiError(400, "A GET must not have a body");
  const { graph_id, graph } = graphOf(context, agent, request);
  return { status: 200, body: { graph_id, ...schemasOf(context, graph) } };
}

function schemasOf(context: Context, { schemas }: Graph): Record<string, unknown> {
  const { agentServer } = context.settings;
  const state = schemas?.state ?? null;
  const values = schemas?.context;
  const closed = values && { ...values, additionalProperties: agentServer === "python" };
  const parts = {
    input_schema: state,
    output_schema: state,
    state_schema: state,
    config_schema: closed ?? (agentServer === "python" ? {} : null),
    context_schema: closed ?? null,
  };
  const known = Object.entries(parts).filter(([, part]) => part !== null || traitsOf(context).showsUnknownSchemas);
  return Object.fromEntries(known);
}

/** GET /assistants/{assistant_id}/graph: its nodes and edges, for drawing. */
export function getGraph(context: Context, agent: Agent, request: ApiRequest<{ xray?: string }>): ApiResponse {
  const { xray = "false" } = request.query;
  const { drawsByName } = traitsOf(context);
  if (drawsByName && !/^([Tt]rue|[Ff]alse|\+?0*[1-9]\d*|)$/.test(xray)) throw new ApiError(422, "Invalid xray value");
  const params = drawsByName ? { assistant_id: idOf(agent, context, request.params) } : request.params;
  const { nodes: outer, subgraphs = {} } = graphOf(context, agent, { ...request, params }).graph;
  const [start, end] = ["__start__", "__end__"];
  // The server in JavaScript draws no subgraphs.
  const isDeep = drawsByName && !/^([Ff]alse|)$/.test(xray);
  const nodes = outer.flatMap(
    (node) => (isDeep && subgraphs[node]?.nodes.map((inner) => `${node}:${inner}`)) || [node],
  );
  const chain = [start, ...nodes, end];
  return {
    status: 200,
    body: {
      nodes: chain.map((id) => (nodes.includes(id) ? runnableNode(id) : edgeNode(context, id))),
      edges: chain.slice(1).map((target, index) => ({ source: chain[index], target })),
    },
  };
}

const runnableNode = (id: string) => ({ id, type: "runnable", data: { name: id } });

/** Returns the start or the end of a drawing. In Python, the start is like other nodes, and the end has only an ID. */
function edgeNode({ settings }: Context, id: string) {
  if (settings.agentServer === "javascript") return { id, type: "schema", data: id };
  return id === "__start__" ? runnableNode(id) : { id };
}

/** Returns the ID in the path, or that of the default assistant of the graph. @throws ApiError 422 */
function idOf(agent: Agent, context: Context, { assistant_id: name = "" }: ApiRequest["params"]): string {
  if (Object.hasOwn(graphsOf(context, agent.deployment), name)) return defaultAssistantId(name);
  const parsed = parseUuid(name);
  if ("uuid" in parsed) return parsed.uuid;
  throw new ApiError(422, "Invalid assistant ID: must be a UUID");
}

/** GET /assistants/{assistant_id}/subgraphs: their schemas, by node. */
export function getSubgraphs(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { subgraphs = {} } = graphOf(context, agent, request).graph;
  const { namespace } = request.params;
  // The server in JavaScript fails for a graph that has any.
  if (context.settings.agentServer === "javascript" && Object.keys(subgraphs).length > 0)
    throw new ApiError(500, "Internal Server Error");
  const shown = Object.entries(subgraphs).filter(([name]) => (namespace ?? name) === name);
  return { status: 200, body: Object.fromEntries(shown.map(([name, graph]) => [name, schemasOf(context, graph)])) };
}
