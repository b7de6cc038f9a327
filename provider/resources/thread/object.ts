/**
 * What the engine of objects (provider/objects/) needs to know of threads. The client chooses the ID; where the server
 * does, the metadata show which thread this resource created.
 */
import type { Thread } from "../../api/agent-server/threads";
import type { Found, ObjectKind } from "../../objects/kind";
import { formatIds, formatRemedies } from "../../objects/messages";
import { idDerivation } from "../../objects/metadata/metadata";
import { withServerKeys } from "../../objects/metadata/server-keys";
import { foundById, hasTag } from "../../objects/ownership";
import {
  assertGraphExists,
  assertNoForeignCrons,
  assertThreadExists,
  isSamePlace,
} from "../../objects/server/before-replace";
import { UserError } from "../../text/user-error";
import { completeCopy, findCopy, requestCopy, toForeignCopyError } from "./copy";
import { explainFailure, findSuperstepProblem, findTagged, giveUp, inspect, mayRemain, sendCreate } from "./create";
import { type Attempt, type Inputs, inputs, outputs, REQUEST_KEY, type State, THREAD } from "./fields";
import {
  completeThread,
  patchThread,
  toAllInputs,
  toInputs,
  toState,
  toUpdateRequest,
  warnOfTtl,
  withTtl,
} from "./requests";

type ThreadObject = ObjectKind<Inputs, State, Thread>;

export const deriveThreadId = idDerivation<Inputs>(inputs);

/** The inputs that servers may be unable to update. Frozen, since IDs are derived from them. */
const UPDATABLE = ["metadata", "ttl"];

export const threadObject: ThreadObject = {
  ...THREAD,
  inputs,
  outputs,
  deriveId: (desired, ctx) =>
    // If metadata cannot be changed, other metadata need another thread, and the old one may still exist.
    deriveThreadId(desired, ctx, ctx.recorded.profile["threads-patch"] === false ? UPDATABLE : []),
  search: (metadata, { server }) => server.threads.searchByMetadata(metadata, 100),

  // A server without the route of its health supports nothing beyond the interface.
  idBy: async ({ server }) => ((await server.checkReadiness()) === "unsupported" ? "server" : "client"),
  async find(attempt, { idBy, isAfterRequest }) {
    const { server, id, desired } = attempt;
    // Also a server that may assign IDs may have a thread with the declared one.
    if (idBy === "client" || desired.threadId !== undefined) {
      const found = await (isAfterRequest ? server.threads.peek(id) : server.threads.lookUp(id));
      if (found || (idBy === "client" && !isAfterRequest)) return foundById(threadObject, found, attempt);
    }
    const tagged = await findTagged(attempt);
    return isAfterRequest ? withOwnRequest(tagged, attempt) : tagged;
  },
  send: sendCreate,
  isOfRequest: ({ metadata }, { requestId }) => metadata?.[REQUEST_KEY] === requestId,
  mayRemain,
  explain: explainFailure,
  inspect,
  giveUp,
  resumeNote: (content, { ctx }) =>
    content === "partial"
      ? " It was not changed, but has fewer checkpoints than the declared supersteps: its server deleted old " +
        "ones, or an earlier run ended before all were applied. To create it again with its initial state and " +
        `lose its history, run:  pulumi up --replace '${ctx.urn}'`
      : " Its history is kept.",

  async settle(thread, attempt, { origin, previous, state, paths = [], isUnfinished }) {
    const { desired, ctx } = attempt;
    const id = thread.threadId;
    if (origin !== "state") {
      const metadata = origin === "new" ? withServerKeys(desired.metadata, thread.metadata) : thread.metadata;
      const inState = { sent: origin === "new" ? desired.extra : undefined };
      const complete = await completeThread({ ...thread, metadata }, attempt, inState);
      if (desired.ttl) await warnOfTtl({ threadId: id }, desired.ttl, attempt, ctx);
      return complete;
    }
    if (isUnfinished || paths.length === 0) {
      const complete = desired.copyFrom === undefined ? completeThread : completeCopy;
      return complete(thread, attempt, { state, previous });
    }
    const change = toUpdateRequest(previous ?? {}, desired);
    const changed = change ? await patchThread(thread, change, attempt) : thread;
    return { id, inputs: desired, state: toState(changed, attempt, state) };
  },
  async review(thread, attempt, unproven) {
    const { desired, id, ctx } = attempt;
    warnOfUnproven(unproven, thread, attempt);
    if (desired.threadId !== undefined && thread.threadId.toLowerCase() !== id)
      ctx.log.warn(`threadId: the server assigned its own ID: ${thread.threadId}.`);
  },

  toState,
  toInputs,
  toAllInputs,
  async observe(found, declared, { endpoint, ctx, isImported }) {
    const { threadId: id } = found;
    const remote = !declared || declared.ttl ? await withTtl(found, endpoint) : found;
    if (!declared) return { inputs: toAllInputs(remote) };
    if (isImported && (declared.supersteps ?? declared.copyFrom) !== undefined) ctx.log.warn(HISTORY_NOT_COMPARED);
    // The ID of a thread never changes, but an import may name another one than the program declares.
    const hasOtherId =
      isImported && declared.threadId !== undefined && declared.threadId.toLowerCase() !== id.toLowerCase();
    // An import sent nothing yet, so a key that is absent is a difference.
    const metadata = isImported ? remote.metadata : withServerKeys(declared.metadata, remote.metadata);
    return { inputs: { ...toInputs({ ...remote, metadata }, declared), ...(hasOtherId && { threadId: id }) } };
  },

  async verifyNew({ copyFrom, supersteps, metadata }, endpoint, _ctx, old) {
    const { server } = endpoint;
    if (copyFrom?.toLowerCase() === old.id.toLowerCase() && isSamePlace(copyFrom, endpoint, old))
      throw new UserError(
        `copyFrom: thread ${old.id} cannot be a copy of itself, since it is deleted before. Name another thread.`,
      );
    if (copyFrom !== undefined) await assertThreadExists("copyFrom", copyFrom, server);
    if (supersteps === undefined || typeof metadata?.graph_id !== "string") return;
    await assertGraphExists("metadata.graph_id", metadata.graph_id, server);
    const problem = await findSuperstepProblem({ metadata, supersteps }, server);
    if (problem !== undefined) throw new UserError(problem);
  },
  async beforeDelete({ threadId: id }, { deleteForeignCrons }, { server }, ctx) {
    if (deleteForeignCrons) return;
    assertNoForeignCrons({ ...THREAD, id }, await server.crons.listOnThread(id), ctx, "Delete them first.");
  },
  deletion: {
    unreachable: "If the server still exists, it still stores the thread's history: delete it manually.",
    unsupported: "The server still stores its history: delete it manually or let it expire.",
  },
};

