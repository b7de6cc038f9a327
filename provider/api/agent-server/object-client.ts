/**
 * What assistants, crons and threads have in common: the endpoints below one path (API `4B`). Where servers have no
 * search by IDs, concurrent reads share a search of everything.
 */
import { z } from "zod";
import type { HttpRequest, HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError, ignoreNotFound, inPlaceOf, recover } from "../../http/errors";
import { isSameId, isUuid, uuidSegment } from "../../schema/id";
import { snakeCase } from "../../text/format";
import { AbsenceCheck, type PartialList } from "../absence";
import { createIdReader } from "../batch";
import { isEmpty, type JsonClient, type RequestLine } from "../json-client";
import { collectAll, collectAvailable, findFirst, PAGE_SIZE, type Page, type Pages, paginate } from "../pagination";

/** Items per page: the maximum of the published servers. */
export const MAX_PAGE_SIZE = 1000;

export interface ObjectEndpoints<T> {
  /** What the search lists, in the plural: `assistants`. */
  noun: string;
  path: string;
  /** The field with the ID, a UUID. */
  idField: keyof T & string;
  /** What servers return. */
  schema: z.ZodType;
  bodySchema: z.ZodType;
  /** The most IDs of one search. Default: any. */
  maxIds?: number;
  querySchema: z.ZodType;
}

export const objectQuerySchema = z.object({ metadata: z.record(z.string(), z.unknown()).optional() });
type ObjectQuery = z.input<typeof objectQuerySchema>;

export abstract class ObjectClient<T extends object, B extends object, Q extends ObjectQuery = ObjectQuery> {
  private readonly absence: AbsenceCheck<T>;
  private pageSize = MAX_PAGE_SIZE;
  /** Returns an object as `get` does, in one search for concurrent calls. */
  readonly peek: (id: string) => Promise<T | undefined>;

  constructor(
    protected readonly json: JsonClient,
    clock: Clock,
    private readonly endpoints: ObjectEndpoints<T>,
  ) {
    const { noun, maxIds = Number.POSITIVE_INFINITY } = endpoints;
    const read = (id: string) => this.get(id);
    this.peek = createIdReader<T, T | undefined>({
      readMany: (ids) => this.readMany(ids),
      readOne: read,
      idOf: this.idOf,
      maxBatchSize: maxIds,
    });
    this.absence = new AbsenceCheck({ clock, noun, read, list: (ids) => this.listExisting(ids) });
  }

  protected readMany(ids: readonly string[]): Promise<readonly T[]> {
    return listSome(() => this.list(), ids, this.idOf);
  }

  /** Returns the IDs that exist, at least those of the given ones. */
  protected async listExisting(_ids: readonly string[]): Promise<ReadonlySet<string> | PartialList> {
    return new Set((await collectAll(this.list())).map(this.idOf));
  }

  async create(body: B): Promise<T | undefined> {
    return this.requestOne({ method: "POST", path: this.endpoints.path, body: this.encode(body) });
  }

  /** Lists all objects that match, oldest first where the server sorts. */
  list(query: ObjectQuery & Partial<Q> = {}): Pages<T> {
    const { noun, path, querySchema } = this.endpoints;
    const filter = this.json.encode(querySchema, query) as object;
    const sorted = { ...filter, limit: MAX_PAGE_SIZE, sort_by: "created_at", sort_order: "asc" };
    return paginate<T, number>({
      noun,
      limit: MAX_PAGE_SIZE,
      idOf: this.idOf,
      read: (offset = 0) => this.readPage(`${path}/search`, { ...sorted, ...(offset > 0 && { offset }) }, offset),
    });
  }

  /** Requests an object, or looks for it in the list, if the server has only that; undefined when there is none. */
  async get(id: string): Promise<T | undefined> {
    const findListed = () => findFirst(this.list(), (item) => isSameId(this.idOf(item), id));
    const found = this.requestOne({ method: "GET", path: this.pathOf(id) }, id).catch(ignoreNotFound);
    return found.catch(recover(({ isUnsupportedRoute }) => isUnsupportedRoute, findListed));
  }

