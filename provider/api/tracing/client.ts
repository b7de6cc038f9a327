/**
 * The tracing API of the interface: one method an endpoint, named after what it does (interface section 4 C,
 * interface-notes section 3). The interface shows little of the answers, so everything but an id may be absent from them.
 */
import type { z } from "zod";
import type { HttpClient, HttpRequest } from "../../http/client";
import { describeMissingId } from "../../http/error-detail";
import { HttpError } from "../../http/errors";
import { pathSegment, remoteId } from "../../schema/id";
import type { CaseMapper } from "../case-mapper";
import { JsonClient } from "../json-client";
import { nextOffset, PAGE_SIZE, type Pages, paginate } from "../pagination";
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
  workspaceSchema,
} from "./schemas";

export type { Destination, DestinationBody, Export, ExportBody, ExportRun, Project } from "./schemas";

const DESTINATIONS = "/api/v1/bulk-exports/destinations";
const EXPORTS = "/api/v1/bulk-exports";
const PROJECTS = "/api/v1/sessions";

/** Interface section 1. */
const PLAN_HINT = "Bulk export needs the plan Plus or Enterprise.";

const pathBelow = (path: string, id: string) => `${path}/${pathSegment(id)}`;

export class TracingClient {
  private readonly json: JsonClient;

  constructor(http: HttpClient, caseMapper: CaseMapper) {
    this.json = new JsonClient(http, caseMapper, "Is tracingApiUrl correct?");
  }

  /** The service tests destination and credentials before it saves them. */
  createDestination(body: DestinationBody): Promise<Destination> {
    return this.requestObject(destinationSchema, {
      method: "POST",
      path: DESTINATIONS,
      body: this.json.encode(destinationSchema, body),
    });
  }

  /** Optional route: interface-notes section 3. */
  getDestination(id: string): Promise<Destination> {
    return this.requestObject(destinationSchema, { method: "GET", path: pathBelow(DESTINATIONS, id) }, id);
  }

  /** All destinations of the workspace. Optional route. */
  listDestinations(): Promise<Destination[]> {
    return this.requestList(destinationSchema, { method: "GET", path: DESTINATIONS });
  }

  /** Replaces the credentials as a whole; the service tests them first. Optional route. */
  rotateCredentials(id: string, credentials: DestinationBody["credentials"]): Promise<Destination> {
    const body = this.json.encode(destinationSchema, { credentials });
    return this.requestObject(destinationSchema, { method: "PATCH", path: pathBelow(DESTINATIONS, id), body }, id);
  }

  /** Optional route, of the newest servers only. */
  async deleteDestination(id: string): Promise<void> {
    await this.json.send({ method: "DELETE", path: pathBelow(DESTINATIONS, id) }).catch(withPlanHint);
  }

  /**
   * One-time, or a schedule when it has `intervalHours`. The answer may hold no more than the id.
   * @throws HttpError; a 429 at once, since the quotas clear in an hour, or never (interface section 7).
   */
  createExport(body: ExportBody): Promise<Export> {
    const encoded = this.json.encode(exportSchema, body);
    return this.requestObject(exportSchema, { method: "POST", path: EXPORTS, body: encoded, onRateLimit: "throw" });
  }

  async getExport(id: string): Promise<Export & { status: string }> {
    const request = { method: "GET", path: pathBelow(EXPORTS, id) } as const;
    const response = await this.requestObject(exportSchema, request, id);
    if (response.status == null) throw this.json.unexpected(request, "status is missing", 200);
    return { ...response, status: response.status };
  }

  /** All exports of the workspace, schedules and what they spawned among them. Optional route. */
  listExports(): Promise<Export[]> {
    return this.requestList(exportSchema, { method: "GET", path: EXPORTS });
  }

  /** The only change that an export knows. Optional route. */
  cancelExport(id: string): Promise<Export> {
    return this.requestObject(
      exportSchema,
      { method: "PATCH", path: pathBelow(EXPORTS, id), body: { status: "Cancelled" } },
      id,
    );
  }

  /** The runs of an export: one a day and project. Optional route. */
  listExportRuns(id: string): Promise<ExportRun[]> {
    return this.requestList(exportRunSchema, { method: "GET", path: `${pathBelow(EXPORTS, id)}/runs` });
  }

  /** The runs of everything that a schedule spawned. Optional route. */
  listSpawnedRuns(sourceId: string): Promise<ExportRun[]> {
    const query = { source_bulk_export_id: sourceId };
    return this.requestList(exportRunSchema, { method: "GET", path: `${EXPORTS}/runs`, query });
  }

  /** All projects, or those of exactly this name. Optional route. */
  listProjects(name?: string): Pages<Project> {
    const read = async (offset?: number) => {
      const query = { name, limit: PAGE_SIZE, offset };
      const items = await this.requestList(projectSchema, { method: "GET", path: PROJECTS, query });
      return { items, next: nextOffset(offset ?? 0, items.length) };
    };
    return paginate({ what: "tracing projects", limit: PAGE_SIZE, read });
  }

  /** Some project, which shows whether the tracing API answers. Optional route. */
  async firstProject(): Promise<Project | undefined> {
    return (await this.requestList(projectSchema, { method: "GET", path: PROJECTS, query: { limit: 1 } }))[0];
  }

  /** @throws HttpError when the workspace is not there, or not for this key. */
  getWorkspace(id: string): Promise<Workspace> {
    return this.requestObject(workspaceSchema, { method: "GET", path: pathBelow("/api/v1/workspaces", id) }, id);
  }

  /** @param requestedId The ID in the request: a response may omit it. */
  private async requestObject<T>(schema: z.ZodType<T>, request: HttpRequest, requestedId?: string): Promise<WithId<T>> {
    const response = await this.json.send(request).catch(withPlanHint);
    const fields = this.json.decode(schema, request, response);
    const object = withId<T>({ ...(requestedId !== undefined && { id: requestedId }), ...fields });
    if (object) return object;
    throw this.json.failure(request, describeMissingId(response.json), response.status);
  }

  /** Items without an ID are left out. */
  private async requestList<T>(schema: z.ZodType<T>, request: HttpRequest): Promise<WithId<T>[]> {
    const items = await this.json.getList(schema, request).catch(withPlanHint);
    return items.flatMap((item) => withId<T>(item as object) ?? []);
  }
}

type WithId<T> = Partial<T> & { id: string };

/** An object with an ID. Live servers spell a status in their own way; the interface shows it in upper case. */
function withId<T>(object: { id?: unknown; status?: unknown }): WithId<T> | undefined {
  if (!remoteId.safeParse(object.id).success) return undefined;
  const { status } = object;
  return (typeof status === "string" ? { ...object, status: status.toUpperCase() } : object) as WithId<T>;
}

function withPlanHint(error: unknown): never {
  const isExport = error instanceof HttpError && error.path.startsWith(EXPORTS);
  throw isExport && error.status === 403 ? error.withHint(PLAN_HINT) : error;
}
