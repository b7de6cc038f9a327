/**
 * Creates a cron exactly once, although its server assigns the ID and repeats whatever is requested. The ownership marker in
 * the metadata is all that shows whether an interrupted run, or a request whose response was lost, created a cron. A table
 * decides what follows.
 */
import type { Cron } from "../../api/agent-server/crons";
import { collectAll } from "../../api/pagination";
import type { Observation } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { assertGraphExists } from "../../objects/before-replace";
import { type DecisionTable, decide } from "../../objects/decision-table";
import { pollForCreated } from "../../objects/lost-response";
import { takeResumed } from "../../objects/messages";
import { isUuid } from "../../schema/id";
import { messageOf, UserError } from "../../text/user-error";
import { CRON, type Inputs, type State } from "./fields";
import { toCreateRequest, toInputs, toState, toUpdateRequest, unremovable } from "./mapping";
import { findOwn, warnOfOthers } from "./own-crons";
import { type Attempt, describeCandidates, hasTag, isOriginal, toSeveralError, toUncertainError } from "./ownership";
import {
  addOwnId,
  applyRemaining,
  ignoredLimits,
  isCandidate,
  removeCron,
  warnOfMissing,
  withCronSupport,
} from "./requests";

/** What is known of the cron that a create leads to. */
interface Situation {
  /** Whether crons have an ownership marker: the setting `ownerMarker`. */
  hasMarker: boolean;
  /** The request of this run: its response contains the cron, or it did not arrive or shows no cron of this resource. */
  request: "unsent" | "answered" | "lost";
  /** Whether the server was searched since the request, or before there was one. */
  isSearched: boolean;
  /** The crons with the marker. */
  found: "none" | "one" | "several";
  /** Whether the one is the original: its marker contains its ID, or it equals the program. */
  isCertain: boolean;
}

type Action =
  /** Searches for crons with the marker; without one, for all that exist before the request. */
  | "search"
  /** Sends the create request. */
  | "create"
  /** Manages the cron of this run's request. */
  | "use"
  /** Manages the cron of an earlier run. */
  | "resume"
  /** Fails without a change, because several crons have the marker. */
  | "refuse"
  /** Fails without a change, because the cron with the marker may be a copy that others made. */
  | "refuseCopy"
  /** Fails, because the request probably had no effect. */
  | "fail"
  /** Fails, and names the crons that the request may have created. */
  | "nameCandidates";

const DECISIONS: DecisionTable<Situation, Action> = [
  [{ request: "answered" }, "use"],
  [{ isSearched: false }, "search"],
  [{ hasMarker: false, request: "unsent" }, "create"],
  [{ hasMarker: false, request: "lost" }, "nameCandidates"],
  [{ found: "several" }, "refuse"],
  [{ found: "one", request: "lost" }, "use"],
  [{ found: "one", isCertain: false }, "refuseCopy"],
  [{ found: "one" }, "resume"],
  [{ found: "none", request: "unsent" }, "create"],
  [{ found: "none", request: "lost" }, "fail"],
];

/** What the create knows so far. */
interface Knowledge extends Pick<Situation, "request" | "isSearched"> {
  created?: Cron;
  /** The crons with the marker; without one, those that the request may have created. */
  found: readonly Cron[];
  /** Where crons have no marker: the IDs of those that existed before the request. */
  existingIds: ReadonlySet<string>;
  /** Why the request has no usable response; undefined when the response does not contain a cron of this resource. */
  lostResponse?: HttpError;
}

export async function createCron(attempt: Attempt): Promise<Observation<Inputs, State>> {
  let known: Knowledge = { request: "unsent", isSearched: false, found: [], existingIds: new Set() };
  for (;;) {
    const action = decide(DECISIONS, situationOf(known, attempt));
    const next = await STEPS[action](known, attempt);
    if ("id" in next) {
      await warnOfOthers(next.id, `This resource manages cron ${next.id}.`, attempt);
      return next;
    }
    known = next;
  }
}

const hasMarker = ({ tags }: Attempt) => Object.keys(tags).length > 0;

function situationOf({ request, isSearched, found }: Knowledge, attempt: Attempt): Situation {
  const [first] = found;
  return {
    hasMarker: hasMarker(attempt),
    request,
    isSearched,
    found: found.length === 0 ? "none" : found.length === 1 ? "one" : "several",
    isCertain: first !== undefined && (isOriginal(first) || isAsDeclared(first, attempt)),
  };
}

/** Whether a cron has all that the program declares, and nothing else that a run would receive. */
function isAsDeclared(cron: Cron, { desired, tags }: Attempt): boolean {
  const all = { ...desired, context: desired.context ?? {}, config: desired.config ?? {} };
  const remote = toInputs(cron, all);
  const actual = { ...remote, context: remote.context ?? {}, config: remote.config ?? {} };
  return toUpdateRequest(actual, all, tags) === undefined && unremovable(cron, desired).length === 0;
}

