/** The requests about one assistant. A change, which makes a version, is sent only if something differs. */
import type { Assistant, AssistantBody, AssistantSchemas } from "../../api/agent-server/assistants";
import { describeUnknownGraph } from "../../api/agent-server/unknown-graph";
import type { Context } from "../../definition/context";
import { HttpError, ignoreHttpError } from "../../http/errors";
import { toCreateRequest } from "../../objects/defaults";
import type { Attempt } from "../../objects/kind";
import { isUnprovable } from "../../objects/ownership";
import { assertNoForeignCrons } from "../../objects/server/before-replace";
import { type AgentEndpoint, findOnServer } from "../../objects/server/endpoint";
import { defaultAssistantId } from "../../schema/id";
import { UserError } from "../../text/user-error";
import { ASSISTANT, type Inputs, type State } from "./fields";
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
 * Warns of a graph that does not exist, and of values that it does not accept (API `2B.Assistant.schema`). A failed
 * check fails nothing, and a slow one is left out.
 * @param id The ID of the assistant. The default one of its graph is hidden by custom authentication.
 */
export async function warnOfGraph(id: string, attempt: Attempt<Inputs>): Promise<void> {
  const { server, desired, ctx } = attempt;
  const { graphId, context, config } = desired;
  const schemas = await ctx.scope.get(SchemasOfRun).get(attempt, id);
  if (!schemas && !(await server.assistants.get(defaultAssistantId(graphId)))) {
    ctx.log.warn(
      `graphId: the agent server has no default assistant of the graph "${graphId}", so the graph ` +
        `probably does not exist, and runs of assistant ${id} will fail. Correct graphId.`,
    );
  }
  const parts = [
    { path: "context", values: context, schema: schemas?.contextSchema },
    { path: "config.configurable", values: config?.configurable, schema: schemas?.configSchema },
  ];
  for (const { path, values, schema } of parts)
    for (const { key, reason } of schema && values ? findProblems(schema, values) : [])
      ctx.log.warn(
        `${path}.${key}: ${reason} Servers store it anyway, and runs may fail or ignore it. Correct ` +
          "it, unless the graph reads more than its schema declares.",
      );
}

/** Returns the error of a request for a graph that its server lacks; the given one if the cause may be another. */
async function toGraphError(error: HttpError, graphId: string, { server }: AgentEndpoint): Promise<Error> {
  const cause = ` (${error.status}: ${error.quote}). No changes were made`;
  const unknownGraph = await describeUnknownGraph(graphId, server, cause).catch(ignoreHttpError);
  return unknownGraph === undefined ? error : new UserError(`graphId: ${unknownGraph}`);
}

/** Sends the create request, which does nothing if the ID is taken, so that it can be repeated. */
export async function sendCreate(attempt: Attempt<Inputs>): Promise<Assistant> {
  const { server, desired } = attempt;
  // Nothing would show that an assistant that the server returns is another one.
  const ifExists = isUnprovable(attempt) ? "raise" : "do_nothing";
  const body: AssistantBody = { ...toCreateRequest(ASSISTANT, attempt), ifExists };
  return server.assistants.create(body).catch(async (error: unknown) => {
    if (!(error instanceof HttpError) || !error.isNotFound) throw error;
    throw await toGraphError(error, desired.graphId, attempt);
  });
}

/** Sends a change. A server does not find the route, the assistant or its graph. */
export async function sendChange(id: string, change: AssistantBody, attempt: Attempt<Inputs>): Promise<Assistant> {
  const { server, desired, ctx } = attempt;
  const find = () => findOnServer(() => server.assistants.find(id), attempt, ctx);
  return server.assistants.update(id, change).catch(async (error: unknown) => {
    const isOfGraph = error instanceof HttpError && error.isNotFound && (await find()) !== undefined;
    throw isOfGraph ? await toGraphError(error, desired.graphId, attempt) : error;
  });
}

/** Warns of what others have changed: the assistant itself, or the graphs of its deployment. */
export function warnOfState(
  { assistantId, graphId, version, isGraphMissing }: Assistant,
  previous: Partial<State> = {},
  ctx: Context,
): void {
  if (isGraphMissing)
    ctx.log.warn(
      `graphId: the agent server no longer has the graph "${graphId}", so assistant ${assistantId} ` +
        "cannot run. It still exists, and stays in state. Declare another graph, or deploy a revision that " +
        "has this one.",
    );
  if (previous.version === undefined || version == null || version === previous.version) return;
  ctx.log.warn(
    `changed outside: version ${version}, last applied ${previous.version}. The next \`pulumi up\` makes ` +
      "a version if it differs from the program.",
  );
}

/** @throws OwnershipError when crons that a delete includes are not of this stack, unless that is allowed. */
export async function verifyDeletion(
  { assistantId: id }: Assistant,
  { deleteForeignCrons }: Pick<Inputs, "deleteForeignCrons">,
  { server }: AgentEndpoint,
  ctx: Context,
): Promise<void> {
  if (deleteForeignCrons) return;
  if ((await server.crons.areSupported()) === false) return;
  const crons = await server.crons.listForDeletion({ assistantId: id });
  // A server may ignore the filter.
  const own = crons.filter(({ assistantId }) => assistantId === id);
  assertNoForeignCrons({ ...ASSISTANT, id }, own, ctx, "Delete them, or let them run another assistant.");
}
