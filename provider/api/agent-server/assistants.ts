/** Assistants of an agent server: one method per endpoint (API `4B.POST /assistants`). */
import type { z } from "zod";
import type { HttpRequest, HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError, ignoreNotFound } from "../../http/errors";
import { isUuid, uuidSegment } from "../../schema/id";
import { isPropertyMap } from "../../schema/schema";
import { defaultAssistantId } from "../../schema/uuid";
import { ContradictionError } from "../absence";
import type { DeepPartialNullable, JsonClient, RequestLine } from "../json-client";
import { collectAll, findFirst, type Page, type Pages, paginate } from "../pagination";
import {
  type AssistantBody,
  type AssistantQuery,
  assistantBodySchema,
  assistantInfoSchema,
  assistantQuerySchema,
  assistantSchemasSchema,
} from "./assistant-schemas";
import { ObjectLookup } from "./object-lookup";

export { defaultAssistantId };

type AssistantInfo = DeepPartialNullable<z.infer<typeof assistantInfoSchema>>;
export type Assistant = AssistantInfo & {
  assistantId: string;
  /** Set by `find`: a search returns it, but GET does not, because the server lacks its graph. */
  isGraphMissing?: true;
};
export type AssistantSchemas = DeepPartialNullable<z.infer<typeof assistantSchemasSchema>>;

/** Items per page: the maximum of servers. */
const MAX_PAGE_SIZE = 1000;

const ASSISTANTS = "/assistants";
const assistantPath = (id: string) => `${ASSISTANTS}/${uuidSegment(id)}`;

const hasId = (assistant: AssistantInfo): assistant is Assistant => isUuid(assistant.assistantId);

/** Whether the server made this assistant for a graph, so that nobody else may change or delete it. */
export const isDefaultAssistant = ({ assistantId, graphId, metadata }: Partial<Assistant>): boolean =>
  metadata?.created_by === "system" || (graphId != null && assistantId?.toLowerCase() === defaultAssistantId(graphId));

export class AssistantClient {
  private readonly lookup: ObjectLookup<Assistant>;

  constructor(
    private readonly json: JsonClient,
    clock: Clock,
  ) {
    this.lookup = new ObjectLookup({
      clock,
      noun: "assistants",
      read: (id) => this.get(id),
      list: () => this.list(),
      idOf: ({ assistantId }) => assistantId,
    });
  }

  /** Creates an assistant. With `ifExists: "do_nothing"` the response may be an existing one, unchanged, and the request is repeated after a failure. */
  create(body: AssistantBody): Promise<Assistant> {
    const isRead = body.ifExists === "do_nothing" && body.assistantId !== undefined;
    return this.requestOne({ method: "POST", path: ASSISTANTS, body: this.encode(body), isRead });
  }

  /** Requests an assistant; undefined when the server returns 404 for it, as it also does when its graph is missing. */
  async get(id: string): Promise<Assistant | undefined> {
    return this.requestOne({ method: "GET", path: assistantPath(id) }).catch(ignoreNotFound);
  }

  /** Returns an assistant as `get` does, in one search for concurrent calls. */
  peek(id: string): Promise<Assistant | undefined> {
    return this.lookup.peek(id);
  }

  /** Returns an assistant, in one search for concurrent calls; undefined when it is gone. */
  async find(id: string): Promise<Assistant | undefined> {
    try {
      return await this.lookup.find(id);
    } catch (error) {
      if (!(error instanceof ContradictionError)) throw error;
      const listed = await findFirst(this.list(), ({ assistantId }) => assistantId === id);
      if (listed) return { ...listed, isGraphMissing: true };
      throw error;
    }
  }

  /** Updates an assistant, which makes a new version even without a difference. Metadata is merged, `config` and `context` are replaced. */
  async update(id: string, body: Omit<AssistantBody, "assistantId" | "ifExists">): Promise<Assistant> {
    return this.requestOne({ method: "PATCH", path: assistantPath(id), body: this.encode(body) });
  }

  /** Deletes an assistant with its versions and crons. Threads are kept. @throws HttpError with 404 when it is gone. */
  async delete(id: string): Promise<void> {
    await this.json.send({ method: "DELETE", path: assistantPath(id) });
  }

  /** Lists assistants, oldest first where the server sorts. Of a graph that the server does not know there are none. */
  async *list(query: AssistantQuery = {}): Pages<Assistant> {
    const pages = this.search(query);
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
    const path = `${assistantPath(id)}/versions`;
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
  async getSchemas(id: string): Promise<AssistantSchemas | undefined> {
    const path = `${assistantPath(id)}/schemas`;
    try {
      return await this.json.getObject(assistantSchemasSchema, { method: "GET", path, onServerError: "throw" });
    } catch (error) {
      if (error instanceof HttpError && error.status !== undefined && !error.isUnauthorized && !error.isRateLimited)
        return undefined;
      throw error;
    }
  }

  private search(query: AssistantQuery): Pages<Assistant> {
    const filter = this.json.encode(assistantQuerySchema, query) as object;
    const sorted = { ...filter, limit: MAX_PAGE_SIZE, sort_by: "created_at", sort_order: "asc" };
    return paginate<Assistant, number>({
      noun: "assistants",
      limit: MAX_PAGE_SIZE,
      idOf: ({ assistantId }) => assistantId,
      read: (offset = 0) => this.readPage(`${ASSISTANTS}/search`, { ...sorted, ...(offset > 0 && { offset }) }, offset),
    });
  }

  /** Drops items without an ID. */
  private async readPage(path: string, body: object, offset = 0): Promise<Page<Assistant>> {
    const request: HttpRequest = { method: "POST", path, body, isRead: true };
    const { items, next } = await this.json.getPage(request, (item) => this.decode(request, item), offset);
    return { items: items.filter(hasId), next };
  }

  private async requestOne(request: HttpRequest): Promise<Assistant> {
    const response = await this.json.send(request);
    const assistant = this.decode(request, response);
    if (hasId(assistant)) return assistant;
    throw this.json.unexpected(request, "assistant_id is not a UUID", response);
  }

  /** Servers in JavaScript store any context, which must not hide the other assistants of a list. */
  private decode(request: RequestLine, { status, json }: HttpResponse): AssistantInfo {
    const { context, ...fields } = isPropertyMap(json) ? json : {};
    return this.json.decode(assistantInfoSchema, request, {
      status,
      json: isPropertyMap(context) ? { ...fields, context } : fields,
    });
  }

  private encode(body: AssistantBody): unknown {
    return this.json.encode(assistantBodySchema, body);
  }
}
