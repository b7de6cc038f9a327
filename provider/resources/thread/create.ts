/** The request that creates a thread, what it may leave when it fails, and what becomes of that. */
import type { AgentServerClient } from "../../api/agent-server/client";
import { UnappliedError } from "../../api/agent-server/thread-client";
import type { Thread } from "../../api/agent-server/threads";
import { describeUnknownGraph } from "../../api/agent-server/unknown-graph";
import { OwnershipError } from "../../definition/ownership";
import { type HttpError, ignoreHttpError } from "../../http/errors";
import type { Content, Found } from "../../objects/kind";
import { formatIds, formatRemedies } from "../../objects/messages";
import { hasMarkers, hasTag, isProven, tagsOf } from "../../objects/ownership";
import { removeObject } from "../../objects/remove";
import { pollForCreated } from "../../objects/server/lost-response";
import { defaultAssistantId } from "../../schema/id";
import { suggest } from "../../text/did-you-mean";
import { UserError } from "../../text/user-error";
import { type Attempt, type Inputs, OWNERSHIP_KEY, REQUEST_KEY, THREAD } from "./fields";
import { toCreateRequest, toState } from "./requests";

/** Returns the threads with the marker: the one that this resource certainly created, and copies or leftovers. */
export async function findTagged(attempt: Attempt): Promise<Found<Thread>> {
  if (!hasMarkers(attempt)) return { own: [], foreign: [], unproven: [] };
  // A server may ignore the filter.
  const found = await attempt.server.threads.findByMetadata({ [OWNERSHIP_KEY]: attempt.derivedId });
  const threads = found.filter((thread) => hasTag(THREAD, thread, attempt));
  const isOurs = (thread: Thread) => isProven(THREAD, thread, attempt);
  return {
    own: threads.filter(isOurs).slice(0, 1),
    foreign: [],
    unproven: threads.filter((thread) => !isOurs(thread)),
  };
}

/** Sends the create request once. @throws HttpError when it failed, and the server may have such a thread. */
export async function sendCreate(attempt: Attempt): Promise<Thread> {
  const { server, desired, id, requestId } = attempt;
  const tags = hasMarkers(attempt) ? { ...tagsOf(THREAD, id, attempt), [REQUEST_KEY]: requestId } : {};
  const thread = await server.threads.create(toCreateRequest(desired, id, tags));
  // Responses contain the values of a state (the interface), except those of servers that ignore supersteps.
  const content = thread.values ?? (await appliedSupersteps(thread, desired, server).catch(ignoreHttpError));
  if (content === "none")
    throw new UnappliedError({ method: "POST", path: "/threads", status: 200, detail: "check that it supports them." });
  return thread.metadata ? thread : ((await server.threads.lookUp(thread.threadId)) ?? thread);
}

/** Without supersteps, a rejection creates no thread (API `2B.Superstep:failure`). */
export const mayRemain = (failure: HttpError, { desired }: Attempt): boolean | undefined =>
  desired.supersteps !== undefined && failure.isRejection ? true : undefined;

/** Returns the error of a create that left no thread. @param unproven Threads that it may have created after all. */
export async function explainFailure(
  failure: HttpError | undefined,
  attempt: Attempt,
  unproven: readonly Thread[],
): Promise<Error> {
  const ids = unproven.map(({ threadId }) => threadId);
  if (!failure) return toUnmarkedError(ids, attempt);
  const { desired } = attempt;
  const isRejected = failure.status !== undefined && failure.status !== 409 && failure.isRejection;
  if (failure.isUnsupportedRoute || (isRejected && desired.supersteps === undefined && !failure.outcomeUnknown))
    return failure;
  if (isRejected) return explainSupersteps(failure, "Nothing was left behind.", attempt);
  if (!failure.outcomeUnknown && failure.status !== 409) return failure;
  const candidates =
    ids.length === 0
      ? ""
      : ` If it was created after all, it is one of these: ${formatIds(ids)}.\n${formatRemedies(THREAD, ids, attempt)}`;
  return failure.withHint(
    `The server has no such thread, so it was probably not created. Run \`pulumi up\` again.${candidates}`,
  );
}

const toUnmarkedError = (ids: readonly string[], attempt: Attempt): OwnershipError =>
  new OwnershipError(
    `The response to the create request contains thread ${formatIds(ids)} at ${attempt.server.url}, whose ` +
      "metadata lack the ownership marker that was sent, so it may belong to someone else. It was not changed.\n" +
      formatRemedies(THREAD, ids, attempt),
  );