/** The same for threads that the server copies: it chooses the ID, and only its response shows which one. */
export const copyObject: ThreadObject = {
  ...threadObject,
  idBy: async () => "server",
  find: findCopy,
  send: requestCopy,
  isOfRequest: ({ threadId }, { desired }) => threadId.toLowerCase() !== desired.copyFrom?.toLowerCase(),
  mayRemain: () => false,
  explain: async (failure, attempt, unproven) => failure ?? toForeignCopyError(unproven, attempt),
  inspect: undefined,
  resumeNote: undefined,
  settle: (thread, attempt) => completeCopy(thread, attempt),
};

function withOwnRequest({ own, foreign, unproven }: Found<Thread>, { requestId }: Attempt): Found<Thread> {
  if (own.length > 0) return { own, foreign, unproven };
  const isRequested = ({ metadata }: Thread) => metadata?.[REQUEST_KEY] === requestId;
  // The oldest one is the original, because a thread must exist before it can be copied.
  const [original] = unproven.filter(isRequested);
  return { own: original ? [original] : [], foreign, unproven: unproven.filter((thread) => thread !== original) };
}

const HISTORY_NOT_COMPARED =
  "import: the server does not return the initial state of a thread, so supersteps and copyFrom were not compared.";

/** Warns about threads with the marker that this resource may not have created, on servers that assign IDs. */
function warnOfUnproven(unproven: readonly Thread[], current: Thread, attempt: Attempt): void {
  const { server, ctx } = attempt;
  // A response may also contain the thread of someone else, which has another marker.
  const marked = unproven.filter((thread) => hasTag(THREAD, thread, attempt));
  const others = marked.map(({ threadId }) => threadId).filter((id) => id !== current.threadId);
  if (others.length === 0) return;
  ctx.log.warn(
    `Threads at ${server.url} have the ownership marker of this resource, but nothing proves that it created ` +
      `them: ${formatIds(others)}. They may be left over from an interrupted run, or copies of an earlier ` +
      "thread. They were not changed. This resource manages " +
      `${current.threadId}.\n${formatRemedies(THREAD, others, attempt)}${ctx.ownerHint}`,
  );
}
