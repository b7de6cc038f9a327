/**
 * What the engine of objects (provider/objects/) needs to know of crons. The server assigns the ID, and each POST makes
 * another cron: only the marker shows what an interrupted run, or a lost response, created.
 */
import { type Cron, NO_CRONS, NoCronsError } from "../../api/agent-server/crons";
import { collectAll } from "../../api/pagination";
import { OwnershipError } from "../../definition/ownership";
import { type HttpError, recoverFrom } from "../../http/errors";
import { objectKind } from "../../objects/defaults";
import type { Attempt, Found, ObjectKind } from "../../objects/kind";
import { formatRemedies, warnOfOthers } from "../../objects/messages";
import { deriveResourceId, deriveStackId } from "../../objects/metadata/metadata";
import { createAttempt, hasMarkers, hasTag, isCopy, namesItself } from "../../objects/ownership";
import { removeObject } from "../../objects/remove";
import { assertAssistantExists, assertThreadExists } from "../../objects/server/before-replace";
import { findOnServer } from "../../objects/server/endpoint";
import { isEqual } from "../../schema/compare";
import { messageOf, UserError } from "../../text/user-error";
import { CRON, type Inputs, inputs, outputs, type State } from "./fields";
import { isAsDeclared, toAllInputs, toAppliedInputs, toInputs, toState, unremovable } from "./mapping";
import { addOwnId, ignoredLimits, sendChange, sendCreate, warnOfMissing, withCronSupport } from "./requests";

const STILL_FIRES = "If it still exists, it still fires: delete it manually.";

export const cronObject: ObjectKind<Inputs, State, Cron> = objectKind<Inputs, State, Cron>({
  ...CRON,
  inputs,
  outputs,
  client: ({ crons }) => crons,
  alarm: " (each fires unless it is disabled)",
  label,

  /** A server that says that it has no crons does not have this one. Missing routes prove nothing. */
  read: (id, endpoint, ctx) =>
    findOnServer(() => withCronSupport(() => endpoint.server.crons.find(id), endpoint), endpoint, ctx).catch(
      inPlaceOfNoCrons(undefined),
    ),
  // The first page is enough for a warning.
  search: (metadata, attempt) =>
    withCronSupport(() => collectAll(attempt.server.crons.list({ metadata }), () => true), attempt).catch(
      inPlaceOfNoCrons([]),
    ),

  async find(attempt, { isAfterRequest }) {
    const { server, ctx } = attempt;
    const query = hasMarkers(attempt) ? { metadata: { [CRON.keys.resource]: deriveResourceId(ctx) } } : {};
    const crons = await withCronSupport(() => collectAll(server.crons.list(query)), attempt);
    if (!hasMarkers(attempt)) return { own: [], foreign: [], unproven: crons };
    // A server may ignore the filter.
    return divide(
      crons.filter((cron) => hasTag(CRON, cron, attempt) && !isCopy(cronObject, cron)),
      attempt,
      isAfterRequest,
    );
  },
  send: sendCreate,
  refusal: toRefusal,
  async explain(failure, attempt, unproven) {
    if (failure && !failure.outcomeUnknown) return failure;
    return describeFailure(failure, hasMarkers(attempt) ? undefined : describeCandidates(unproven, attempt));
  },
  // No update can remove these inputs, and a cron has no history to lose.
  inspect: async (cron, { desired }, isNew) => (!isNew && unremovable(cron, desired).length > 0 ? "unfit" : "whole"),

  async settle(cron, attempt, { origin, previous, state: known, paths = [], isUnfinished }) {
    const { desired, ctx } = attempt;
    const id = cron.cronId;
    if (origin === "new") {
      await deleteIfMisunderstood(cron, attempt);
      const observed = { id, inputs: desired, state: toState(cron, attempt) };
      ctx.record(observed);
      await addOwnId(cron, attempt);
      return observed;
    }
    const state = toState(cron, attempt, known);
    const isCertain = origin === "state" && !isUnfinished && paths.length > 0;
    const applied = isCertain ? (previous as Inputs) : toAppliedInputs(cron, previous ?? {}, desired);
    ctx.record({ id, inputs: applied, state });
    const changed = await sendChange(cron, applied, attempt);
    return { id, inputs: desired, state: changed ? toState(changed, attempt, known) : state };
  },

  toState,
  toInputs,
  toAllInputs,
  async observe({ cronId: id }, declared, { endpoint, ctx, isImported }) {
    if (!declared || isImported) return {};
    const attempt = createAttempt(cronObject, declared, endpoint, ctx);
    const search = () => ctx.scope.get(CronsOfStack).get(attempt);
    await warnOfOthers(cronObject, { id, outcome: `This resource manages cron ${id}.`, search }, attempt);
    return {};
  },

  async verifyNew({ assistantId, threadId }, { server }) {
    if ((await server.crons.areSupported()) === false) throw new NoCronsError(NO_CRONS);
    if (assistantId !== undefined) await assertAssistantExists("assistantId", assistantId, server);
    if (threadId !== undefined) await assertThreadExists("threadId", threadId, server);
  },
  afterDelete: (id, attempt) => warnOfOthers(cronObject, { id, outcome: `Cron ${id} was deleted.` }, attempt),
  deletion: {
    unreachable: STILL_FIRES,
    unsupported: STILL_FIRES,
    note: "Runs that the cron started continue, also those that are still queued.",
  },
});

