/**
 * The tracing API of the interface: one method an endpoint, named after what it does (interface section 4 C,
 * interface-notes section 3). The interface shows little of the answers, so everything but an id may be absent from them.
 */
import { z } from "zod";
import type { HttpClient, HttpRequest, HttpResponse } from "../../http/client";
import { describeMissingId } from "../../http/error-detail";
import { HttpError } from "../../http/errors";
import { pathSegment, remoteId } from "../../schema/id";
import type { CaseMapper } from "../case-mapper";
import { nextOffset, PAGE_SIZE, type Pages, paginate } from "../pagination";
import { findSchemaViolation } from "../shape";
import {
  type Destination,
  type DestinationBody,
  destinationShape,
  type Export,
  type ExportBody,
  type ExportRun,
  exportRunShape,
  exportShape,
  type Project,
  projectShape,
  type Workspace,
  workspaceShape,
} from "./schemas";

export type { Destination, DestinationBody, Export, ExportBody, ExportRun, Project } from "./schemas";

const DESTINATIONS = "/api/v1/bulk-exports/destinations";
const EXPORTS = "/api/v1/bulk-exports";
const PROJECTS = "/api/v1/sessions";

/** Interface section 1. */
const PLAN = "Bulk export needs the plan Plus or Enterprise.";

const identified = z.looseObject({ id: remoteId });
const below = (path: string, id: string) => `${path}/${pathSegment(id)}`;

export class TracingClient {
  constructor(
    private readonly http: HttpClient,
    private readonly caseMapper: CaseMapper,
  ) {}

  serverNow(): number {
    return this.http.serverNow();
  }

  /** The service tests destination and credentials before it saves them. */
  createDestination(body: DestinationBody): Promise<Destination> {
    return this.one(destinationShape, {
      method: "POST",
      path: DESTINATIONS,
      body: this.encode(destinationShape, body),
    });
  }

  /** Optional route: interface-notes section 3. */
  getDestination(id: string): Promise<Destination> {
    return this.one(destinationShape, { method: "GET", path: below(DESTINATIONS, id) }, id);
  }

  /** All destinations of the workspace. Optional route. */
  listDestinations(): Promise<Destination[]> {
    return this.many(destinationShape, { method: "GET", path: DESTINATIONS });
  }

  /** Replaces the credentials as a whole; the service tests them first. Optional route. */
  rotateCredentials(id: string, credentials: DestinationBody["credentials"]): Promise<Destination> {
    const body = this.encode(destinationShape, { credentials });
    return this.one(destinationShape, { method: "PATCH", path: below(DESTINATIONS, id), body }, id);
  }

  /** Optional route, of the newest servers only. */
  async deleteDestination(id: string): Promise<void> {
    await this.send({ method: "DELETE", path: below(DESTINATIONS, id) });
  }

  /**
   * One-time, or a schedule when it has `intervalHours`. The answer may hold no more than the id.
   * @throws HttpError; a 429 at once, since the quotas clear in an hour, or never (interface section 7).
   */
  createExport(body: ExportBody): Promise<Export> {
    const encoded = this.encode(exportShape, body);
    return this.one(exportShape, { method: "POST", path: EXPORTS, body: encoded, onRateLimit: "throw" });
  }

  async getExport(id: string): Promise<Export & { status: string }> {
    const path = below(EXPORTS, id);
    const seen = await this.one(exportShape, { method: "GET", path }, id);
    if (seen.status == null) throw unexpected({ method: "GET", path }, "status is missing");
    return { ...seen, status: seen.status };
  }

  /** All exports of the workspace, schedules and what they spawned among them. Optional route. */
  listExports(): Promise<Export[]> {
    return this.many(exportShape, { method: "GET", path: EXPORTS });
  }

  /** The only change that an export knows. Optional route. */
  cancelExport(id: string): Promise<Export> {
    return this.one(exportShape, { method: "PATCH", path: below(EXPORTS, id), body: { status: "Cancelled" } }, id);
  }

