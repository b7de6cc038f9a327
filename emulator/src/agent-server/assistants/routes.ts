import type { RouteSettings } from "../../http/feature";
import type { Route } from "../../http/route";
import { integer, list } from "../../runtime/validation/schema";
import { agentRoute } from "../requests/agent-route";
import { agentHandler } from "../requests/auth";
import { traitsOf } from "../server/server-traits";
import { createAssistant, deleteAssistant, getAssistant, patchAssistant } from "./assistants";
import { getGraph, getSchemas, getSubgraphs } from "./graph-views";
import * as schemas from "./schemas";
import { countAssistants, searchAssistants } from "./search";
import { listVersions, setLatest } from "./versions";

const single = "/assistants/{assistant_id}";

/** Assistants, which the interface does not contain (API `2B.Assistant`). */
export function assistantRoutes(settings: RouteSettings): Route[] {
  const { resolvesGraphsInPaths, drawsByName } = traitsOf({ settings });
  const takesName = ({ name }: Route) => resolvesGraphsInPaths || (drawsByName && name === "assistants-graph");
  const textParamsOf = (route: Route) => ["namespace", ...(takesName(route) ? ["assistant_id"] : [])];
  const routes = [...collectionRoutes(settings), ...singleRoutes(settings), ...graphRoutes];
  return routes.map((route) => ({ ...route, textParams: textParamsOf(route) }));
}

/** All assistants of an agent server. */
function collectionRoutes(settings: RouteSettings): Route[] {
  return [
    agentRoute({
      method: "POST",
      path: "/assistants",
      name: "assistants-create",
      isDescribed: false,
      summary: "Create an assistant",
      body: schemas.createBody(settings),
      success: { status: 200, schema: schemas.assistant, description: "The assistant, new or existing" },
      errors: [400, 404, 409],
      handle: agentHandler(createAssistant),
    }),
    agentRoute({
      method: "POST",
      path: "/assistants/search",
      name: "assistants-search",
      isDescribed: false,
      summary: "Search assistants",
      body: schemas.searchBody(settings),
      bodyOptional: !traitsOf({ settings }).requiresBody,
      success: {
        status: 200,
        schema: list(schemas.assistantSearchResult),
        description: "The matching assistants, with the fields that `select` names",
      },
      errors: [404],
      handle: agentHandler(searchAssistants),
    }),
    agentRoute({
      method: "POST",
      path: "/assistants/count",
      name: "assistants-count",
      isDescribed: false,
      summary: "Count assistants",
      body: schemas.countBody,
      success: { status: 200, schema: integer(), description: "The number of matching assistants" },
      errors: [404],
      handle: agentHandler(countAssistants),
    }),
  ];
}

/** One assistant and its versions. */
function singleRoutes(settings: RouteSettings): Route[] {
  return [
    agentRoute({
      method: "GET",
      path: single,
      name: "assistants-get",
      isDescribed: false,
      summary: "Retrieve an assistant",
      success: { status: 200, schema: schemas.assistant, description: "The assistant" },
      handle: agentHandler(getAssistant),
    }),
    agentRoute({
      method: "PATCH",
      path: single,
      name: "assistants-patch",
      isDescribed: false,
      summary: "Update an assistant",
      body: schemas.patchBody(settings),
      success: { status: 200, schema: schemas.assistant, description: "The assistant with its new version" },
      errors: [400],
      handle: agentHandler(patchAssistant),
    }),
    agentRoute({
      method: "DELETE",
      path: single,
      name: "assistants-delete",
      isDescribed: false,
      summary: "Delete an assistant",
      query: schemas.deleteQuery,
      success:
        settings.agentServer === "python"
          ? { status: 204, description: "The assistant is deleted with its versions and crons" }
          : { status: 200, description: "The assistant is deleted with its versions: a list with its ID" },
      handle: agentHandler(deleteAssistant),
    }),
    agentRoute({
      method: "POST",
      path: `${single}/versions`,
      name: "assistants-versions",
      isDescribed: false,
      summary: "List the versions of an assistant",
      body: schemas.versionsBody,
      success: { status: 200, schema: list(schemas.assistantVersion), description: "Versions, newest first" },
      handle: agentHandler(listVersions),
    }),
    agentRoute({
      method: "POST",
      path: `${single}/latest`,
      name: "assistants-latest",
      isDescribed: false,
      summary: "Make a version of an assistant current",
      body: schemas.latestBody(settings),
      success: { status: 200, schema: schemas.assistant, description: "The assistant with that version" },
      handle: agentHandler(setLatest),
    }),
  ];
}

/** What an assistant's graph is. */
const graphRoutes: readonly Route[] = [
  agentRoute({
    method: "GET",
    path: `${single}/schemas`,
    name: "assistants-schemas",
    isDescribed: false,
    summary: "Retrieve the schemas of an assistant's graph",
    success: { status: 200, schema: schemas.graphSchemas, description: "JSON Schemas" },
    handle: agentHandler(getSchemas),
  }),
  agentRoute({
    method: "GET",
    path: `${single}/graph`,
    name: "assistants-graph",
    isDescribed: false,
    summary: "Retrieve the nodes and edges of an assistant's graph",
    query: schemas.graphQuery,
    success: { status: 200, schema: schemas.drawableGraph, description: "Nodes and edges" },
    handle: agentHandler(getGraph),
  }),
  ...["", "/{namespace}"].map((suffix) =>
    agentRoute({
      method: "GET",
      path: `${single}/subgraphs${suffix}`,
      name: suffix === "" ? "assistants-subgraphs" : "assistants-subgraph",
      isDescribed: false,
      summary: "Retrieve the schemas of subgraphs",
      query: schemas.subgraphsQuery,
      success: { status: 200, description: "Schemas by namespace" },
      handle: agentHandler(getSubgraphs),
    }),
  ),
];
