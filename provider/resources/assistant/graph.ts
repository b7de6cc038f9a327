/** What a server knows of the graph of an assistant. Servers check neither its values nor, in JavaScript, its name. */
import type { AssistantSchemas } from "../../api/agent-server/assistants";
import { HttpError, ignoreHttpError } from "../../http/errors";
import type { Attempt } from "../../objects/kind";
import { describeUnknownGraph } from "../../objects/server/before-replace";
import type { AgentEndpoint } from "../../objects/server/endpoint";
import { defaultAssistantId } from "../../schema/id";
import { UserError } from "../../text/user-error";
import type { Inputs } from "./fields";
import { findProblems } from "./json-schema";

/** How long a warning may delay an operation: a server may compile the graph for its schemas, for half a minute. */
const PATIENCE_MS = 2000;

/** The schemas that this run has requested, by server and graph. A slow server is asked and waited for once. */
class SchemasOfRun {
  private readonly byGraph = new Map<string, Promise<AssistantSchemas | undefined>>();

  get({ server, desired }: Attempt<Inputs>, assistantId: string): Promise<AssistantSchemas | undefined> {
    const key = JSON.stringify([server.url, desired.graphId]);
    const request = this.byGraph.get(key) ?? server.assistants.getSchemas(assistantId, PATIENCE_MS);
    this.byGraph.set(key, request);
    return request;
  }
}

/**
 * Warns of a graph that does not exist, and of values that it does not accept (API `2B.Assistant.schema`). A failed check
 * fails nothing, and a slow one is left out.
 * @param id The ID of the assistant. The default one of its graph is hidden by custom authentication.
 */
export async function warnOfGraph(id: string, attempt: Attempt<Inputs>): Promise<void> {
  const { server, desired, ctx } = attempt;
  const { graphId, context, config } = desired;
  try {
    const schemas = await ctx.scope.get(SchemasOfRun).get(attempt, id);
    if (!schemas && !(await server.assistants.get(defaultAssistantId(graphId)))) {
      ctx.log.warn(
        `graphId: the agent server has no default assistant of the graph "${graphId}", so the graph probably does not exist, and runs of assistant ${id} will fail.`,
      );
    }
    const parts = [
      { path: "context", values: context, schema: schemas?.contextSchema },
      { path: "config.configurable", values: config?.configurable, schema: schemas?.configSchema },
    ];
    for (const { path, values, schema } of parts)
      for (const { key, reason } of schema && values ? findProblems(schema, values) : [])
        ctx.log.warn(`${path}.${key}: ${reason} Servers store it anyway, and runs may fail or ignore it.`);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

/** Returns the error of a request for a graph that its server does not have; the given one if it may have another cause. */
export async function toGraphError(error: HttpError, graphId: string, { server }: AgentEndpoint): Promise<Error> {
  const cause = ` (${error.status}: ${error.quote}). No changes were made`;
  const unknownGraph = await describeUnknownGraph(graphId, server, cause).catch(ignoreHttpError);
  return unknownGraph === undefined ? error : new UserError(`graphId: ${unknownGraph}`);
}