  /** The runs of an export: one a day and project. Optional route. */
  listExportRuns(id: string): Promise<ExportRun[]> {
    return this.many(exportRunShape, { method: "GET", path: `${below(EXPORTS, id)}/runs` });
  }

  /** The runs of everything that a schedule spawned. Optional route. */
  listSpawnedRuns(sourceId: string): Promise<ExportRun[]> {
    const query = { source_bulk_export_id: sourceId };
    return this.many(exportRunShape, { method: "GET", path: `${EXPORTS}/runs`, query });
  }

  /** All projects, or those of exactly this name. Optional route. */
  listProjects(name?: string): Pages<Project> {
    const read = async (offset?: number) => {
      const query = { name, limit: PAGE_SIZE, offset };
      const items = await this.many(projectShape, { method: "GET", path: PROJECTS, query });
      return { items, next: nextOffset(offset ?? 0, items.length) };
    };
    return paginate({ what: "tracing projects", limit: PAGE_SIZE, read });
  }

  /** Some project, which shows whether the tracing API answers. Optional route. */
  async anyProject(): Promise<Project | undefined> {
    return (await this.many(projectShape, { method: "GET", path: PROJECTS, query: { limit: 1 } }))[0];
  }

  /** @throws HttpError when the workspace is not there, or not for this key. */
  getWorkspace(id: string): Promise<Workspace> {
    return this.one(workspaceShape, { method: "GET", path: below("/api/v1/workspaces", id) }, id);
  }

  private send(request: HttpRequest): Promise<HttpResponse> {
    return this.http.send(request).catch((error: unknown) => {
      throw error instanceof HttpError && error.status === 403 && request.path.startsWith(EXPORTS)
        ? error.withHint(PLAN)
        : error;
    });
  }

  private encode(schema: z.ZodType, body: unknown): unknown {
    return this.caseMapper.encode(schema, body);
  }

  /** @param requestedId The id that was asked for: an answer may leave it out. */
  private async one<T>(schema: z.ZodType<T>, request: HttpRequest, requestedId?: string): Promise<WithId<T>> {
    const response = await this.send(request);
    const seen = this.decode(schema, request, response, requestedId);
    if (!seen) throw unexpected(request, describeMissingId(response.json), response.status);
    return seen;
  }

  private async many<T>(schema: z.ZodType<T>, request: HttpRequest): Promise<WithId<T>[]> {
    const response = await this.send(request);
    if (!Array.isArray(response.json)) throw unexpected(request, "the answer is no list");
    return response.json.flatMap((json) => this.decode(schema, request, { ...response, json }) ?? []);
  }

  /** @throws HttpError when a field has another form than the schema says. */
  private decode<T>(
    schema: z.ZodType<T>,
    request: HttpRequest,
    { json, status }: HttpResponse,
    requestedId?: string,
  ): WithId<T> | undefined {
    const decoded = this.caseMapper.decode(schema, json);
    const told = typeof decoded === "object" && decoded !== null ? decoded : {};
    const found = identified.safeParse({ ...(requestedId !== undefined && { id: requestedId }), ...told });
    if (!found.success) return undefined;
    const problem = findSchemaViolation(schema, found.data);
    if (problem) throw unexpected(request, `unexpected response: ${problem}`, status);
    return withStatus(found.data) as unknown as WithId<T>;
  }
}

type WithId<T> = Partial<T> & { id: string };

/** Live services spell the words of a status in their own way: shown is what the interface shows. */
function withStatus<T extends Record<string, unknown>>(response: T): T {
  return typeof response.status === "string" ? { ...response, status: response.status.toUpperCase() } : response;
}

/** A good answer that says too little: the server acted, so a create is settled by a look. */
function unexpected({ method, path }: HttpRequest, detail: string, status = 200): HttpError {
  return new HttpError({ method, path, status, detail, hint: "Does the URL name the tracing API?" });
}
