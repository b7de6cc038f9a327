/**
 * The tracing API: one method per endpoint (API `4C`). Little of the responses is described, so every field except the ID
 * may be absent.
 */
import type { HttpRequest } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError, ignoreNotFound } from "../../http/errors";
import { pathSegment } from "../../schema/id";
import { AbsenceCheck } from "../absence";
import { createLoader } from "../batch";
import type { JsonClient } from "../json-client";
import { nextOffset, PAGE_SIZE, type Pages, paginate } from "../pagination";
import { EXPORTS, TracingObjectClient, withPlanHint } from "./object-client";
import {
  type Destination,
  type DestinationBody,
  destinationSchema,
  type Export,
  type ExportBody,
  type ExportRun,
  exportRunSchema,
  exportSchema,
  type Project,
  projectSchema,
  type Workspace,
  withoutEmptyFields,
  workspaceSchema,
} from "./schemas";

export type { Destination, DestinationBody, Export, ExportBody, ExportRun, Project } from "./schemas";

const DESTINATIONS = "/api/v1/bulk-exports/destinations";
const PROJECTS = "/api/v1/sessions";

const pathBelow = (path: string, id: string) => `${path}/${pathSegment(id)}`;

export class TracingClient extends TracingObjectClient {
  /** By the most attempts; empty for the usual ones. A hundred creates at once read a whole list once. */
  private readonly exportLists = createLoader(
    listOnce(async (options) =>
      (await this.requestList(exportSchema, { ...listOf(EXPORTS), ...options })).map(withoutEmptyFields),
    ),
  );
  private readonly destinationLists = createLoader(
    listOnce((options) => this.requestList(destinationSchema, { ...listOf(DESTINATIONS), ...options })),
  );
  private readonly absentExports: AbsenceCheck<RemoteExport>;
  private readonly absentDestinations: AbsenceCheck<Destination>;

  constructor(json: JsonClient, clock: Clock) {
    super(json, clock);
    this.absentExports = new AbsenceCheck({
      clock,
      noun: "exports",
      read: (id) => this.getExport(id).catch(ignoreNotFound),
      list: async () => toIds(await this.tryList("exports-list", () => this.listExports())),
      hasList: () => this.profile.has("exports-list") === true,
    });
    this.absentDestinations = new AbsenceCheck({
      clock,
      noun: "destinations",
      read: async (id) => (await this.showDestination(id)).destination,
      list: async () => toIds(await this.tryListDestinations()),
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
  async showDestination(id: string): Promise<ShownDestination> {
    try {
      return { destination: await this.getDestination(id), isListed: false };
    } catch (error) {
      if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
      const all = await this.tryListDestinations();
      const destination = all?.find((one) => one.id === id);
      return { destination, isListed: all !== undefined, rejection: error };
    }
  }

  /** Returns a destination that the server did not show; undefined when it is gone. */
  findDestinationAgain(id: string): Promise<Destination | undefined> {
    return this.absentDestinations.find(id);
  }

  /** Creates a destination. The server tests the bucket and the credentials first. */
  createDestination(body: DestinationBody): Promise<Destination> {
    return this.requestObject(destinationSchema, {
      method: "POST",
      path: DESTINATIONS,
      body: this.json.encode(destinationSchema, body),
    });
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
  rotateCredentials(id: string, credentials: DestinationBody["credentials"]): Promise<Destination> {
    const body = this.json.encode(destinationSchema, { credentials });
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

  /**
   * Lists all exports of the workspace, including schedules and the exports that they create, in one request for concurrent
   * calls. Optional route.
   */
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

  getWorkspace(id: string): Promise<Workspace> {
    return this.requestObject(workspaceSchema, { method: "GET", path: pathBelow("/api/v1/workspaces", id) }, id);
  }

  private tryListDestinations(): Promise<Destination[] | undefined> {
    return this.tryList("destinations-list", () => this.listDestinations());
  }
}

const listOf = (path: string) => ({ method: "GET", path }) as const;

/** Returns what reads a list once for all calls with the same number of attempts. */
const listOnce =
  <T>(read: (options: ListOptions) => Promise<T[]>) =>
  (keys: readonly string[]): Promise<(T[] | Error)[]> =>
    Promise.all(keys.map((key) => read(key === "" ? {} : { maxAttempts: Number(key) }).catch((error: Error) => error)));

export type ListOptions = Pick<HttpRequest, "maxAttempts">;

export type RemoteExport = Export & { status: string };

export interface ShownDestination {
  destination: Destination | undefined;
  /** Whether the server returned its list. */
  isListed: boolean;
  rejection?: HttpError;
}

const toIds = (items: readonly { id: string }[] | undefined) => items && new Set(items.map(({ id }) => id));
