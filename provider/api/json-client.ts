/** The base of all API clients: sends requests and decodes JSON responses, whatever fields a server adds or omits. */
import { z } from "zod";
import type { HttpRequest, HttpResponse } from "../http/client";
import { HttpError } from "../http/errors";
import { withExtra, withReceived } from "../schema/extra";
import { isPropertyMap } from "../schema/schema";
import { truncate } from "../text/format";
import { howToSetVocabulary, vocabularyIn } from "../text/vocabulary";
import { type CaseMapper, SchemaViolation } from "./case-mapper";
import type { Sender } from "./connection";
import { nextOffset, PAGE_SIZE, type Page, type Pages, paginate } from "./pagination";

/** A server may omit any field, or send null for it. */
export type DeepPartialNullable<T> = T extends readonly (infer E)[]
  ? DeepPartialNullable<E>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartialNullable<T[K]> | null }
    : T;

export type Nullish<T> = { [K in keyof T]?: T[K] | null };

export type RequestLine = Pick<HttpRequest, "method" | "path">;

/** Both forms of a list: bare, and in an envelope. */
const listEnvelope = z.union([
  z.array(z.unknown()).transform((resources) => ({ resources, offset: undefined })),
  z.looseObject({ resources: z.array(z.unknown()), offset: z.unknown().optional() }),
]);

/** Whether the response to a change confirms it without the object, which must then be read. */
export const isEmpty = ({ json }: HttpResponse): boolean =>
  json == null || (isPropertyMap(json) && Object.keys(json).length === 0);

export class JsonClient {
  /** @param hint What to check when a response does not have the expected form. */
  constructor(
    private readonly http: Sender,
    private readonly caseMapper: CaseMapper,
    private readonly hint: string,
  ) {}

  /** The server's current time, from its own Date header where it sent one. Milliseconds. */
  serverNow(): number {
    return this.http.serverNow();
  }

  /** @throws HttpError, which says so when the server uses other words than the setting `vocabulary`. */
  send(request: HttpRequest): Promise<HttpResponse> {
    const path = request.isProbe ? request.path : this.caseMapper.path(request.path);
    return this.http.send({ ...request, path }).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      const hint = this.vocabularyHint(error, path !== request.path || path.includes("/githost/"));
      throw hint === undefined ? error : error.withHint(hint);
    });
  }

  /** @param hasTerm Whether the path of the request contains a word that servers name differently. */
  private vocabularyHint({ detail, status, isUnsupportedRoute }: HttpError, hasTerm: boolean): string | undefined {
    const { vocabulary } = this.caseMapper;
    const other = status === 400 || status === 422 ? vocabularyIn(detail, vocabulary) : undefined;
    if (other) return `This server uses other words. ${howToSetVocabulary(other)}`;
    if (!hasTerm || !isUnsupportedRoute || status !== 404) return undefined;
    return (
      `Its path contains "${vocabulary.githost}", which some platforms name differently: see the setting ` +
      "vocabulary."
    );
  }

  /** @throws HttpError when the response is not an object of this form. */
  async getObject<T>(schema: z.ZodType<T>, request: HttpRequest): Promise<DeepPartialNullable<T>> {
    const response = await this.send(request);
    if (isPropertyMap(response.json)) return this.decode(schema, request, response);
    throw this.unexpected(request, "the body is not an object", response);
  }

  /** A list without pages. Items that are not objects are dropped. */
  async getList<T>(schema: z.ZodType<T>, request: HttpRequest): Promise<DeepPartialNullable<T>[]> {
    return [...(await this.getPage(request, (item) => this.decode(schema, request, item))).items];
  }

  /** @param noun The plural noun in errors: `revisions`. @param toItem Decodes an item, passed as a response. */
  paginate<T>(noun: string, request: HttpRequest, toItem: (item: HttpResponse) => T): Pages<T> {
    const read = (offset = 0) =>
      this.getPage({ ...request, query: { ...request.query, limit: PAGE_SIZE, offset } }, toItem, offset);
    return paginate({ noun, limit: PAGE_SIZE, read });
  }

  /** @param toItem Decodes an item. @param idField The field with its ID. @throws HttpError that names a wrong one. */
  async getPage<T>(
    request: HttpRequest,
    toItem: (item: HttpResponse) => T,
    offset = 0,
    idField = "id",
  ): Promise<Page<T>> {
    const response = await this.send(request);
    const { data } = listEnvelope.safeParse(response.json);
    if (!data) throw this.unexpected(request, "the body is not a list", response);
    const items = data.resources.filter(isPropertyMap).map((json) => {
      try {
        return toItem({ ...response, json });
      } catch (error) {
        const { [idField]: id } = json;
        if (!(error instanceof HttpError) || typeof id !== "string") throw error;
        throw error.explainedBy(`It is about the item with ID ${truncate(id, 100)}: a newer version may know it.`);
      }
    });
    return { items, next: nextOffset(offset, data.resources.length, data.offset) };
  }

  /** Returns the body of a request. Its field `extra` contains further fields in the spelling of the server. */
  encode(schema: z.ZodType, body: object): unknown {
    return withExtra(this.caseMapper.encode(schema, body), (body as { extra?: unknown }).extra);
  }

  /** The fields of a response under our names. @throws HttpError when one does not have the form of the schema. */
  decode<T>(schema: z.ZodType<T>, request: RequestLine, response: HttpResponse): DeepPartialNullable<T> {
    const { json } = response;
    try {
      const decoded = this.caseMapper.decode(schema, isPropertyMap(json) ? json : {}) as object;
      return withReceived(decoded, json) as DeepPartialNullable<T>;
    } catch (error) {
      if (error instanceof SchemaViolation) throw this.unexpected(request, error.message, response);
      throw error;
    }
  }

  /** A success status with a response of another form. The server acted, so reading the object settles a change. */
  unexpected(request: RequestLine, problem: string, response: Omit<HttpResponse, "json">): HttpError {
    return this.failure(request, `unexpected response: ${problem}`, response);
  }

  failure({ method, path }: RequestLine, detail: string, { status, requestId }: Omit<HttpResponse, "json">): HttpError {
    return new HttpError({ method, path, status, requestId, detail, hint: this.hint });
  }
}
