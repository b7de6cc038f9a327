/**
 * The connection to a server of which the settings do not say all: the prefix of a self-hosted control plane, and the
 * workspace. What is unknown is found with the first request that needs it.
 */
import { type HttpClient, type HttpResponse, OBJECT_PATH } from "../http/client";
import { isUnknownPath } from "../http/error-detail";
import { HttpError } from "../http/errors";
import type { HttpRequest } from "../http/messages";
import type { Workspaces } from "./workspaces";

/** What requests need of the client of a server. */
export type Sender = Pick<HttpClient, "send" | "serverNow" | "clockSkewMs">;

interface ConnectionOptions {
  baseUrl: URL;
  /** Where the server is if it has no route at `baseUrl`. */
  otherUrl: URL | undefined;
  workspaces: Workspaces;
  /** Whether each request must name a workspace (API `5.item 2`). */
  needsWorkspace: boolean;
  create(baseUrl: URL, tenantId: string | undefined): HttpClient;
}

export class Connection implements Sender {
  private baseUrl: URL;
  /** Whether a response has shown that the server is at `baseUrl`. */
  private isFound = false;
  private client: HttpClient;

  constructor(private readonly options: ConnectionOptions) {
    this.baseUrl = options.baseUrl;
    this.client = this.open();
  }

  /** The path of the server, where it is not that of the settings. */
  get path(): string | undefined {
    return this.baseUrl === this.options.baseUrl ? undefined : this.baseUrl.pathname;
  }

  /** Begins at the path that an earlier run found. */
  startAt(path: string | undefined): void {
    const { otherUrl } = this.options;
    if (this.isFound || otherUrl === undefined || otherUrl.pathname !== path) return;
    this.move(otherUrl);
  }

  serverNow(): number {
    return this.client.serverNow();
  }

  get clockSkewMs(): number {
    return this.client.clockSkewMs;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { workspaces, needsWorkspace } = this.options;
    if (needsWorkspace && workspaces.id === undefined) {
      await workspaces.require();
      this.client = this.open();
    }
    const { client } = this;
    try {
      return this.found(await client.send(request));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const isWithoutWorkspace = isWorkspaceMissing(error);
      // Another request has found the server, or the workspace, in the meantime.
      const isOutdated = client !== this.client && (isNoApi(error) || isWithoutWorkspace) && !error.outcomeUnknown;
      if (isOutdated) return this.client.send(request);
      if (isWithoutWorkspace && workspaces.id === undefined) return this.sendInWorkspace(request, error);
      if (!this.isFound && isWorkspaceDoubtful(error)) throw await workspaces.explain(error);
      return this.sendElsewhere(request, error);
    }
  }

  private async sendInWorkspace(request: HttpRequest, error: HttpError): Promise<HttpResponse> {
    await this.options.workspaces.find(error);
    this.client = this.open();
    return this.found(await this.client.send(request));
  }

  /** Sends a request to the other URL, if nothing has shown yet that the server is at this one. */
  private async sendElsewhere(request: HttpRequest, error: HttpError): Promise<HttpResponse> {
    const { otherUrl, baseUrl } = this.options;
    const isSafe = request.method === "GET" || !error.outcomeUnknown;
    if (!isNoApi(error)) this.isFound ||= error.status !== undefined;
    if (this.isFound || !isSafe || !isNoApi(error) || otherUrl === undefined) throw error;
    this.move(this.baseUrl === baseUrl ? otherUrl : baseUrl);
    try {
      return this.found(await this.client.send(request));
    } catch (second) {
      if (!(second instanceof HttpError) || !isNoApi(second)) throw second;
      this.move(baseUrl);
      throw error;
    }
  }

  private found<T>(value: T): T {
    this.isFound = true;
    return value;
  }

  private move(baseUrl: URL): void {
    this.baseUrl = baseUrl;
    this.client = this.open();
  }

  private open(): HttpClient {
    return this.options.create(this.baseUrl, this.options.workspaces.id);
  }
}

/** Whether a response is that of a web server which has no such API: an unknown path, or a page. */
const isNoApi = ({ status, path, detail, isUnexpected }: HttpError) =>
  isUnexpected || status === 405 || (status === 404 && (isUnknownPath(detail) || !OBJECT_PATH.test(path)));

/** Whether a workspace that the API key cannot see may be the cause of a rejection. */
const isWorkspaceDoubtful = ({ status, isInvalid, detail }: HttpError) =>
  status === 403 || (isInvalid && /tenant|workspace/i.test(detail));

/** Whether an API key of several workspaces was rejected for naming none (API `5.item 4:scope-error`). */
const isWorkspaceMissing = ({ status, detail }: HttpError) => status === 403 && /workspace specification/i.test(detail);