/** Returns how much of its initial state a thread has. */
export async function inspect(
  thread: Thread,
  { desired, server, ctx }: Attempt,
  isNew: boolean,
  failure?: HttpError,
): Promise<Content> {
  // What the server itself denies cannot be in the history, which some servers do not list.
  if (isNew && failure && isRefusal(failure)) return "none";
  let content: Content = "unseen";
  const findWhole = async () => {
    content = await appliedSupersteps(thread, desired, server);
    return content === "whole" ? [thread] : [];
  };
  // The server may still process the request.
  await (isNew && failure ? pollForCreated(findWhole, failure, ctx.clock) : findWhole());
  return content;
}

const isRefusal = (failure: HttpError): boolean =>
  failure instanceof UnappliedError || (failure.isRejection && !failure.isUnexpected && failure.status !== 409);

/** Deletes a new thread without supersteps, or keeps it in state without them to be replaced; and fails. */
export async function giveUp(thread: Thread, attempt: Attempt, isNew: boolean, failure?: HttpError): Promise<never> {
  const { desired, ctx, server, deploymentId, tenantId } = attempt;
  const id = thread.threadId;
  const keep = () =>
    ctx.record({
      id,
      inputs: { ...desired, supersteps: undefined },
      state: toState(thread, { server, deploymentId, tenantId }),
    });
  if (!isNew || !failure) {
    keep();
    throw new UserError(
      `Thread ${id} already exists at ${server.url} without any state: an interrupted run of this resource ` +
        "created it, and its supersteps were not applied. It is kept in state, and the next `pulumi up` " +
        "replaces it.",
    );
  }
  const removal = await removeObject(THREAD, id, attempt, ctx).catch(ignoreHttpError);
  if (removal === "gone") throw await explainSupersteps(failure, "Nothing was left behind.", attempt);
  const kept =
    `Thread ${id} exists without all of its supersteps, because it could not be deleted, and is kept in state; ` +
    "the next `pulumi up` replaces it.";
  keep();
  throw await explainSupersteps(failure, kept, attempt);
}

const UNEXPLAINED =
  "The server did not apply the supersteps. Check that metadata.graph_id names a graph of this server and " +
  "asNode a node of that graph.";

async function explainSupersteps(failure: HttpError, outcome: string, attempt: Attempt): Promise<Error> {
  const problem = await findSuperstepProblem(attempt.desired, attempt.server).catch(ignoreHttpError);
  const hint = `${problem ?? UNEXPLAINED} ${outcome}`;
  if (!failure.isUnexpected) return problem === undefined ? failure.withHint(hint) : failure.explainedBy(hint);
  // The server's success status is not what the user asks about.
  const { method, path, detail, originLines } = failure;
  const what = `${method} ${path}: the server created the thread, but did not apply its supersteps: ${detail}`;
  return new UserError([what, hint, ...originLines].join("\n"));
}

/** Names that are not nodes of a graph (API `2B.Superstep:input`). */
const SPECIAL_NODES: ReadonlySet<string> = new Set(["__start__", "__end__", "__input__", "__copy__"]);

/** Returns what is wrong with the graph or the nodes of supersteps; undefined as far as the server does not show it. */
export async function findSuperstepProblem(
  { metadata, supersteps = [] }: Partial<Inputs>,
  server: AgentServerClient,
): Promise<string | undefined> {
  const graphId = metadata?.graph_id;
  if (typeof graphId !== "string")
    return "supersteps: they require metadata.graph_id, the graph whose nodes they name.";
  const nodes = await server.assistants.getNodes(defaultAssistantId(graphId)).catch(ignoreHttpError);
  if (!nodes) {
    const unknownGraph = await describeUnknownGraph(graphId, server);
    return unknownGraph && `metadata.graph_id: ${unknownGraph}`;
  }
  const known = nodes.filter((node) => !SPECIAL_NODES.has(node));
  for (const [step, { updates }] of supersteps.entries())
    for (const [index, { asNode }] of updates.entries())
      if (!known.includes(asNode) && !SPECIAL_NODES.has(asNode))
        return (
          `supersteps.${step}.updates.${index}.asNode: graph "${graphId}" has no node "${asNode}". ` +
          `${suggest(asNode, known)}`
        );
  return undefined;
}

/** The largest page of a history (API `4B.POST /threads/{thread_id}/history:limit`). */
const MAX_CHECKPOINTS = 1000;

/** Returns how much of its initial state a thread has. Checkpoints do not show which of them runs added. */
async function appliedSupersteps(
  { threadId }: Thread,
  { supersteps = [] }: Pick<Inputs, "supersteps">,
  server: AgentServerClient,
): Promise<Content> {
  const steps = Math.min(supersteps.length, MAX_CHECKPOINTS);
  if (steps === 0) return "whole";
  const count = await server.states.count(threadId, steps);
  if (count >= steps) return "whole";
  if (count > 0) return "partial";
  const { values } = await server.states.get(threadId);
  return Object.keys(values ?? {}).length > 0 ? "partial" : "none";
}
