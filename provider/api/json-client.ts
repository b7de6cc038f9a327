/** Answers that are only read: the shape names the fields, and whatever a service adds or leaves out is taken as it comes. */
import { z } from "zod";
import type { HttpClient, HttpRequest, HttpResponse } from "../http/client";
import { HttpError } from "../http/errors";
import { isPropertyMap } from "../schema/schema";
import type { CaseMapper } from "./case-mapper";
import { nextOffset, PAGE_SIZE, type Page, type Pages, paginate } from "./pagination";
import { findSchemaViolation } from "./shape";

/** What a service may leave out, or answer with null. */
export type DeepPartialNullable<T> = T extends readonly (infer E)[]
  ? DeepPartialNullable<E>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartialNullable<T[K]> | null }
    : T;

/** Both forms of a list: bare, and in an envelope. */
const listEnvelope = z.union([
  z.array(z.unknown()).transform((resources) => ({ resources, offset: undefined })),
  z.looseObject({ resources: z.array(z.unknown()), offset: z.number().nullish() }),
]);

export class JsonClient {
  constructor(
    private readonly http: HttpClient,
    private readonly caseMapper: CaseMapper,
  ) {}

  /** An answer that is one object. */
  async getObject<T>(schema: z.ZodType<T>, request: HttpRequest): Promise<DeepPartialNullable<T>> {
    const response = await this.send(request);
    if (isPropertyMap(response.json)) return this.decode(schema, request, response);
    throw unexpected(request, response, "the answer is no object");
  }

  /** An answer that is a list without pages. */
  async getList<T>(schema: z.ZodType<T>, request: HttpRequest): Promise<DeepPartialNullable<T>[]> {
    return [...(await this.page(schema, request, 0)).items];
  }

  /** A list that is paged by `limit` and `offset`. @param what What is listed, as errors call it: `revisions`. */
  paginate<T>(what: string, schema: z.ZodType<T>, request: HttpRequest): Pages<DeepPartialNullable<T>> {
    const read = (offset = 0) =>
      this.page(schema, { ...request, query: { ...request.query, limit: PAGE_SIZE, offset } }, offset);
    return paginate({ what, limit: PAGE_SIZE, read });
  }

  private async page<T>(
    schema: z.ZodType<T>,
    request: HttpRequest,
    offset: number,
  ): Promise<Page<DeepPartialNullable<T>>> {
    const response = await this.send(request);
    const { data } = listEnvelope.safeParse(response.json);
    if (!data) throw unexpected(request, response, "the answer is no list");
    const items = data.resources
      .filter(isPropertyMap)
      .map((json) => this.decode(schema, request, { ...response, json }));
    return { items, next: nextOffset(offset, data.resources.length, data.offset) };
  }

  private decode<T>(schema: z.ZodType<T>, request: HttpRequest, response: HttpResponse): DeepPartialNullable<T> {
    const decoded = this.caseMapper.decode(schema, response.json);
    const problem = findSchemaViolation(schema, decoded);
    if (problem) throw unexpected(request, response, `unexpected response: ${problem}`);
    return decoded as DeepPartialNullable<T>;
  }

  /** A body of ours as the service reads it. */
  encode(schema: z.ZodType, body: unknown): unknown {
    return this.caseMapper.encode(schema, body);
  }

  private send(request: HttpRequest): Promise<HttpResponse> {
    return this.http.send({ ...request, path: this.caseMapper.path(request.path) });
  }
}

function unexpected({ method, path }: HttpRequest, { status }: HttpResponse, detail: string): HttpError {
  return new HttpError({ method, path, status, detail, hint: "Does the URL point to the API itself?" });
}
