/** The control plane of the interface: one method an endpoint, named after what it does (interface section 4 A). */
import { z } from "zod";
import type { HttpClient, HttpRequest, HttpResponse } from "../../http/client";
import { describeMissingId } from "../../http/error-detail";
import { HttpError } from "../../http/errors";
import { pathSegment, remoteId } from "../../schema/id";
import type { CaseMapper } from "../case-mapper";
import { collectShown, type IsEnough, nextOffset, PAGE_SIZE, type Page, type Pages, paginate } from "../pagination";
import { findSchemaViolation } from "../shape";
import { resourceSpec } from "./resource-spec";

const text = z.string().nullish();

const sourceRevisionConfig = z.object({
  repoRef: text,
  agentgraphConfigPath: text,
  imageUri: text,
  sourceTarballPath: text,
  repoCommitSha: text,
});

/** What a deployment's answer may hold, for its names. Values are taken as they come: a newer server may know more. */
const deploymentShape = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(["githost", "external_docker", "internal_docker", "internal_source", "internal_template"]),
  sourceConfig: z.object({
    integrationId: text,
    repoUrl: text,
    deploymentType: text,
    buildOnPush: z.boolean().nullish(),
    customUrl: text,
    resourceSpec: resourceSpec.nullish(),
    listenerId: text,
    listenerConfig: z.object({ k8sNamespace: text }).nullish(),
    installCommand: text,
    buildCommand: text,
  }),
  sourceRevisionConfig,
  secrets: z.array(z.object({ name: z.string(), value: text })),
  secretReferences: z.array(z.object({ name: z.string(), secretName: z.string(), secretKey: z.string() })).nullish(),
  tenantId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  status: z.string(),
  latestRevisionId: text,
  activeRevisionId: text,
  imageVersion: text,
  isManagedDeepAgent: z.boolean().nullish(),
});
export type DeploymentBody = Partial<z.input<typeof deploymentShape>>;
export type Deployment = Partial<z.output<typeof deploymentShape>> & { id: string; name: string; status: string };

const revisionShape = z.object({ id: z.string(), status: z.string(), sourceRevisionConfig });
export type Revision = Partial<z.infer<typeof revisionShape>> & { id: string; status: string };

const uploadShape = z.object({
  upload_url: z.string(),
  object_path: z.string(),
  upload_headers: z.record(z.string(), z.string()).nullish(),
});

/** Where a tarball goes: the signed address, what to send with it, and the path to name afterwards. */
export interface Upload {
  url: string;
  headers: Record<string, string>;
  objectPath: string;
}

/** The parts of a deployment that are objects or lists, and never null by the interface. */
const PARTS: ReadonlySet<string> = new Set(["sourceConfig", "sourceRevisionConfig", "secrets"]);

/** The part of an answer that nothing works without. */
const identity = z.looseObject({ id: remoteId, name: z.string(), status: z.string() });
const revisionIdentity = identity.omit({ name: true });
const listShape = z.looseObject({ resources: z.array(z.unknown()), offset: z.number().nullish() });

/** Filters of the list (interface section 4 A). */
export interface DeploymentFilter {
  name_contains?: string | undefined;
  status?: string | undefined;
  remote_reconciled?: boolean | undefined;
  /** Comma-separated. */
  tag_value_ids?: string | undefined;
  image_version?: string | undefined;
  deployment_type?: "dev_free" | "dev" | "prod" | "dev_zero" | undefined;
  /** Comma-separated. */
  deployment_ids?: string | undefined;
}

export class ControlPlaneClient {
  constructor(
    private readonly http: HttpClient,
    private readonly caseMapper: CaseMapper,
  ) {}

  serverNow(): number {
    return this.http.serverNow();
  }

  async createDeployment(body: DeploymentBody): Promise<Deployment> {
    const request = { method: "POST", path: "/v2/deployments" } as const;
    return this.whole(await this.http.send({ ...request, body: this.encode(body) }), request);
  }

  /** @param tenantId The workspace to look in; the one of the settings, or of the key, when absent. */
  async getDeployment(id: string, tenantId?: string): Promise<Deployment> {
    const request = { method: "GET", path: `/v2/deployments/${pathSegment(id)}` } as const;
    const headers: Record<string, string> = tenantId === undefined ? {} : { "X-Tenant-Id": tenantId };
    return this.deployment(await this.http.send({ ...request, headers }), request);
  }

  async updateDeployment(id: string, body: DeploymentBody): Promise<Deployment> {
    const request = { method: "PATCH", path: `/v2/deployments/${pathSegment(id)}` } as const;
    return this.whole(await this.http.send({ ...request, body: this.encode(body) }), request, id);
  }

  async deleteDeployment(id: string): Promise<void> {
    await this.http.send({ method: "DELETE", path: `/v2/deployments/${pathSegment(id)}` });
  }

  /** All that match, newest first. */
  listDeployments(filter: DeploymentFilter = {}): Pages<Deployment> {
    const read = (offset = 0) => this.deploymentPage({ ...filter, limit: PAGE_SIZE, offset });
    return paginate({ what: "deployments", limit: PAGE_SIZE, read });
  }

