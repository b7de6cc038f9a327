/** Crons of an agent server: one method per endpoint (API `4B.POST /runs/crons`). */
import { z } from "zod";
import type { HttpRequest } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError, ignoreNotFound } from "../../http/errors";
import { isUuid, uuidSegment } from "../../schema/id";
import { UserError } from "../../text/user-error";
import type { DeepPartialNullable, JsonClient } from "../json-client";
import { type Page, type Pages, paginate } from "../pagination";
import { freeForm, runConfig } from "./assistant-schemas";
import { ObjectLookup } from "./object-lookup";

/** What a cron passes to its runs. Servers return these fields only in `payload`. */
export const runFields = {
  input: z.unknown().optional().describe("Input of the runs, in the format of the graph."),
  config: runConfig.optional().describe("Configuration of the runs."),
  context: freeForm.optional().describe("What the graph reads as its context, by key."),
  webhook: z.string().optional().describe("URL that the server requests when a run ends."),
  multitaskStrategy: z
    .string()
    .optional()
    .describe("What happens while the thread is busy: `enqueue`, `reject`, `interrupt` or `rollback`."),
  interruptBefore: z.unknown().optional().describe("Nodes before which runs stop: a list, or `*` for all."),
  interruptAfter: z.unknown().optional().describe("Nodes after which runs stop: a list, or `*` for all."),
  streamMode: z.unknown().optional().describe("What runs stream: one mode, or a list of them."),
  streamSubgraphs: z.boolean().optional().describe("Whether runs stream subgraphs too."),
  streamResumable: z.boolean().optional().describe("Whether the stream of a run can be joined again."),
  durability: z.string().optional().describe("When runs store their state: `sync`, `async` or `exit`."),
};

export const cronFields = {
  assistantId: z.string().optional().describe("ID of the assistant; the default assistant of a graph for its name."),
  schedule: z.string().optional().describe("Schedule in cron format, with five fields."),
  timezone: z.string().optional().describe("Name of the time zone; absent for UTC."),
  endTime: z.string().optional().describe("When the cron ends, as it was set; absent if it does not."),
  enabled: z.boolean().optional().describe("Whether it makes runs."),
  onRunCompleted: z
    .string()
    .optional()
    .describe("What becomes of the thread of a run: `delete` or `keep`. Absent for a cron on a thread."),
  metadata: freeForm
    .optional()
    .describe("Metadata by key, which its runs and threads inherit. Keys keep their spelling."),
};

/** The body of a create and of an update. Null removes the end. */
export const cronBodySchema = z.object({
  ...cronFields,
  ...runFields,
  endTime: z.string().nullable().optional(),
});
export type CronBody = z.input<typeof cronBodySchema>;

