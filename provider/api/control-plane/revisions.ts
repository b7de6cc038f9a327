/** Revisions and their logs, as they are read: one method an endpoint (interface section 4 A, interface-notes section 2). */
import { z } from "zod";
import type { HttpClient, HttpRequest } from "../../http/client";
import { HttpError } from "../../http/errors";
import { pathSegment } from "../../schema/id";
import { fieldMetadata } from "../../schema/schema";
import type { CaseMapper } from "../case-mapper";
import { type DeepPartialNullable, JsonClient } from "../json-client";
import { knownValue } from "../known-values";
import type { Pages } from "../pagination";

export const revisionConfigSchema = z
  .object({
    repoRef: z.string().optional().describe("Branch, or tag as `refs/tags/…`, that it was built from."),
    agentgraphConfigPath: z.string().optional().describe("Path of the graph configuration file within the repository."),
    imageUri: z.string().optional().describe("Container image that runs, or was built from the source."),
    sourceTarballPath: z.string().optional().describe("Object path of the uploaded source."),
    repoCommitSha: z.string().optional().describe("Commit that it was built from."),
  })
  .register(fieldMetadata, { interface: "SourceRevisionConfigInfo" });

export const revisionSchema = z
  .object({
    id: z.string().describe("Id of the revision."),
    status: knownValue("RevisionStatus").describe(
      "How far it came, such as QUEUED, BUILDING, DEPLOYED or DEPLOY_FAILED; one that was overtaken keeps DEPLOYED.",
    ),
    source: z
      .string()
      .register(fieldMetadata, { vocabularyTerm: true, knownValues: "DeploymentSource" })
      .optional()
      .describe("Kind of source of its deployment, where the service tells it."),
    sourceRevisionConfig: revisionConfigSchema.optional().describe("What runs in it."),
    createdAt: z.string().optional().describe("When it was created, where the service tells it."),
    updatedAt: z.string().optional().describe("When it last changed, where the service tells it."),
  })
  .register(fieldMetadata, { interface: "RevisionInfo" });

export const logLineSchema = z
  .object({
    id: z.string().optional().describe("Id of the line."),
    timestamp: z.string().optional().describe("When it was written."),
    level: z.string().optional().describe("Its level, such as INFO or ERROR."),
    message: z.string().describe("The line itself."),
  })
  .register(fieldMetadata, { interface: "LogLineInfo" });

const logsSchema = z.object({ logs: z.array(logLineSchema), nextOffset: z.string() });

/** Which lines of a log. */
export interface LogQuery {
  type: "build" | "deploy";
  order?: "asc" | "desc" | undefined;
  level?: string | undefined;
  query?: string | undefined;
  start_time?: string | undefined;
  end_time?: string | undefined;
  limit: number;
  /** The cursor that the page before ended with. */
  offset?: string | undefined;
}

export class RevisionClient {
  /** Known once the newer form was missing and the older one answered: both are not asked for every page. */
  private hasOlderLogs = false;

  private readonly json: JsonClient;

  constructor(http: HttpClient, caseMapper: CaseMapper) {
    this.json = new JsonClient(http, caseMapper, "Is controlPlaneUrl correct?");
  }

  get(deploymentId: string, revisionId: string): Promise<DeepPartialNullable<z.infer<typeof revisionSchema>>> {
    return this.json.getObject(revisionSchema, { method: "GET", path: revisionPath(deploymentId, revisionId) });
  }

  /** Newest first. Optional route. @param status Words of a status, comma-separated. */
  list(deploymentId: string, status?: string): Pages<DeepPartialNullable<z.infer<typeof revisionSchema>>> {
    const request: HttpRequest = { method: "GET", path: revisionPath(deploymentId), query: { status } };
    return this.json.paginate("revisions", request, (item) => this.json.decode(revisionSchema, request, item));
  }

  /** The last lines of a log, oldest first. */
  async lastLogLines(
    deploymentId: string,
    revisionId: string,
    type: LogQuery["type"],
    lines: number,
  ): Promise<LogLine[]> {
    const { logs } = await this.logs(deploymentId, revisionId, { type, order: "desc", limit: lines });
    return (logs ?? []).reverse();
  }

  /** A page of a log. Optional routes: the newer form, and where it is not there the older one. */
  async logs(deploymentId: string, revisionId: string, query: LogQuery): Promise<Logs> {
    if (this.hasOlderLogs) return this.olderLogs(deploymentId, revisionId, query);
    const path = `${revisionPath(deploymentId, revisionId)}/logs`;
    return this.json
      .getObject(logsSchema, { method: "GET", path, query: { ...query } })
      .catch(async (error: unknown) => {
        if (!isUnsupportedRoute(error)) throw error;
        const logs = await this.olderLogs(deploymentId, revisionId, query).catch((other: unknown) => {
          // Then it is the revision that is missing, or both forms are: the newer one's words say more.
          throw isUnsupportedRoute(other) ? error : other;
        });
        this.hasOlderLogs = true;
        return logs;
      });
  }

  /** The same parameters in a body, and the type in the path. It only reads, although it is a POST. */
  private olderLogs(deploymentId: string, revisionId: string, { type, ...body }: LogQuery): Promise<Logs> {
    const [deployment, revision] = [deploymentId, revisionId].map(pathSegment);
    const path = `/v1/projects/${deployment}/revisions/${revision}/${type}_logs`;
    return this.json.getObject(logsSchema, { method: "POST", path, body, isRead: true });
  }
}

type Logs = DeepPartialNullable<z.infer<typeof logsSchema>>;
export type LogLine = DeepPartialNullable<z.infer<typeof logLineSchema>>;

const isUnsupportedRoute = (error: unknown) => error instanceof HttpError && error.isUnsupportedRoute;

function revisionPath(deploymentId: string, revisionId?: string): string {
  const all = `/v2/deployments/${pathSegment(deploymentId)}/revisions`;
  return revisionId === undefined ? all : `${all}/${pathSegment(revisionId)}`;
}
