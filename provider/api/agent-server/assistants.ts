/** Assistants of an agent server, and one method per endpoint (API `2B.Assistant` and `4B.POST /assistants`). */
import { z } from "zod";
import type { HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError, ignoreNotFound, inPlaceOf } from "../../http/errors";
import { defaultAssistantId } from "../../schema/id";
import { fieldMetadata, isPropertyMap } from "../../schema/schema";
import { ContradictionError } from "../absence";
import type { DeepPartialNullable, JsonClient, RequestLine } from "../json-client";
import { collectAll, findFirst, type Pages, paginate } from "../pagination";
import { MAX_PAGE_SIZE, ObjectClient, objectQuerySchema } from "./object-client";

/** Keys of users at every level, which keep their spelling. */
export const freeForm = z.record(z.string(), z.unknown());

export const runConfig = z
  .looseObject({
    tags: z.array(z.string()).optional().describe("Tags of the runs."),
    recursionLimit: z.int().positive().optional().describe("Maximum number of steps of a run."),
    configurable: freeForm
      .optional()
      .describe("Values that the graph reads from its configuration, by key. Graphs with a context read that instead.")
      .register(fieldMetadata, { typeParameter: "Configurable" }),
  })
  .register(fieldMetadata, { interface: "RunConfigArgs", description: "The configuration of runs." });

export const assistantInfoSchema = z
  .object({
    assistantId: z.string().describe("ID of the assistant."),
    graphId: z.string().optional().describe("Name of the graph that it configures."),
    name: z.string().optional().describe("Name; several assistants may have the same."),
    description: z.string().optional().describe("Description; absent where it has none."),
    config: runConfig.optional().describe("Configuration of its runs."),
    context: freeForm.optional().describe("What the graph reads as its context, by key."),
    metadata: freeForm.optional().describe("Metadata by key, which its runs inherit. Keys keep their spelling."),
    version: z.number().optional().describe("Number of its version."),
    createdAt: z.string().optional().describe("Time of creation."),
    updatedAt: z.string().optional().describe("Time of the last change; absent for an older version."),
  })
  .register(fieldMetadata, { interface: "AssistantVersionInfo", description: "A version of an assistant." });

/** The body of a create; that of an update lacks the ID and `ifExists`. */
export const assistantBodySchema = assistantInfoSchema
  .omit({ version: true, createdAt: true, updatedAt: true })
  .extend({ assistantId: z.string().optional(), ifExists: z.enum(["raise", "do_nothing"]).optional() });
export type AssistantBody = z.input<typeof assistantBodySchema>;

/** The name is a part of it, in any case. */
export const assistantQuerySchema = objectQuerySchema.extend(
  assistantInfoSchema.pick({ graphId: true, name: true }).shape,
);
export type AssistantQuery = z.input<typeof assistantQuerySchema>;

export const assistantSchemasSchema = z
  .object({
    graphId: z.string().optional().describe("Name of the graph."),
    inputSchema: freeForm.optional().describe("JSON Schema of the input."),
    outputSchema: freeForm.optional().describe("JSON Schema of the output."),
    stateSchema: freeForm.optional().describe("JSON Schema of the state."),
    configSchema: freeForm.optional().describe("JSON Schema of `config.configurable`."),
    contextSchema: freeForm.optional().describe("JSON Schema of `context`; absent where the graph has none."),
  })
  .register(fieldMetadata, { interface: "AssistantSchemas", description: "What the graph of an assistant accepts." });

const graphSchema = z.object({ nodes: z.array(z.object({ id: z.string().optional() })).optional() });

export type Assistant = DeepPartialNullable<z.infer<typeof assistantInfoSchema>> & {
  assistantId: string;
  /** Set by `find`: a search returns it, but GET does not, because the server lacks its graph. */
  isGraphMissing?: true;
};
export type AssistantSchemas = DeepPartialNullable<z.infer<typeof assistantSchemasSchema>>;

const ASSISTANTS = "/assistants";

/** Whether the server made this assistant for a graph, so that nobody else may change or delete it. */
export const isDefaultAssistant = ({ assistantId, graphId, metadata }: Partial<Assistant>): boolean =>
  metadata?.created_by === "system" || (graphId != null && assistantId?.toLowerCase() === defaultAssistantId(graphId));

