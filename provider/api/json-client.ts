/** Answers that are only read: the shape names the fields, and whatever a service adds or leaves out is taken as it comes. */
import { z } from "zod";
import type { Answer, Call, Door } from "../http/client";
import { RequestError } from "../http/errors";
import { isBag } from "../schema/schema";
import type { Wire } from "./case-mapper";
import { nextOffset, PAGE_SIZE, type Page, type Pages, paginate } from "./pagination";
import { shapeProblem } from "./shape";

/** What a service may leave out, or answer with null. */
export type Loose<T> = T extends readonly (infer E)[]
  ? Loose<E>[]
  : T extends object
    ? { [K in keyof T]?: Loose<T[K]> | null }
    : T;

/** Both forms of a list: bare, and in an envelope. */
const listed = z.union([
  z.array(z.unknown()).transform((resources) => ({ resources, offset: undefined })),
  z.looseObject({ resources: z.array(z.unknown()), offset: z.number().nullish() }),
]);

export class Reader {
  constructor(
    private readonly door: Door,
    private readonly wire: Wire,
  ) {}

  /** An answer that is one object. */
  async one<T>(shape: z.ZodType<T>, call: Call): Promise<Loose<T>> {
    const answer = await this.send(call);
    if (isBag(answer.json)) return this.decode(shape, call, answer);
    throw unexpected(call, answer, "the answer is no object");
  }

  /** An answer that is a list without pages. */
  async many<T>(shape: z.ZodType<T>, call: Call): Promise<Loose<T>[]> {
    return [...(await this.page(shape, call, 0)).items];
  }

  /** A list that is paged by `limit` and `offset`. @param what What is listed, as errors call it: `revisions`. */
  pages<T>(what: string, shape: z.ZodType<T>, call: Call): Pages<Loose<T>> {
    const read = (offset = 0) =>
      this.page(shape, { ...call, query: { ...call.query, limit: PAGE_SIZE, offset } }, offset);
    return paginate({ what, limit: PAGE_SIZE, read });
  }

  private async page<T>(shape: z.ZodType<T>, call: Call, offset: number): Promise<Page<Loose<T>>> {
    const answer = await this.send(call);
    const { data } = listed.safeParse(answer.json);
    if (!data) throw unexpected(call, answer, "the answer is no list");
    const items = data.resources.filter(isBag).map((json) => this.decode(shape, call, { ...answer, json }));
    return { items, next: nextOffset(offset, data.resources.length, data.offset) };
  }

  private decode<T>(shape: z.ZodType<T>, call: Call, answer: Answer): Loose<T> {
    const decoded = this.wire.decode(shape, answer.json);
    const problem = shapeProblem(shape, decoded);
    if (problem) throw unexpected(call, answer, `unexpected response: ${problem}`);
    return decoded as Loose<T>;
  }

  /** A body of ours as the service reads it. */
  encode(shape: z.ZodType, body: unknown): unknown {
    return this.wire.encode(shape, body);
  }

  private send(call: Call): Promise<Answer> {
    return this.door.send({ ...call, path: this.wire.path(call.path) });
  }
}

function unexpected({ method, path }: Call, { status }: Answer, detail: string): RequestError {
  return new RequestError({ method, path, status, detail, advice: "Does the URL point to the API itself?" });
}
