/**
 * Creates a cron exactly once, although its server assigns the ID and repeats whatever is requested. The ownership marker in
 * the metadata is all that shows whether an interrupted run, or a request whose response was lost, created a cron. A table
 * decides what follows.
 */
import type { Cron } from "../../api/agent-server/crons";
import type { Observation } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { messageOf, UserError } from "../../text/user-error";
import { type DecisionTable, decide } from "../shared/agent-server/decision-table";
import { takeResumed } from "../shared/agent-server/messages";
import { pollForCreated } from "../shared/idempotent-create";
import { CRON, type Inputs, type State } from "./fields";
import { toCreateRequest, toInputs, toState, unremovable } from "./mapping";
import { type Attempt, describeCandidates, toSeveralError, warnOfLeftovers } from "./ownership";
import {
  applyRemaining,
  findCandidates,
  findOwn,
  ignoredLimits,
  type OwnCrons,
  removeCron,
  warnOfMissing,
  withCronSupport,
} from "./requests";

/** What is known of the cron that a create leads to. */
interface Situation {
  /** Whether crons have an ownership marker: the setting `ownerMarker`. */
  hasMarker: boolean;
  /** The request of this run: its response named the cron, or it did not arrive or names none. */
  request: "unsent" | "answered" | "lost";
  /** Whether the marker was searched since the request, or before there was one. */
  isSearched: boolean;
  /** The crons with the marker. */
  found: "none" | "one" | "several";
}

type Action =
  /** Searches for crons with the marker. */
  | "search"
  /** Sends the create request. */
  | "create"
  /** Manages the cron of this run's request. */
  | "use"
  /** Manages the cron of an earlier run. */
  | "resume"
  /** Fails without a change, because several crons have the marker. */
  | "refuse"
  /** Fails, because the request probably had no effect. */
  | "fail"
  /** Fails, and names the crons that the request may have created. */
  | "nameCandidates";

const DECISIONS: DecisionTable<Situation, Action> = [
  [{ request: "answered" }, "use"],
  [{ hasMarker: false, request: "unsent" }, "create"],
  [{ hasMarker: false, request: "lost" }, "nameCandidates"],
  [{ isSearched: false }, "search"],
  [{ found: "several" }, "refuse"],
  [{ found: "one", request: "unsent" }, "resume"],
  [{ found: "one", request: "lost" }, "use"],
  [{ found: "none", request: "unsent" }, "create"],
  [{ found: "none", request: "lost" }, "fail"],
];

/** What the create knows so far. */
interface Knowledge extends Pick<Situation, "request" | "isSearched">, OwnCrons {
  created?: Cron;
  /** Why the request has no usable response; undefined when the response does not name the cron. */
  lostResponse?: HttpError;
}

export async function createCron(attempt: Attempt): Promise<Observation<Inputs, State>> {
  let known: Knowledge = { request: "unsent", isSearched: false, current: [], leftovers: [] };
  for (;;) {
    const action = decide(DECISIONS, situationOf(known, attempt));
    const next = await STEPS[action](known, attempt);
    if ("id" in next) {
      warnOfLeftovers(known.leftovers, attempt);
      return next;
    }
    known = next;
  }
}

const situationOf = ({ request, isSearched, current }: Knowledge, { tags }: Attempt): Situation => ({
  hasMarker: Object.keys(tags).length > 0,
  request,
  isSearched,
  found: current.length === 0 ? "none" : current.length === 1 ? "one" : "several",
});

const cronOf = ({ created, current: [found] }: Knowledge): Cron => (created ?? found) as Cron;

/** By action: its result is what is known afterwards, or the cron. */
const STEPS = {
  async search(known, attempt) {
    const { lostResponse } = known;
    if (!lostResponse) return { ...known, isSearched: true, ...(await findOwn(attempt)) };
    // The server may still process the request.
    const current = await pollForCreated(async () => (await findOwn(attempt)).current, lostResponse, attempt.ctx.clock);
    return { ...known, isSearched: true, current };
  },

  async create(known, attempt) {
    const { server, desired, tags } = attempt;
    const body = toCreateRequest(desired, tags);
    try {
      const created = await withCronSupport(() => server.crons.create(body, desired.threadId), attempt);
      if (created) return { ...known, request: "answered", created };
      return { ...known, request: "lost", isSearched: false };
    } catch (error) {
      if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
      return { ...known, request: "lost", isSearched: false, lostResponse: error };
    }
  },

  async use(known, attempt) {
    const cron = cronOf(known);
    await deleteIfMisunderstood(cron, attempt);
    return { id: cron.cronId, inputs: attempt.desired, state: toState(cron, attempt) };
  },

  async resume(known, attempt) {
    const cron = cronOf(known);
    const { ctx, desired } = attempt;
    takeResumed(CRON, cron.cronId, attempt);
    if (unremovable(cron, desired).length > 0) {
      // No update can remove these inputs, and the cron has no history to lose.
      await removeCron(cron.cronId, attempt, ctx);
      return { ...known, current: [] };
    }
    ctx.record({ id: cron.cronId, inputs: toInputs(cron, desired), state: toState(cron, attempt) });
    return applyRemaining(cron, attempt);
  },

  async refuse({ current }, attempt) {
    throw toSeveralError(current, attempt);
  },

  async fail({ lostResponse }) {
    const hint =
      "The server has no such cron, so it was probably not created. Run `pulumi up` again: it searches before it creates one.";
    throw lostResponse?.withHint(hint) ?? new UserError(`${UNNAMED} ${hint}`);
  },

  async nameCandidates({ lostResponse }, attempt) {
    const hint = describeCandidates(await findCandidates(attempt), attempt);
    throw lostResponse?.withHint(hint) ?? new UserError(`${UNNAMED} ${hint}`);
  },
} satisfies Record<Action, (known: Knowledge, attempt: Attempt) => Promise<Knowledge | Observation<Inputs, State>>>;

const UNNAMED = "The server accepted the cron, but its response does not name one.";

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