/**
 * An update makes a new version, even without a difference, and replaces `config` and `context`. A delete includes
 * versions and crons, not threads. GET also returns 404 when the graph is missing.
 */
export class AssistantClient extends ObjectClient<Assistant, AssistantBody, AssistantQuery> {
  constructor(json: JsonClient, clock: Clock) {
    super(json, clock, {
      ...{ noun: "assistants", path: ASSISTANTS, idField: "assistantId" },
      ...{ schema: assistantInfoSchema, bodySchema: assistantBodySchema, querySchema: assistantQuerySchema },
    });
  }

  /** With `ifExists: "do_nothing"` the response may be an existing one, and the request is repeated after a failure. */
  override create(body: AssistantBody): Promise<Assistant> {
    const isRead = body.ifExists === "do_nothing" && body.assistantId !== undefined;
    return this.requestOne({ method: "POST", path: ASSISTANTS, body: this.encode(body), isRead });
  }

  /** Also returns an assistant that GET does not, because its graph is missing. */
  override async find(id: string): Promise<Assistant | undefined> {
    try {
      return await super.find(id);
    } catch (error) {
      if (!(error instanceof ContradictionError)) throw error;
      const listed = await findFirst(this.list(), ({ assistantId }) => assistantId === id);
      if (listed) return { ...listed, isGraphMissing: true };
      throw error;
    }
  }

  /** Lists assistants, oldest first where the server sorts. Of a graph that the server does not know there are none. */
  override async *list(query: AssistantQuery = {}): Pages<Assistant> {
    const pages = super.list(query);
    try {
      return yield* pages;
    } catch (error) {
      const isUnknownGraph = query.graphId !== undefined && error instanceof HttpError && error.isNotFound;
      if (!isUnknownGraph) throw error;
      // The server may lack the route.
      await this.readPage(`${ASSISTANTS}/search`, { limit: 1 });
      return true;
    }
  }

  /** Lists the versions of an assistant, newest first; empty where it is gone. */
  listVersions(id: string): Promise<Assistant[]> {
    const path = `${this.pathOf(id)}/versions`;
    const readPage = (offset = 0) =>
      this.readPage(path, { limit: MAX_PAGE_SIZE, ...(offset > 0 && { offset }) }, offset).catch(ignoreNotFound);
    const pages = paginate<Assistant, number>({
      noun: "versions of the assistant",
      limit: MAX_PAGE_SIZE,
      idOf: ({ version }) => version,
      read: async (offset) => (await readPage(offset)) ?? { items: [], next: undefined },
    });
    return collectAll(pages);
  }

  /** Returns what the graph of an assistant accepts; undefined where the server returns nothing for it. */
  async getSchemas(id: string, timeoutMs?: number): Promise<AssistantSchemas | undefined> {
    const request = { method: "GET", path: `${this.pathOf(id)}/schemas`, onServerError: "throw" } as const;
    const limits = timeoutMs === undefined ? {} : { timeoutMs, maxAttempts: 1 };
    const hasNone = ({ status, isUnauthorized, isRateLimited }: HttpError) =>
      status !== undefined && !isUnauthorized && !isRateLimited;
    const schemas = this.json.getObject(assistantSchemasSchema, { ...request, ...limits });
    return schemas.catch(inPlaceOf(hasNone, undefined));
  }

  /** Returns the nodes of an assistant's graph; undefined where the server returns none. */
  async getNodes(id: string): Promise<string[] | undefined> {
    const graph = await this.json.getObject(graphSchema, { method: "GET", path: `${this.pathOf(id)}/graph` });
    return graph.nodes?.flatMap((node) => node?.id ?? []);
  }

  /** Servers in JavaScript store any context, which must not hide the other assistants of a list. */
  protected override decode(request: RequestLine, { status, json }: HttpResponse): Assistant {
    const { context, ...fields } = isPropertyMap(json) ? json : {};
    return super.decode(request, { status, json: isPropertyMap(context) ? { ...fields, context } : fields });
  }
}
