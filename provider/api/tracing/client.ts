/** The tracing API: one method per endpoint (API `4C`). Every field of a response but the ID may be absent. */
import type { z } from "zod";
import type { HttpRequest, HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { describeMissingId } from "../../http/error-detail";
import { HttpError, ignoreNotFound, ignoreUnsupported, recover } from "../../http/errors";
import { isSameId, pathSegment } from "../../schema/id";
import { AbsenceCheck } from "../absence";
import { createLoader } from "../batch";
import type { JsonClient } from "../json-client";
import { nextOffset, PAGE_SIZE, type Pages, paginate } from "../pagination";
import type { Feature } from "../profile/features";
import { LearnedProfile } from "../profile/learned-profile";
import {
  type Destination,
  type DestinationBody,
  destinationBodySchema,
  destinationSchema,
  type Export,
  type ExportBody,
  type ExportRun,
  exportRunSchema,
  exportSchema,
  type Project,
  projectSchema,
  type WithId,
  type Workspace,
  withId,
  withoutEmptyFields,
  workspaceSchema,
} from "./schemas";

export type { Destination, DestinationBody, Export, ExportBody, ExportRun, Project } from "./schemas";

const EXPORTS = "/api/v1/bulk-exports";
const DESTINATIONS = `${EXPORTS}/destinations`;
const PROJECTS = "/api/v1/sessions";

// API `1C:plan`.
const PLAN_HINT = "Bulk exports require the Enterprise plan, or the Plus plan for customers from before 3 August 2026.";
const NAMES_CREDENTIAL = /\bapi[ _-]?key\b|\btoken\b|\bcredentials?\b/i;

const pathBelow = (path: string, id: string) => `${path}/${pathSegment(id)}`;

export class TracingClient {
  readonly profile: LearnedProfile;
  /** By the most attempts; empty for the usual ones. A hundred creates at once read a whole list once. */
  private readonly exportLists = createLoader(
    listOnce(async (options) =>
      (await this.requestList(exportSchema, { method: "GET", path: EXPORTS, ...options })).map(withoutEmptyFields),
    ),
  );
  private readonly destinationLists = createLoader(
    listOnce((options) => this.requestList(destinationSchema, { method: "GET", path: DESTINATIONS, ...options })),
  );
  private readonly absentExports: AbsenceCheck<RemoteExport>;
  private readonly absentDestinations: AbsenceCheck<Destination>;

  constructor(
    private readonly json: JsonClient,
    clock: Clock,
  ) {
    this.profile = new LearnedProfile(clock);
    this.absentExports = new AbsenceCheck({
      clock,
      noun: "exports",
      read: (id) => this.getExport(id).catch(ignoreNotFound),
      list: () => this.tryList("exports-list", () => this.listExports()).then(toIds),
      hasList: () => this.profile.has("exports-list") === true,
    });
    this.absentDestinations = new AbsenceCheck({
      clock,
      noun: "destinations",
      read: async (id) => (await this.showDestination(id)).destination,
      list: () => this.tryList("destinations-list", () => this.listDestinations()).then(toIds),
      hasList: () => this.profile.has("destinations-list") === true,
    });
  }

  /** Returns an export; undefined when it is gone. */
  async findExport(id: string): Promise<RemoteExport | undefined> {
    return (await this.getExport(id).catch(ignoreNotFound)) ?? this.absentExports.find(id);
  }

  /**
   * Requests a destination by its ID, else from the list, since a server may lack either route.
   * @returns The destination, or the rejection of the first request; and whether the list was returned.
   */
  async showDestination(id: string): Promise<Shown> {
    const reading = this.getDestination(id).then((destination): Shown => ({ destination, isListed: false }));
    const find = async (rejection: HttpError): Promise<Shown> => {
      const all = await this.tryList("destinations-list", () => this.listDestinations());
      return { destination: all?.find((one) => isSameId(one.id, id)), isListed: all !== undefined, rejection };
    };
    return reading.catch(recover(({ isUnsupportedRoute }) => isUnsupportedRoute, find));
  }

  /** Returns a destination that the server did not show; undefined when it is gone. */
  findDestinationAgain(id: string): Promise<Destination | undefined> {
    return this.absentDestinations.find(id);
  }

  /** Creates a destination. The server tests the bucket and the credentials first. */
  createDestination(body: DestinationBody): Promise<Destination> {
    const encoded = this.json.encode(destinationBodySchema, body);
    return this.requestObject(destinationSchema, { method: "POST", path: DESTINATIONS, body: encoded });
  }

  /** Optional route: API `4C`. */
  getDestination(id: string): Promise<Destination> {
    return this.requestObject(destinationSchema, { method: "GET", path: pathBelow(DESTINATIONS, id) }, id);
  }

  /** Lists all destinations of the workspace, in one request for concurrent calls. Optional route. */
  listDestinations({ maxAttempts }: ListOptions = {}): Promise<Destination[]> {
    return this.destinationLists(String(maxAttempts ?? ""));
  }

  /** Replaces all credentials. The server tests them first. Optional route. */
  rotateCredentials(id: string, identity: Pick<DestinationBody, "credentials" | "awsRoleArn">): Promise<Destination> {
    const body = this.json.encode(destinationBodySchema, identity);
    return this.requestObject(destinationSchema, { method: "PATCH", path: pathBelow(DESTINATIONS, id), body }, id);
  }

  /** Optional route; only the newest servers have it. */
  async deleteDestination(id: string): Promise<void> {
    await this.json.send({ method: "DELETE", path: pathBelow(DESTINATIONS, id) }).catch(withPlanHint);
  }

  /**
   * Creates a one-time export, or a schedule if `intervalHours` is set. The response may contain nothing but the ID.
   * @throws HttpError; a 429 is not retried, since a quota takes an hour to clear, or never clears (API `7.429`).
   */
  createExport(body: ExportBody): Promise<Export> {
    const encoded = this.json.encode(exportSchema, body);
    return this.requestObject(exportSchema, { method: "POST", path: EXPORTS, body: encoded, onRateLimit: "throw" });
  }

  async getExport(id: string): Promise<RemoteExport> {
    const request = { method: "GET", path: pathBelow(EXPORTS, id) } as const;
    const response = await this.json.send(request).catch(withPlanHint);
    const { status, ...remote } = withoutEmptyFields(this.toObject(exportSchema, request, response, id));
    if (status == null) throw this.json.unexpected(request, "status is missing", response);
    return { ...remote, status };
  }

  /** Lists all exports, schedules and what they create, in one request for concurrent calls. Optional route. */
  listExports({ maxAttempts }: ListOptions = {}): Promise<Export[]> {
    return this.exportLists(String(maxAttempts ?? ""));
  }

  /** Cancels an export, the only change that the API supports. Optional route. */
  cancelExport(id: string): Promise<Export> {
    return this.requestObject(
      exportSchema,
      { method: "PATCH", path: pathBelow(EXPORTS, id), body: { status: "Cancelled" } },
      id,
    );
  }

  /** Lists the runs of an export: one per day and project. Optional route. */
  listExportRuns(id: string): Promise<ExportRun[]> {
    return this.requestList(exportRunSchema, { method: "GET", path: `${pathBelow(EXPORTS, id)}/runs` });
  }

  /** Lists the runs of all exports that a schedule created. Optional route. */
  listSpawnedRuns(sourceId: string): Promise<ExportRun[]> {
    const query = { source_bulk_export_id: sourceId };
    return this.requestList(exportRunSchema, { method: "GET", path: `${EXPORTS}/runs`, query });
  }

  /** Lists all projects, or those with exactly this name. Optional route. */
  listProjects(name?: string): Pages<Project> {
    const read = async (offset?: number) => {
      const query = { name, limit: PAGE_SIZE, offset };
      const items = await this.requestList(projectSchema, { method: "GET", path: PROJECTS, query });
      return { items, next: nextOffset(offset ?? 0, items.length) };
    };
    return paginate({ noun: "tracing projects", limit: PAGE_SIZE, read });
  }

  /** Returns the first project, which shows whether the tracing API responds. Optional route. */
  async firstProject(): Promise<Project | undefined> {
    return (await this.requestList(projectSchema, { method: "GET", path: PROJECTS, query: { limit: 1 } }))[0];
  }

  getProject(id: string): Promise<Project> {
    return this.requestObject(projectSchema, { method: "GET", path: pathBelow(PROJECTS, id) }, id);
  }

  getWorkspace(id: string): Promise<Workspace> {
    return this.requestObject(workspaceSchema, { method: "GET", path: pathBelow("/api/v1/workspaces", id) }, id);
  }

  /** Requests a list once; undefined when its route is not found. */
  private async tryList<T>(route: Feature, send: () => Promise<T[]>): Promise<T[] | undefined> {
    const items = await send().catch(ignoreUnsupported);
    if (items) this.profile.learn(route, true);
    return items;
  }

  /** @param requestedId The ID in the request; the response may omit it. */
  private async requestObject<T>(schema: z.ZodType<T>, request: HttpRequest, requestedId?: string): Promise<WithId<T>> {
    return this.toObject(schema, request, await this.json.send(request).catch(withPlanHint), requestedId);
  }

  private toObject<T>(schema: z.ZodType<T>, request: HttpRequest, response: HttpResponse, id?: string): WithId<T> {
    const fields = this.json.decode(schema, request, response);
    const object = withId<T>({ ...(id !== undefined && { id }), ...fields });
    if (object) return object;
    throw this.json.failure(request, describeMissingId(response.json), response);
  }

  /** Drops items without an ID. */
  private async requestList<T>(schema: z.ZodType<T>, request: HttpRequest): Promise<WithId<T>[]> {
    const items = await this.json.getList(schema, request).catch(withPlanHint);
    return items.flatMap((item) => withId<T>(item as object) ?? []);
  }
}

/** Returns what reads a list once for all calls with the same number of attempts. */
const listOnce =
  <T>(read: (options: ListOptions) => Promise<T[]>) =>
  (keys: readonly string[]): Promise<(T[] | Error)[]> =>
    Promise.all(keys.map((key) => read(key === "" ? {} : { maxAttempts: Number(key) }).catch((error: Error) => error)));

export type ListOptions = Pick<HttpRequest, "maxAttempts">;
export type RemoteExport = Export & { status: string };

const toIds = (items: readonly { id: string }[] | undefined) => items && new Set(items.map(({ id }) => id));

type Shown = { destination?: Destination | undefined; isListed: boolean; rejection?: HttpError };

function withPlanHint(error: unknown): never {
  if (!(error instanceof HttpError) || error.status !== 403 || !error.path.startsWith(EXPORTS)) throw error;
  // A server that names the credential has not looked at the plan.
  throw NAMES_CREDENTIAL.test(error.detail) ? error : error.withHint(PLAN_HINT);
}
