/** The API of the control plane: one method per endpoint (API `4A`). */
import { z } from "zod";
import type { HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { describeMissingId } from "../../http/error-detail";
import { HttpError, inPlaceOf, recover } from "../../http/errors";
import { withReceived } from "../../schema/extra";
import { isSameId, pathSegment, remoteId } from "../../schema/id";
import { valueAt } from "../../schema/schema";
import { createIdReader } from "../batch";
import type { JsonClient, Nullish, RequestLine } from "../json-client";
import { collectAvailable, IncompleteListError, type IsEnough, PAGE_SIZE, type Pages } from "../pagination";
import type { ServerProfile } from "../profile/features";
import { LearnedProfile } from "../profile/learned-profile";
import {
  type Deployment,
  type DeploymentBody,
  deploymentSchema,
  isDeleting,
  normalized,
  PARTS,
  type Revision,
  revisionSchema,
} from "./schemas";
import { readItem } from "./unreadable";

export type { Deployment, DeploymentBody, Revision } from "./schemas";
export { FAILED_STATUSES, isDeleting } from "./schemas";

const uploadSchema = z.object({
  upload_url: z.string(),
  object_path: z.string(),
  upload_headers: z.record(z.string(), z.string()).nullish(),
});

/** What the URL of a server that names no headers may be signed for: at most 200 MiB (API `4A.upload:range`). */
const DEFAULT_UPLOAD_HEADERS = { "X-Goog-Content-Length-Range": `0,${200 * 1024 * 1024}` };

/** A signed upload URL, the headers to send with the tarball, and the path to declare after the upload. */
export interface Upload {
  url: string;
  headers: Record<string, string>;
  objectPath: string;
}

/** The fields of a complete response, in which the name of a deployment of an agent is null. */
const identity = z.looseObject({ id: remoteId, name: z.string().nullable(), status: z.string() });
/** The required fields of an item: a deployment of an agent may have no name (API `2A.Deployment.name:null`). */
const required = z.looseObject({ id: remoteId, name: z.string().nullish(), status: z.string().nullable() });
const revisionIdentity = required.omit({ name: true });

/** Filters of the list (API `4A`). */
export interface DeploymentFilter {
  name_contains?: string | undefined;
  agent_id?: string | undefined;
  agent_environment?: string | undefined;
  status?: string | undefined;
  remote_reconciled?: boolean | undefined;
  /** Comma-separated. */
  tag_value_ids?: string | undefined;
  image_version?: string | undefined;
  deployment_type?: string | undefined;
  /** Comma-separated. */
  deployment_ids?: string | undefined;
}

const DEPLOYMENTS = "/v2/deployments";
const deploymentPath = (id: string) => `${DEPLOYMENTS}/${pathSegment(id)}`;
export const revisionPath = (deploymentId: string, revisionId?: string) =>
  [deploymentPath(deploymentId), "revisions", ...(revisionId === undefined ? [] : [pathSegment(revisionId)])].join("/");

export class ControlPlaneClient {
  readonly profile: LearnedProfile;

  constructor(
    private readonly json: JsonClient,
    clock: Clock,
    known: ServerProfile = {},
  ) {
    this.profile = new LearnedProfile(clock, known);
  }

  /**
   * Returns what the response contains. The interface promises its ID and its latest revision alone; then `isComplete`
   * is false, and the caller notes the ID before it reads the rest.
   */
  async createDeployment(body: DeploymentBody): Promise<{ deployment: Deployment; isComplete: boolean }> {
    const request = { method: "POST", path: DEPLOYMENTS } as const;
    const response = await this.json.send({ ...request, body: this.json.encode(deploymentSchema, body) });
    if (identity.safeParse(response.json).success)
      return { deployment: this.toDeployment(request, response), isComplete: true };
    const { status, requestId, json } = response;
    if (!identity.pick({ id: true }).safeParse(json).success)
      throw new HttpError({ ...request, status, requestId, detail: describeMissingId(json) });
    const named = { name: body.name, status: null, ...(json as object) };
    return { deployment: this.toDeployment(request, { ...response, json: named }), isComplete: false };
  }

  /** @param tenantId The workspace to read from; the one of the settings, or of the API key, when absent. */
  async getDeployment(id: string, tenantId?: string): Promise<Deployment> {
    const request = { method: "GET", path: deploymentPath(id) } as const;
    const headers: Record<string, string> = tenantId === undefined ? {} : { "X-Tenant-Id": tenantId };
    const response = await this.json.send({ ...request, headers });
    const deployment = this.toDeployment(request, response);
    // A proxy may return the response to another request.
    if (isSameId(deployment.id, id)) return deployment;
    throw this.json.unexpected(request, `it is about another deployment, ${deployment.id}`, response);
  }

  /** Reads a deployment, in one list request for concurrent calls. One malformed ID makes the server reject all. */
  readonly readDeployment = createIdReader<Deployment, Deployment>({
    readMany: (ids) => this.listDeploymentsById(ids).catch(inPlaceOf(({ status }) => status === 422, [])),
    readOne: (id) => this.getDeployment(id),
    idOf: ({ id }) => id,
    maxBatchSize: PAGE_SIZE,
  });

  async updateDeployment(id: string, body: DeploymentBody): Promise<Deployment> {
    const request = { method: "PATCH", path: deploymentPath(id) } as const;
    const encoded = this.json.encode(deploymentSchema, body);
    return this.readIfIncomplete(request, await this.json.send({ ...request, body: encoded }), id);
  }

  /** @param force Whether to end a deletion that the server has accepted (API `4A.DELETE:force`). */
  async deleteDeployment(id: string, { force = false } = {}): Promise<void> {
    await this.json.send({ method: "DELETE", path: deploymentPath(id), ...(force && { query: { force: true } }) });
  }

  /** Lists all deployments that match, newest first. */
  listDeployments(filter: DeploymentFilter = {}): Pages<Deployment> {
    const request = { method: "GET", path: DEPLOYMENTS } as const;
    return this.json.paginate("deployments", { ...request, query: { ...filter } }, this.toItem(request));
  }

  /** Lists the readable deployments with these IDs, at most a hundred. Without the filter, a server lists others. */
  async listDeploymentsById(ids: readonly string[]): Promise<Deployment[]> {
    const isEnough: IsEnough<Deployment> = (all, page) => hasAll(all, ids) || !page.some(({ id }) => ids.includes(id));
    const { items } = await collectAvailable(this.listDeployments({ deployment_ids: ids.join(",") }), isEnough);
    return items.filter(({ unreadable }) => !unreadable);
  }

  /**
   * Returns which of these deployments, at most a hundred, the list contains. @param withDeleted Whether to include
   * those that are being deleted.
   * @throws IncompleteListError when one is not in the list and its end was not seen: a part proves only presence.
   */
  async listExistingIds(ids: readonly string[], withDeleted = false): Promise<ReadonlySet<string>> {
    const list = this.listDeployments({ deployment_ids: ids.join(",") });
    const found: Deployment[] = [];
    while (!hasAll(found, ids)) {
      const page = await list.next();
      if (page.done && !page.value && found.some(({ id }) => !ids.includes(id)))
        throw new IncompleteListError(
          "The list of deployments ignores its filter and repeats its first page. Ask the operators of the server.",
        );
      if (page.done) break;
      found.push(...page.value);
    }
    return new Set(found.filter((one) => withDeleted || !isDeleting(one)).map(({ id }) => id));
  }

  /** Returns the newest deployment, which shows whether the control plane responds, and for which workspace. */
  async newestDeployment(): Promise<Deployment | undefined> {
    const request = { method: "GET", path: DEPLOYMENTS } as const;
    return (await this.json.getPage({ ...request, query: { limit: 1 } }, this.toItem(request))).items[0];
  }

  async getRevision(deploymentId: string, revisionId: string): Promise<Revision> {
    const request = { method: "GET", path: revisionPath(deploymentId, revisionId) } as const;
    const response = await this.json.send(request);
    const revision = this.decode(request, revisionSchema, revisionIdentity, response) as Revision;
    if (isSameId(revision.id, revisionId)) return { ...revision, status: revision.status ?? "UNKNOWN" };
    throw this.json.unexpected(request, `its \`id\` is that of another revision, ${revision.id}`, response);
  }

  /** Deploys the configuration of a revision again. Optional route: API `4A`. */
  async redeployRevision(deploymentId: string, revisionId: string): Promise<Deployment> {
    const request = { method: "POST", path: `${revisionPath(deploymentId, revisionId)}/redeploy` } as const;
    return this.readIfIncomplete(request, await this.json.send(request), deploymentId);
  }

  /**
   * Returns a signed upload URL. The interface shows the path without a version, live servers have it below /v2.
   * @param withHeaders Whether the upload can carry headers that the server chooses.
   */
  async createUpload(deploymentId: string, { withHeaders }: { withHeaders: boolean }): Promise<Upload> {
    const path = `/deployments/${pathSegment(deploymentId)}/upload-url`;
    const body = withHeaders ? { supports_upload_headers: true } : {};
    // A repeated request only reserves another path.
    const post = (path: string) => this.json.send({ method: "POST", path, body, isRead: true });
    const isElsewhere = ({ isUnsupportedRoute }: HttpError) => isUnsupportedRoute;
    const response = await post(path).catch(recover(isElsewhere, () => post(`/v2${path}`)));
    const upload = this.parse({ method: "POST", path }, uploadSchema, response);
    const headers = upload.upload_headers ?? DEFAULT_UPLOAD_HEADERS;
    return { url: upload.upload_url, objectPath: upload.object_path, headers };
  }

  /** Reads a deployment by its ID where the response to a change is incomplete, or about another deployment. */
  private async readIfIncomplete(request: RequestLine, response: HttpResponse, id: string): Promise<Deployment> {
    const { data } = identity.safeParse(response.json);
    return data && isSameId(data.id, id) ? this.toDeployment(request, response) : this.getDeployment(id);
  }

  private toItem(request: RequestLine) {
    return (item: HttpResponse) => readItem(item.json, () => this.toDeployment(request, item));
  }

  private toDeployment(request: RequestLine, response: HttpResponse): Deployment {
    const fields = this.decode(request, deploymentSchema, required, response);
    // For these fields, null means absent.
    const entries = Object.entries(fields).filter(([key, value]) => value !== null || !PARTS.has(key));
    const read = Object.fromEntries(entries) as Nullish<Deployment>;
    // One incomplete object does not make a list unusable. No input can be equal to an empty name.
    const deployment = { ...read, ...normalized(read), name: fields.name ?? "", status: fields.status ?? "UNKNOWN" };
    return withReceived(deployment as Deployment, response.json);
  }

  /** @throws HttpError when a required field is missing, or the response has another form. */
  private decode<T>(request: RequestLine, schema: z.ZodType, required: z.ZodType<T>, response: HttpResponse): T {
    return this.parse(request, required, { ...response, json: this.json.decode(schema, request, response) });
  }

  private parse<T>(request: RequestLine, schema: z.ZodType<T>, response: HttpResponse): T {
    const { data, error } = schema.safeParse(response.json);
    if (data !== undefined) return data;
    throw this.json.unexpected(request, describeIssue(error?.issues[0], response.json), response);
  }
}

function describeIssue({ path = [], message = "" }: Partial<z.core.$ZodIssue> = {}, json: unknown): string {
  const field = path.join(".");
  if (field === "") return "the body is not an object";
  return valueAt(json, path) == null ? `${field} is missing` : `${field}: ${message}`;
}

export function hasAll(deployments: readonly Deployment[], ids: readonly string[]): boolean {
  const listedIds = new Set(deployments.map(({ id }) => id));
  return ids.every((id) => listedIds.has(id));
}