/**
 * Divides crons with the marker. One that does not name itself may be a copy that others made; if it equals the
 * program, or a request was sent, it is ours.
 */
function divide(crons: readonly Cron[], attempt: Attempt<Inputs>, isAfterRequest: boolean): Found<Cron> {
  const originals = crons.filter((cron) => namesItself(cronObject, cron));
  const found = originals.length > 0 ? originals : crons;
  const [first] = found;
  const isCertain =
    isAfterRequest || found.length > 1 || originals.length > 0 || (first && isAsDeclared(first, attempt.desired));
  return isCertain ? { own: found, foreign: [], unproven: [] } : { own: [], foreign: found, unproven: [] };
}

/** The crons of a stack, by server: the reads of a refresh share one search. */
class CronsOfStack {
  private readonly byServer = new Map<string, Promise<readonly Cron[]>>();

  get(attempt: Attempt<Inputs>): Promise<readonly Cron[]> {
    const { url } = attempt.server;
    const metadata = { [CRON.keys.stack]: deriveStackId(attempt.ctx) };
    const crons = this.byServer.get(url) ?? cronObject.search(metadata, attempt);
    this.byServer.set(url, crons);
    return crons;
  }
}

const inPlaceOfNoCrons = <T>(value: T) => recoverFrom(NoCronsError, () => value);

/**
 * Deletes a new cron that its server did not understand, if it would fire although it must not. Warns of other fields
 * that the response lacks.
 * @throws UserError when it was deleted, or could not be.
 */
async function deleteIfMisunderstood(cron: Cron, attempt: Attempt<Inputs>): Promise<void> {
  const { desired, ctx } = attempt;
  const limits = ignoredLimits(cron, desired);
  if (limits === undefined) return warnOfMissing(cron, attempt);
  const reason = `${limits} It would fire although it must not.`;
  const removal = await removeObject(cronObject, cron.cronId, attempt, ctx).catch(messageOf);
  if (removal === "gone") throw new UserError(`${reason} It was deleted again, and nothing is left.`);
  ctx.record({ id: cron.cronId, inputs: toInputs(cron, desired), state: toState(cron, attempt) });
  throw new UserError(
    `${reason} It could not be deleted (${removal}), so it fires until you delete it:  DELETE ` +
      `${attempt.server.url}/runs/crons/${cron.cronId}`,
  );
}

function label({ cronId, enabled }: Cron): string {
  return enabled === false ? `${cronId} (disabled)` : cronId;
}

const idsOf = (crons: readonly Cron[]) => crons.map(label).join(", ");

const remediesFor = (crons: readonly Cron[], attempt: Attempt<Inputs>) =>
  formatRemedies(
    CRON,
    crons.map(({ cronId }) => cronId),
    attempt,
  );

/** Describes crons that an unmarked request may have created: of the same assistant, thread, schedule and input. */
function describeCandidates(crons: readonly Cron[], attempt: Attempt<Inputs>): string {
  const { desired } = attempt;
  const candidates = crons.filter((cron) => {
    const remote = toInputs(cron, desired);
    return (["assistantId", "threadId", "schedule", "input"] as const).every((key) =>
      isEqual(inputs.shape[key], desired[key], remote[key]),
    );
  });
  return candidates.length === 0
    ? "The server has no new cron with this assistant, schedule and input, so it was probably not created. Run " +
        "`pulumi up` again."
    : "Without an ownership marker (ownerMarker: false), nothing shows whether it created one of these " +
        `crons: ${idsOf(candidates)}. Adopt or delete it before you run \`pulumi up\` again, or two of them ` +
        `fire.\n${remediesFor(candidates, attempt)}`;
}

const PROBABLY_NOT_CREATED =
  "The server has no such cron, so it was probably not created. Run `pulumi up` again: it searches before it " +
  "creates one.";

/** Returns the error of a create without a visible cron. @param failure Absent where the response names none. */
const describeFailure = (failure: HttpError | undefined, hint = PROBABLY_NOT_CREATED): Error =>
  failure?.withHint(hint) ??
  new UserError(`The server accepted the cron, but its response does not contain it. ${hint}`);

function toRefusal(crons: readonly Cron[], attempt: Attempt<Inputs>): OwnershipError {
  const { url } = attempt.server;
  if (crons.length > 1)
    return new OwnershipError(
      `Several crons at ${url} have the ownership marker of this resource, and each of them fires unless it ` +
        `is disabled: ${idsOf(crons)}. No changes were made.\n` +
        "Delete all but one, and run `pulumi up` again: it continues with the one that " +
        `remains.\n${remediesFor(crons.slice(1), attempt)}`,
    );
  return new OwnershipError(
    `Cron ${idsOf(crons)} at ${url} has the ownership marker of this resource, but not its own ID in it, and ` +
      "differs from the program. An interrupted run may have created it, or someone who copied its metadata. No " +
      "changes were made.\n" +
      remediesFor(crons, attempt),
  );
}
