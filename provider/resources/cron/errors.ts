/** The errors of creates of crons, and what users read of crons that may be those of this resource. */
import type { Cron } from "../../api/agent-server/crons";
import { OwnershipError } from "../../definition/ownership";
import type { HttpError } from "../../http/errors";
import type { Attempt } from "../../objects/kind";
import { formatRemedies } from "../../objects/messages";
import { isEqual } from "../../schema/compare";
import { UserError } from "../../text/user-error";
import { CRON, type Inputs, inputs } from "./fields";
import { toInputs } from "./mapping";

/** Formats the IDs. Whether a cron fires decides how urgent it is to delete it. */
const idsOf = (crons: readonly Cron[]) =>
  crons.map(({ cronId, enabled }) => (enabled === false ? `${cronId} (disabled)` : cronId)).join(", ");

/** Formats what to do about crons of which at most one is wanted. */
const remediesFor = (crons: readonly Cron[], attempt: Attempt<Inputs>) =>
  formatRemedies(
    CRON,
    crons.map(({ cronId }) => cronId),
    attempt,
  );

/**
 * Describes the crons that a request without a marker may have created: with the same assistant, thread, schedule and
 * input.
 */
export function describeCandidates(crons: readonly Cron[], attempt: Attempt<Inputs>): string {
  const { desired } = attempt;
  const candidates = crons.filter((cron) => {
    const remote = toInputs(cron, desired);
    return (["assistantId", "threadId", "schedule", "input"] as const).every((key) =>
      isEqual(inputs.shape[key], desired[key], remote[key]),
    );
  });
  return candidates.length === 0
    ? "The server has no new cron with this assistant, schedule and input, so it was probably not created. Run `pulumi up` again."
    : `Without an ownership marker (ownerMarker: false), nothing shows whether it created one of these crons: ${idsOf(candidates)}.\n${remediesFor(candidates, attempt)}`;
}

const PROBABLY_NOT_CREATED =
  "The server has no such cron, so it was probably not created. Run `pulumi up` again: it searches before it creates one.";

/**
 * Returns the error of a create that left no cron to be seen.
 * @param failure Absent where the response names no cron of this resource.
 */
export const describeFailure = (failure: HttpError | undefined, hint = PROBABLY_NOT_CREATED): Error =>
  failure?.withHint(hint) ??
  new UserError(`The server accepted the cron, but its response does not contain it. ${hint}`);

/** Returns the error about crons with the marker of this resource. */
export function toRefusal(crons: readonly Cron[], attempt: Attempt<Inputs>): OwnershipError {
  const { url } = attempt.server;
  if (crons.length > 1)
    return new OwnershipError(
      `Several crons at ${url} have the ownership marker of this resource, and each of them fires unless it is disabled: ${idsOf(crons)}. No changes were made.\n` +
        `Delete all but one, and run \`pulumi up\` again: it continues with the one that remains.\n${remediesFor(crons.slice(1), attempt)}`,
    );
  return new OwnershipError(
    `Cron ${idsOf(crons)} at ${url} has the ownership marker of this resource, but not its own ID in it, and differs from the program. An interrupted run may have created it, or someone who copied its metadata. No changes were made.\n` +
      remediesFor(crons, attempt),
  );
}
