/** Crons of an agent server: one method per endpoint (API `4B.POST /runs/crons`). */
import { z } from "zod";
import type { HttpRequest } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError, inPlaceOf } from "../../http/errors";
import { uuidSegment } from "../../schema/id";
import { optionalText } from "../../schema/schema";
import { UserError } from "../../text/user-error";
import { createLoader } from "../batch";
import type { DeepPartialNullable, JsonClient } from "../json-client";
import { collectAll, type Pages } from "../pagination";
import type { LearnedProfile } from "../profile/learned-profile";
import { freeForm, runConfig } from "./assistants";
import { ObjectClient, objectQuerySchema } from "./object-client";

/** What a cron passes to its runs. Servers return these fields only in `payload`. */
export const runFields = {
  input: z.unknown().optional().describe("Input of the runs, in the format of the graph."),
  config: runConfig.optional().describe("Configuration of the runs."),
  context: freeForm.optional().describe("What the graph reads as its context, by key."),
  webhook: z.string().optional().describe("URL that the server requests when a run ends."),
  multitaskStrategy: optionalText(
    "What happens while the thread is busy: `enqueue`, `reject`, `interrupt` or `rollback`.",
  ),
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
  onRunCompleted: optionalText(
    "What becomes of the thread of a run: `delete` or `keep`. Absent for a cron on a thread.",
  ),
  metadata: freeForm
    .optional()
    .describe("Metadata by key, which its runs and threads inherit. Keys keep their spelling."),
};

/** The body of a create and of an update. Null removes the end. */
export const cronBodySchema = z.object({ ...cronFields, ...runFields, endTime: z.string().nullable().optional() });
export type CronBody = z.input<typeof cronBodySchema>;

/** What servers return. `payload` is the body of the requests. */
export const cronSchema = z.object({
  cronId: z.string().describe("ID of the cron."),
  ...cronFields,
  threadId: optionalText("ID of the thread of its runs; absent if each has a new one."),
  userId: optionalText("Identity that created it, with which its runs run; empty without authentication."),
  payload: z.object({ ...cronFields, ...runFields }).optional(),
  nextRunDate: optionalText("Time of the next run; of no meaning while the cron is disabled or after its end."),
  createdAt: optionalText("Time of creation."),
  updatedAt: optionalText("Time of the last change."),
});

/** The assistant is a UUID: servers reject the name of a graph. */
export const cronQuerySchema = objectQuerySchema.extend(
  cronSchema.pick({ assistantId: true, threadId: true, enabled: true }).shape,
);
export type CronQuery = z.input<typeof cronQuerySchema>;

export type Cron = DeepPartialNullable<z.infer<typeof cronSchema>> & { cronId: string };

export const NO_CRONS = "This agent server does not support crons.";

const CRONS = "/runs/crons";
const info = z.object({ flags: z.object({ crons: z.boolean() }) });
/** Whether the body of /info says that the server has crons; undefined where it does not say. */
export const cronsFlagIn = (json: unknown): boolean | undefined => info.safeParse(json).data?.flags.crons;

export class NoCronsError extends UserError {
  override name = "NoCronsError";
}

/** A rejected update may be stored in part. The runs of a deleted cron continue. */
export class CronClient extends ObjectClient<Cron, CronBody, CronQuery> {
  constructor(
    json: JsonClient,
    clock: Clock,
    private readonly profile: LearnedProfile,
  ) {
    super(json, clock, {
      ...{ noun: "crons", path: CRONS, idField: "cronId" },
      ...{ schema: cronSchema, bodySchema: cronBodySchema, querySchema: cronQuerySchema },
    });
  }

  /** Returns whether the server has crons, as /info says; undefined where it does not say. */
  areSupported(): Promise<boolean | undefined> {
    return this.readFlag().catch(inPlaceOf(({ status }) => status !== undefined, undefined));
  }

  private async readFlag(): Promise<boolean | undefined> {
    return cronsFlagIn((await this.json.send({ method: "GET", path: "/info", onServerError: "throw" })).json);
  }

  /**
   * Creates a cron, on a thread if one is given. Never idempotent: search for it before a create is repeated.
   * @returns Undefined where the response does not name the cron, as a server may return a run: search for it.
   */
  override async create(body: CronBody, threadId?: string): Promise<Cron | undefined> {
    const path = threadId === undefined ? CRONS : `/threads/${uuidSegment(threadId)}${CRONS}`;
    const request: HttpRequest = { method: "POST", path, body: this.encode(body) };
    const cron = this.decode(request, await this.json.send(request));
    return this.hasId(cron) ? cron : undefined;
  }

  /** @throws NoCronsError when the server says that it has none. */
  override async *list(query: CronQuery = {}): Pages<Cron> {
    try {
      return yield* super.list(query);
    } catch (error) {
      throw await this.reasonOf(error);
    }
  }

  /** Returns what explains an error: NoCronsError when the server says that it has none. */
  async reasonOf(error: unknown): Promise<unknown> {
    const isRejected = error instanceof HttpError && error.status !== undefined && !error.isUnauthorized;
    // The first error counts: after it, the server may not respond at all.
    const areSupported = isRejected ? await this.areSupported().catch(() => undefined) : undefined;
    return areSupported === false ? new NoCronsError(NO_CRONS) : error;
  }

  /** Lists crons that a deletion would include; none where /info says so, or where their route stays missing. */
  async listForDeletion(query: CronQuery): Promise<readonly Cron[]> {
    const send = () => collectAll(super.list(query));
    return (await this.profile.read("crons-search", { send }, () => this.readFlag())) ?? [];
  }

  /** The same for the crons on a thread, in one search for concurrent calls. */
  readonly listOnThread = createLoader<readonly Cron[]>(async (ids) => {
    const crons = await this.listForDeletion(ids.length === 1 ? { threadId: ids[0] } : {});
    return ids.map((threadId) => crons.filter((cron) => cron.threadId?.toLowerCase() === threadId.toLowerCase()));
  });
}