  /**
   * Those with these IDs, at most a hundred, as far as the list shows them: it may lack some, or hold others, where the
   * server does not know the filter.
   */
  async listDeploymentsById(ids: readonly string[]): Promise<Deployment[]> {
    const isEnough: IsEnough<Deployment> = (all, page) => hasAll(all, ids) || !page.some(({ id }) => ids.includes(id));
    return (await collectShown(this.listDeployments({ deployment_ids: ids.join(",") }), isEnough)).items;
  }

  /** The newest, which shows whether the control plane answers, and for which workspace. */
  async newestDeployment(): Promise<Deployment | undefined> {
    return (await this.deploymentPage({ limit: 1 })).items[0];
  }

  private async deploymentPage(
    query: DeploymentFilter & { limit: number; offset?: number },
  ): Promise<Page<Deployment>> {
    const request = { method: "GET", path: "/v2/deployments" } as const;
    const response = await this.http.send({ ...request, query: { ...query } });
    const { resources, offset } = check(request, listShape, response);
    const items = resources.map((json) => this.deployment({ ...response, json }, request));
    return { items, next: nextOffset(query.offset ?? 0, items.length, offset) };
  }

  async getRevision(deploymentId: string, revisionId: string): Promise<Revision> {
    const path = `/v2/deployments/${pathSegment(deploymentId)}/revisions/${pathSegment(revisionId)}`;
    const request = { method: "GET", path } as const;
    const response = await this.http.send(request);
    return this.decoded(request, revisionShape, revisionIdentity, response) as Revision;
  }

  /** Deploys the content of a revision again. Optional route: interface-notes section 2. */
  async redeployRevision(deploymentId: string, revisionId: string): Promise<Deployment> {
    const path = `/v2/deployments/${pathSegment(deploymentId)}/revisions/${pathSegment(revisionId)}/redeploy`;
    const request = { method: "POST", path } as const;
    return this.deployment(await this.http.send(request), request);
  }

  /**
   * The interface shows the path without a version, live services have it below /v2: as shown first, then so.
   * @param withHeaders Whether the upload can carry headers that the server chooses.
   */
  async createUpload(deploymentId: string, { withHeaders }: { withHeaders: boolean }): Promise<Upload> {
    const below = `/deployments/${pathSegment(deploymentId)}/upload-url`;
    const body = withHeaders ? { supports_upload_headers: true } : {};
    const ask = (path: string) => this.http.send({ method: "POST", path, body });
    const response = await ask(below).catch((error: unknown) => {
      if (error instanceof HttpError && error.isUnsupportedRoute) return ask(`/v2${below}`);
      throw error;
    });
    const {
      upload_url: url,
      object_path: objectPath,
      upload_headers: headers,
    } = check({ method: "POST", path: below }, uploadShape, response);
    return { url, objectPath, headers: headers ?? {} };
  }

  private encode(body: DeploymentBody): unknown {
    return this.caseMapper.encode(deploymentShape, body);
  }

  /** The interface promises little of the answers to changes: what they leave out is looked up, once there is an id. */
  private async whole(response: HttpResponse, request: RequestLine, id?: string): Promise<Deployment> {
    if (identity.safeParse(response.json).success) return this.deployment(response, request);
    const known = id ?? identity.pick({ id: true }).safeParse(response.json).data?.id;
    if (known !== undefined) return this.getDeployment(known);
    throw new HttpError({ ...request, status: response.status, detail: describeMissingId(response.json) });
  }

  private deployment(response: HttpResponse, request: RequestLine): Deployment {
    const decoded = this.decoded(request, deploymentShape, identity, response);
    // Null says of these no more than their absence does.
    const told = Object.entries(decoded).filter(([key, value]) => value !== null || !PARTS.has(key));
    return Object.fromEntries(told) as Deployment;
  }

  /** An answer in our names. @throws HttpError when it lacks what nothing works without, or has another form. */
  private decoded<T>(request: RequestLine, schema: z.ZodType, needed: z.ZodType<T>, response: HttpResponse): T {
    const json = this.caseMapper.decode(schema, response.json);
    const problem = findSchemaViolation(schema, json);
    if (problem) throw unexpected(request, response, problem);
    return check(request, needed, { ...response, json });
  }
}

/** The request that an error is about. */
type RequestLine = Pick<HttpRequest, "method" | "path">;

/** Whether a deployment of each ID is among them. */
export function hasAll(deployments: readonly Deployment[], ids: readonly string[]): boolean {
  const found = new Set(deployments.map(({ id }) => id));
  return ids.every((id) => found.has(id));
}

function check<T>(request: RequestLine, schema: z.ZodType<T>, response: HttpResponse): T {
  const parsed = schema.safeParse(response.json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unexpected(request, response, `${issue?.path.join(".") || "the response"}: ${issue?.message}`);
}

/** A good status with an answer of another form: the server acted, so a change is settled by a look. */
function unexpected({ method, path }: RequestLine, { status }: HttpResponse, problem: string): HttpError {
  const detail = `unexpected response: ${problem}`;
  return new HttpError({ method, path, status, detail, hint: "Is controlPlaneUrl correct?" });
}
