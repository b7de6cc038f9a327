/** Reads the schemas of the graphs of an agent server, or from a file. */
import { basename, resolve } from "node:path";
import { ConversationServer, RejectedError } from "../../provider/conversations/server/conversation-server";
import { listAll } from "../../provider/conversations/server/list-threads";
import { isPropertyMap, type PropertyMap } from "../../provider/schema/schema";
import { cleanText } from "../../provider/text/clean";
import { UserError } from "../../provider/text/user-error";
import { connectAgent } from "../conversations/connect";
import { readInputFile } from "../shared/input-file";
import { type CommandContext, type Options, UsageError } from "../shared/subcommand";
import { compare } from "./type";

/** What a graph accepts; a schema is absent where the graph declares none. */
export interface GraphSchemas {
  graphId: string;
  contextSchema?: PropertyMap;
  configSchema?: PropertyMap;
}

/** Returns the schemas of all graphs of a source, by their names. @throws UserError. */
export async function readSchemas(source: string, options: Options, context: CommandContext): Promise<GraphSchemas[]> {
  // Not quoted: it may contain credentials.
  if (isUrl(source) && !URL.canParse(source)) throw new UsageError("The URL is not valid. Expected https://host/path.");
  const graphs = source.endsWith(".json")
    ? await readFile(source, context)
    : await fetchSchemas(isUrl(source) ? { url: source } : { deployment: source }, options, context);
  return graphs.sort((a, b) => compare(a.graphId, b.graphId));
}

const isUrl = (source: string): boolean => /^https?:\/\//i.test(source);

/** Returns a source as others may read it: a URL without credentials and without a query. */
export function publicName(source: string): string {
  if (!isUrl(source)) return source;
  const { origin, pathname } = new URL(source);
  return origin + pathname.replace(/\/+$/, "");
}

async function fetchSchemas(
  target: { url: string } | { deployment: string },
  options: Options,
  context: CommandContext,
): Promise<GraphSchemas[]> {
  const { url, probe, close } = await connectAgent({ ...options, ...target }, context);
  try {
    const server = new ConversationServer(probe, true);
    const graphs: GraphSchemas[] = [];
    for (const [graphId, assistantId] of await findAssistants(server)) {
      const schemas = await readOne(server, assistantId).catch((error: unknown) => {
        if (!isOfGraph(error)) throw error;
        const reason = `${error.status}: ${error.detail.slice(0, 200)}`;
        context.stderr.write(`${cleanText(`No schemas of the graph "${graphId}": ${reason}`, context.secrets)}\n`);
        return {};
      });
      graphs.push({ graphId, ...schemas });
    }
    return graphs;
  } catch (error) {
    if (!(error instanceof RejectedError) || !isOfCredentials(error)) throw error;
    throw new UserError(
      `${url} rejected the credentials (${error.status}). Check the API key, or pass what the server requires ` +
        "with --header.",
    );
  } finally {
    await close();
  }
}

const isOfCredentials = (error: unknown): boolean =>
  error instanceof RejectedError && (error.status === 401 || error.status === 403);

/** Whether a server has no schemas of one graph, rather than no time. Without them, the types of a file would go. */
const isOfGraph = (error: unknown): error is RejectedError =>
  error instanceof RejectedError && ![401, 403, 408, 429].includes(error.status) && error.status < 502;

interface ListedAssistant {
  assistant_id?: unknown;
  graph_id?: unknown;
}

/** Returns an assistant of each graph: the one that the server made, or any where authentication hides those. */
async function findAssistants(server: ConversationServer): Promise<Map<string, string>> {
  const found = await search(server, { metadata: { created_by: "system" } });
  return found.size > 0 ? found : search(server, {});
}

async function search(server: ConversationServer, query: PropertyMap): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const idOf = ({ assistant_id: id }: ListedAssistant) => String(id);
  const list = { path: "/assistants/search", body: query, idOf };
  for await (const { assistant_id: id, graph_id: graph } of listAll(server, list))
    if (typeof id === "string" && typeof graph === "string" && !found.has(graph)) found.set(graph, id);
  return found;
}

async function readOne(server: ConversationServer, assistantId: string): Promise<Omit<GraphSchemas, "graphId">> {
  const path = `/assistants/${encodeURIComponent(assistantId)}/schemas`;
  const content = parse(await server.read({ method: "GET", path }));
  if (content === undefined)
    throw new UserError(
      `The agent server returned something else than schemas for ${path}. Check that the URL is that of ` +
        "an agent server.",
    );
  return schemasIn(content);
}

/** Schemas of libraries have about ten. */
const MAX_LEVELS = 500;

/** Returns the value of a text; undefined where it is not JSON, or has too many levels to be read. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    let [levels, parts] = [0, [value]];
    for (; parts.length > 0 && levels <= MAX_LEVELS; levels++)
      parts = parts.flatMap((part) => (typeof part === "object" && part !== null ? Object.values(part) : []));
    return levels > MAX_LEVELS ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Returns the schemas of a response, or of what `getAssistantSchemas` returns. */
function schemasIn(value: unknown): Omit<GraphSchemas, "graphId"> {
  const {
    context_schema,
    contextSchema = context_schema,
    config_schema,
    configSchema = config_schema,
  } = isPropertyMap(value) ? value : {};
  return { ...(isDeclared(contextSchema) && { contextSchema }), ...(isDeclared(configSchema) && { configSchema }) };
}

/** Servers return an empty schema, or null, where a graph declares none. */
const isDeclared = (schema: unknown): schema is PropertyMap => isPropertyMap(schema) && Object.keys(schema).length > 0;

const REMEDY =
  "Save what `agentgraph types <url> --json` prints, a response of /assistants/{id}/schemas, or a JSON Schema.";

async function readFile(file: string, { folder }: CommandContext): Promise<GraphSchemas[]> {
  const content = parse(await readInputFile(resolve(folder, file), file, REMEDY));
  const name = basename(file).replace(/(\.schema)?\.json$/, "");
  const list = isPropertyMap(content) && Array.isArray(content.graphs) ? content.graphs : [content].flat();
  const graphs = list.map((item) => graphIn(item, name));
  const valid = graphs.flatMap((graph) => graph ?? []);
  if (valid.length === graphs.length) return valid;
  throw new UsageError(`${file} contains no schemas. ${REMEDY}`);
}

function graphIn(item: unknown, name: string): GraphSchemas | undefined {
  if (!isPropertyMap(item)) return undefined;
  const { graph_id, graphId = graph_id } = item;
  const isResponse = ["context_schema", "contextSchema", "config_schema", "configSchema"].some((key) => key in item);
  if (isResponse || graphId !== undefined)
    return { graphId: typeof graphId === "string" ? graphId : name, ...schemasIn(item) };
  const isSchema = ["$schema", "$ref", "$defs", "type", "properties", "allOf", "anyOf", "oneOf"].some(
    (key) => key in item,
  );
  return isSchema ? { graphId: name, contextSchema: item } : undefined;
}
