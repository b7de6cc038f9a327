/** Reads revisions and their logs: one method per endpoint (API `4A`). */
import { z } from "zod";
import type { HttpRequest } from "../../http/client";
import { HttpError } from "../../http/errors";
import { pathSegment } from "../../schema/id";
import { fieldMetadata, optionalText } from "../../schema/schema";
import type { DeepPartialNullable, JsonClient } from "../json-client";
import type { Pages } from "../pagination";
import { revisionPath } from "./client";
import { revisionSchema } from "./schemas";

export const logLineSchema = z
  .object({
    id: optionalText("ID of the line."),
    timestamp: optionalText("Time of the line."),
    level: optionalText("Level, such as INFO or ERROR."),
    message: z.string().describe("Text of the line."),
  })
  .register(fieldMetadata, { interface: "LogLineInfo", description: "A line of the log of a revision." });

const logsSchema = z.object({ logs: z.array(logLineSchema), nextOffset: z.string() });

export interface LogQuery {
  type: "build" | "deploy";
  order?: "asc" | "desc" | undefined;
  level?: string | undefined;
  query?: string | undefined;
  start_time?: string | undefined;
  end_time?: string | undefined;
  limit: number;
  /** The cursor that the previous page returned. */
  offset?: string | undefined;
}

export class RevisionClient {
  /** Whether the server has only the older form of the log route, known after the first page. */
  private hasOlderLogs = false;

  constructor(private readonly json: JsonClient) {}

  /** Lists revisions, newest first. Optional route. @param status Statuses to include, comma-separated. */
  list(deploymentId: string, status?: string): Pages<DeepPartialNullable<z.infer<typeof revisionSchema>>> {
    const request: HttpRequest = { method: "GET", path: revisionPath(deploymentId), query: { status } };
    return this.json.paginate("revisions", request, (item) => this.json.decode(revisionSchema, request, item));
  }

  /** Returns the last lines of a log, oldest first. */
  async lastLogLines(deploymentId: string, revisionId: string, { type, limit }: Pick<LogQuery, "type" | "limit">) {
    const { logs } = await this.logs(deploymentId, revisionId, { type, order: "desc", limit });
    return (logs ?? []).reverse();
  }

  /** Returns a page of a log. Optional routes: falls back to the older form where the newer one does not exist. */
  async logs(deploymentId: string, revisionId: string, query: LogQuery, options: LogOptions = {}): Promise<Logs> {
    if (this.hasOlderLogs) return this.olderLogs(deploymentId, revisionId, query, options);
    const path = `${revisionPath(deploymentId, revisionId)}/logs`;
    return this.json
      .getObject(logsSchema, { method: "GET", path, query: { ...query }, ...options })
      .catch(async (error: unknown) => {
        if (!isUnsupportedRoute(error)) throw error;
        const logs = await this.olderLogs(deploymentId, revisionId, query, options).catch((other: unknown) => {
          // The revision does not exist, or neither form does: the error of the newer form is more helpful.
          throw isUnsupportedRoute(other) ? error : other;
        });
        this.hasOlderLogs = true;
        return logs;
      });
  }

  /** The older form: the same parameters in the body, the type in the path. */
  private olderLogs(
    deploymentId: string,
    revisionId: string,
    { type, ...body }: LogQuery,
    options: LogOptions,
  ): Promise<Logs> {
    const [deployment, revision] = [deploymentId, revisionId].map(pathSegment);
    const path = `/v1/projects/${deployment}/revisions/${revision}/${type}_logs`;
    return this.json.getObject(logsSchema, { method: "POST", path, body, isRead: true, ...options });
  }
}

type LogOptions = Pick<HttpRequest, "maxAttempts">;

export type Logs = DeepPartialNullable<z.infer<typeof logsSchema>>;
export type LogLine = DeepPartialNullable<z.infer<typeof logLineSchema>>;

const isUnsupportedRoute = (error: unknown) => error instanceof HttpError && error.isUnsupportedRoute;