/** What servers return. `payload` is the body of the requests. */
const cronSchema = z.object({
  cronId: z.string(),
  ...cronFields,
  threadId: z.string().optional(),
  userId: z.string().optional(),
  payload: z.object({ ...cronFields, ...runFields }).optional(),
  nextRunDate: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

export const cronQuerySchema = z.object({
  /** A UUID: servers reject the name of a graph. */
  assistantId: z.string().optional(),
  threadId: z.string().optional(),
  enabled: z.boolean().optional(),
  metadata: freeForm.optional(),
});
export type CronQuery = z.input<typeof cronQuerySchema>;

type CronInfo = DeepPartialNullable<z.infer<typeof cronSchema>>;
export type Cron = CronInfo & { cronId: string };

/** Items per page: the maximum of servers. */
const MAX_PAGE_SIZE = 1000;

export const NO_CRONS = "This agent server does not support crons.";

const CRONS = "/runs/crons";
const cronPath = (id: string) => `${CRONS}/${uuidSegment(id)}`;
const hasId = (cron: CronInfo): cron is Cron => isUuid(cron.cronId);
const info = z.object({ flags: z.object({ crons: z.boolean() }) });

/** The server has no crons, as its /info says. */
export class NoCronsError extends UserError {
  override name = "NoCronsError";
}

export class CronClient {
  private readonly lookup: ObjectLookup<Cron>;

  constructor(
    private readonly json: JsonClient,
    clock: Clock,
  ) {
    this.lookup = new ObjectLookup({
      clock,
      noun: "crons",
      read: (id) => this.get(id),
      list: () => this.list(),
      idOf: ({ cronId }) => cronId,
    });
  }

  /** Returns whether the server has crons, as /info says; undefined where it does not say. */
  async areSupported(): Promise<boolean | undefined> {
    try {
      const { json } = await this.json.send({ method: "GET", path: "/info", onServerError: "throw" });
      return info.safeParse(json).data?.flags.crons;
    } catch (error) {
      if (error instanceof HttpError && error.status !== undefined) return undefined;
      throw error;
    }
  }

  /**
   * Creates a cron, on a thread if one is given. Never idempotent: search for it before a create is repeated.
   * @returns Undefined where the response does not name the cron, as a server may return a run: search for it.
   */
  async create(body: CronBody, threadId?: string): Promise<Cron | undefined> {
    const path = threadId === undefined ? CRONS : `/threads/${uuidSegment(threadId)}${CRONS}`;
    const request: HttpRequest = { method: "POST", path, body: this.encode(body) };
    const cron = this.json.decode(cronSchema, request, await this.json.send(request));
    return hasId(cron) ? cron : undefined;
  }

  /** Requests a cron; undefined when the server returns 404 for it. */
  async get(id: string): Promise<Cron | undefined> {
    return this.requestOne({ method: "GET", path: cronPath(id) }).catch(ignoreNotFound);
  }

  /** Returns a cron as `get` does, in one search for concurrent calls. */
  peek(id: string): Promise<Cron | undefined> {
    return this.lookup.peek(id);
  }

  /** Returns a cron, in one search for concurrent calls; undefined when it is gone. */
  find(id: string): Promise<Cron | undefined> {
    return this.lookup.find(id);
  }

  /** Updates a cron. Metadata is merged, other fields are replaced. A rejected update may be stored in part. */
  async update(id: string, body: Omit<CronBody, "assistantId">): Promise<Cron> {
    return this.requestOne({ method: "PATCH", path: cronPath(id), body: this.encode(body) });
  }

  /** Deletes a cron; its runs continue. @throws HttpError with 404 when it is gone. */
  async delete(id: string): Promise<void> {
    await this.json.send({ method: "DELETE", path: cronPath(id) });
  }

  /** Lists crons, oldest first. */
  list(query: CronQuery = {}): Pages<Cron> {
    const filter = this.json.encode(cronQuerySchema, query) as object;
    const sorted = { ...filter, limit: MAX_PAGE_SIZE, sort_by: "created_at", sort_order: "asc" };
    return paginate<Cron, number>({
      noun: "crons",
      limit: MAX_PAGE_SIZE,
      idOf: ({ cronId }) => cronId,
      read: (offset = 0) => this.readPage({ ...sorted, ...(offset > 0 && { offset }) }, offset),
    });
  }

  /** Drops items without an ID. */
  private async readPage(body: object, offset: number): Promise<Page<Cron>> {
    const request: HttpRequest = { method: "POST", path: `${CRONS}/search`, body, isRead: true };
    const decode = (item: Parameters<JsonClient["decode"]>[2]) => this.json.decode(cronSchema, request, item);
    const { items, next } = await this.json.getPage(request, decode, offset);
    return { items: items.filter(hasId), next };
  }

  private async requestOne(request: HttpRequest): Promise<Cron> {
    const response = await this.json.send(request);
    const cron = this.json.decode(cronSchema, request, response);
    if (hasId(cron)) return cron;
    throw this.json.unexpected(request, "cron_id is not a UUID", response);
  }

  private encode(body: CronBody): unknown {
    return this.json.encode(cronBodySchema, body);
  }
}

/**
 * Returns the result of requests.
 * @throws NoCronsError in place of an error whose reason is that the server has no crons.
 */
export async function explainRejection<T>(crons: CronClient, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const isRejected = error instanceof HttpError && error.status !== undefined && !error.isUnauthorized;
    // The first error counts: after it, the server may not respond at all.
    const areSupported = isRejected ? await crons.areSupported().catch(() => undefined) : undefined;
    if (areSupported === false) throw new NoCronsError(NO_CRONS);
    throw error;
  }
}
