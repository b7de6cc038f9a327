import type { RouteSettings } from "../../http/feature";
import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";

type Mode = Pick<RouteSettings, "agentServer">;

const content = {
  graph_id: v.required(v.string()),
  name: v.required(v.string()),
  description: v.required(v.nullable(v.string())),
  config: v.required(v.anyObject()),
  context: v.required(v.any()),
  metadata: v.required(v.anyObject()),
};
const versionFields = {
  assistant_id: v.required(v.string()),
  ...content,
  version: v.required(v.integer()),
  created_at: v.required(v.datetime()),
};
const assistantFields = { ...versionFields, updated_at: v.required(v.datetime()) };
export const assistant = v.object("Assistant", assistantFields);
/** An assistant in search results; `select` may omit any of its fields. */
export const assistantSearchResult = v.object("AssistantSearchResult", {
  ...Object.fromEntries(Object.entries(assistantFields).map(([name, { required: _, ...field }]) => [name, field])),
});
export const assistantVersion = v.object("AssistantVersion", versionFields);

/** What both servers accept in a create and in a PATCH. */
const sharedFields = { graph_id: v.string(), name: v.string(), config: v.anyObject(), metadata: v.anyObject() };
const createFields = {
  ...sharedFields,
  graph_id: v.required(v.string()),
  if_exists: v.withDefault(v.enumOf(["raise", "do_nothing"]), "raise"),
};
const hyphenated = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

const pythonCreate = v.object("AssistantCreate", {
  ...createFields,
  assistant_id: v.uuid(),
  description: v.nullable(v.string()),
  context: v.anyObject(),
});
const javascriptCreate = v.object("AssistantCreate", {
  ...createFields,
  assistant_id: v.string({ pattern: hyphenated }),
  description: v.string(),
  context: v.any(),
});
export const createBody = ({ agentServer }: Mode) => (agentServer === "python" ? pythonCreate : javascriptCreate);
export type CreateBody = v.Infer<typeof pythonCreate>;

const pythonPatch = v.object("AssistantPatch", { ...sharedFields, description: v.string(), context: v.anyObject() });
const javascriptPatch = v.object("AssistantPatch", { ...sharedFields, description: v.string(), context: v.any() });
export const patchBody = ({ agentServer }: Mode) => (agentServer === "python" ? pythonPatch : javascriptPatch);
export type PatchBody = v.Infer<typeof pythonPatch>;

const filterFields = { graph_id: v.string(), name: v.string(), metadata: v.anyObject() };
export const countBody = v.object("AssistantCount", filterFields);
export type CountBody = v.Infer<typeof countBody>;

const { minLimit, maxLimit, defaultLimit } = limits.assistants;
export const pageFields = {
  limit: v.withDefault(v.integer({ minimum: minLimit, maximum: maxLimit }), defaultLimit),
  offset: v.withDefault(v.integer({ minimum: 0 }), 0),
};
const searchFields = {
  ...filterFields,
  ...pageFields,
  sort_by: v.enumOf(["assistant_id", "created_at", "updated_at", "name", "graph_id"]),
  sort_order: v.enumOf(["asc", "desc"]),
};
const pythonSearch = v.object("AssistantSearch", {
  ...searchFields,
  select: v.list(v.enumOf(Object.keys(assistantFields))),
});
const javascriptSearch = v.object("AssistantSearch", { ...searchFields, select: v.list(v.string()) });
export const searchBody = ({ agentServer }: Mode) => (agentServer === "python" ? pythonSearch : javascriptSearch);
export type SearchBody = v.Infer<typeof pythonSearch>;

export const versionsBody = v.object("AssistantVersions", { ...pageFields, metadata: v.anyObject() });
export type VersionsBody = v.Infer<typeof versionsBody>;

const pythonLatest = v.object("AssistantLatest", { version: v.integer() });
const javascriptLatest = v.object("AssistantLatest", { version: v.required(v.integer()) });
export const latestBody = ({ agentServer }: Mode) => (agentServer === "python" ? pythonLatest : javascriptLatest);
export type LatestBody = v.Infer<typeof pythonLatest>;

export const deleteQuery = { delete_threads: v.string() };
export const graphQuery = { xray: v.string() };
export const subgraphsQuery = { recurse: v.string() };

export const graphSchemas = v.object("GraphSchemas", {
  graph_id: v.required(v.string()),
  input_schema: v.any(),
  output_schema: v.any(),
  state_schema: v.any(),
  config_schema: v.any(),
  context_schema: v.any(),
});
export const drawableGraph = v.object("DrawableGraph", {
  nodes: v.required(v.list(v.anyObject())),
  edges: v.required(v.list(v.anyObject())),
});