  /** Returns an object, in one search for concurrent calls; undefined when it is gone. */
  async find(id: string): Promise<T | undefined> {
    return (await this.peek(id)) ?? this.absence.find(id);
  }

  /** Updates an object. Metadata is merged, other fields are replaced. */
  async update(id: string, body: Omit<B, "assistantId" | "ifExists">): Promise<T> {
    const request: HttpRequest = { method: "PATCH", path: this.pathOf(id), body: this.encode(body) };
    const response = await this.json.send(request);
    const read = isEmpty(response) ? await this.get(id) : undefined;
    return read ?? this.toObject(request, response, id);
  }

  /** Deletes an object. @throws HttpError with 404 when it is gone. */
  async delete(id: string): Promise<void> {
    await this.json.send({ method: "DELETE", path: this.pathOf(id) });
  }

  protected pathOf(id: string): string {
    return `${this.endpoints.path}/${uuidSegment(id)}`;
  }

  /** Drops items without an ID. Of a server that rejects large pages, smaller ones are read from then on. */
  protected async readPage(path: string, body: { limit?: number }, offset = 0): Promise<Page<T>> {
    const limit = body.limit && Math.min(body.limit, this.pageSize);
    const request: HttpRequest = { method: "POST", path, body: { ...body, limit }, isRead: true };
    const toItem = (item: HttpResponse) => this.decode(request, item);
    try {
      const { items, next } = await this.json.getPage(request, toItem, offset, this.idField);
      return { items: items.filter((item) => this.hasId(item)), next };
    } catch (error) {
      if (!limit || limit <= PAGE_SIZE || !(error instanceof HttpError) || !error.isInvalid) throw error;
      const page = await this.readPage(path, { ...body, limit: PAGE_SIZE }, offset);
      this.pageSize = PAGE_SIZE;
      return page;
    }
  }

  protected async requestOne(request: HttpRequest, id?: string): Promise<T> {
    return this.toObject(request, await this.json.send(request), id);
  }

  /** @param id Of the requested object: another one in the response may belong to anyone. */
  private toObject(request: RequestLine, response: HttpResponse, id?: string): T {
    const object = this.decode(request, response);
    if (!this.hasId(object)) throw this.withoutId(request, response);
    if (id === undefined || this.idOf(object).toLowerCase() === id.toLowerCase()) return object;
    const problem = `${this.idField} is that of another object, ${this.idOf(object)}`;
    throw this.json.unexpected(request, problem, response);
  }

  protected withoutId(request: RequestLine, response: HttpResponse): HttpError {
    return this.json.unexpected(request, `${this.idField} is not a UUID`, response);
  }

  private get idField(): string {
    return snakeCase(this.endpoints.idField);
  }

  protected decode(request: RequestLine, response: HttpResponse): T {
    return this.json.decode(this.endpoints.schema, request, response) as T;
  }

  protected encode(body: object): unknown {
    return this.json.encode(this.endpoints.bodySchema, body);
  }

  protected hasId(item: T): boolean {
    return isUuid(item[this.endpoints.idField]);
  }

  protected readonly idOf = (item: T): string => String(item[this.endpoints.idField]);
}

/** Searches until requesting the missing ones costs less; returns nothing where the server rejects the search. */
async function listSome<T>(list: () => Pages<T>, ids: readonly string[], idOf: (item: T) => string): Promise<T[]> {
  const missing = new Set(ids);
  let pageCount = 0;
  const isEnough = (_all: readonly T[], page: readonly T[]) => {
    for (const item of page) missing.delete(idOf(item));
    pageCount++;
    return missing.size <= pageCount;
  };
  const nothing = { items: [] };
  return (await collectAvailable(list(), isEnough).catch(inPlaceOf(({ isRejection }) => isRejection, nothing))).items;
}