const cronOf = ({ created, found: [found] }: Knowledge): Cron => (created ?? found) as Cron;

/** By action: its result is what is known afterwards, or the cron. */
const STEPS = {
  async search(known, attempt) {
    const { lostResponse } = known;
    if (!hasMarker(attempt)) return { ...known, isSearched: true, ...(await findUnmarked(known, attempt)) };
    const find = async () => originalsOf((await findOwn(attempt)).current);
    // The server may still process the request.
    const found = lostResponse ? await pollForCreated(find, lostResponse, attempt.ctx.clock) : await find();
    return { ...known, isSearched: true, found };
  },

  async create(known, attempt) {
    const { server, desired, tags } = attempt;
    const body = toCreateRequest(desired, tags);
    try {
      const created = await withCronSupport(() => server.crons.create(body, desired.threadId), attempt);
      // A proxy may return the response of another request.
      const isOwn = created && (hasMarker(attempt) ? hasTag(created, attempt) : !known.existingIds.has(created.cronId));
      return isOwn ? { ...known, request: "answered", created } : { ...known, request: "lost", isSearched: false };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (error.isNotFound && !isUuid(desired.assistantId))
        await assertGraphExists("assistantId", desired.assistantId, server);
      if (!error.outcomeUnknown) throw error;
      return { ...known, request: "lost", isSearched: false, lostResponse: error };
    }
  },

  async use(known, attempt) {
    const cron = cronOf(known);
    await deleteIfMisunderstood(cron, attempt);
    const observed = { id: cron.cronId, inputs: attempt.desired, state: toState(cron, attempt) };
    attempt.ctx.record(observed);
    await addOwnId(cron, attempt);
    return observed;
  },

  async resume(known, attempt) {
    const cron = cronOf(known);
    const { ctx, desired } = attempt;
    takeResumed(CRON, cron.cronId, attempt);
    if (unremovable(cron, desired).length > 0) {
      // No update can remove these inputs, and the cron has no history to lose.
      await removeCron(cron.cronId, attempt, ctx);
      return { ...known, found: [] };
    }
    ctx.record({ id: cron.cronId, inputs: toInputs(cron, desired), state: toState(cron, attempt) });
    return applyRemaining(cron, attempt);
  },

  async refuse({ found }, attempt) {
    throw toSeveralError(found, attempt);
  },

  async refuseCopy(known, attempt) {
    throw toUncertainError(cronOf(known), attempt);
  },

  async fail({ lostResponse }) {
    const hint =
      "The server has no such cron, so it was probably not created. Run `pulumi up` again: it searches before it creates one.";
    throw lostResponse?.withHint(hint) ?? new UserError(`${UNNAMED} ${hint}`);
  },

  async nameCandidates({ lostResponse, found }, attempt) {
    const hint = describeCandidates(found, attempt);
    throw lostResponse?.withHint(hint) ?? new UserError(`${UNNAMED} ${hint}`);
  },
} satisfies Record<Action, (known: Knowledge, attempt: Attempt) => Promise<Knowledge | Observation<Inputs, State>>>;

/** Prefers the crons that are certainly no copies, if there are any. */
function originalsOf(crons: readonly Cron[]): Cron[] {
  const originals = crons.filter(isOriginal);
  return originals.length > 0 ? originals : [...crons];
}

/** Returns the IDs of all crons before the request; after it, the new ones that it may have created. */
async function findUnmarked({ request, existingIds }: Knowledge, attempt: Attempt) {
  const all = await withCronSupport(() => collectAll(attempt.server.crons.list()), attempt);
  if (request === "unsent") return { existingIds: new Set(all.map(({ cronId }) => cronId)) };
  return { found: all.filter((cron) => !existingIds.has(cron.cronId) && isCandidate(cron, attempt)) };
}

const UNNAMED = "The server accepted the cron, but its response does not contain it.";

/**
 * Deletes a new cron that its server did not understand, if it would fire although it must not. Warns of other fields that
 * the response lacks.
 * @throws UserError when it was deleted, or could not be.
 */
async function deleteIfMisunderstood(cron: Cron, attempt: Attempt): Promise<void> {
  const { desired, ctx } = attempt;
  const limits = ignoredLimits(cron, desired);
  if (limits === undefined) return warnOfMissing(cron, attempt);
  const reason = `${limits} It would fire although it must not.`;
  const removal = await removeCron(cron.cronId, attempt, ctx).catch(messageOf);
  if (removal === "gone") throw new UserError(`${reason} It was deleted again, and nothing is left.`);
  ctx.record({ id: cron.cronId, inputs: toInputs(cron, desired), state: toState(cron, attempt) });
  throw new UserError(
    `${reason} It could not be deleted (${removal}), so it fires until you delete it:  DELETE ${attempt.server.url}/runs/crons/${cron.cronId}`,
  );
}
