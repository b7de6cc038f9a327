/** The ownership marker of a cron, and what users read of crons that may be those of this resource. */
import type { Cron } from "../../api/agent-server/crons";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { AgentEndpoint } from "../../objects/endpoint";
import { idDerivation } from "../../objects/identity";
import { formatRemedies } from "../../objects/messages";
import { markerMetadata } from "../../objects/metadata";
import { CRON, type Inputs, inputs } from "./fields";

const deriveTag = idDerivation(inputs);

/** One attempt to create or update a cron. */
export interface Attempt extends AgentEndpoint {
  desired: Inputs;
  /** The metadata of the ownership marker; empty when the setting ownerMarker is false. */
  tags: Record<string, string>;
  ctx: Context;
}

/** The metadata key with the cron's own ID, which the create adds: a copy of the metadata has another cron's. */
const OWN_ID_KEY = `${CRON.keys.object}_id`;

/** Returns the metadata of the marker with the ID of the cron; empty when the setting ownerMarker is false. */
export const tagsOf = (id: string, { tags }: Pick<Attempt, "tags">): Record<string, string> =>
  Object.keys(tags).length === 0 ? {} : { ...tags, [OWN_ID_KEY]: id };

/** Whether the metadata contain the ID of the cron, so that they are not copied from another one. */
export const isOriginal = ({ cronId, metadata }: Cron): boolean => metadata?.[OWN_ID_KEY] === cronId;

/** Whether the metadata are those of another cron, which someone copied. */
export const isCopy = (cron: Cron): boolean => cron.metadata?.[OWN_ID_KEY] != null && !isOriginal(cron);

/** Whether a cron has the marker that this attempt writes. */
export const hasTag = ({ metadata }: Cron, { tags }: Attempt): boolean =>
  tags[CRON.keys.object] !== undefined && metadata?.[CRON.keys.object] === tags[CRON.keys.object];

export function createAttempt(desired: Inputs, endpoint: AgentEndpoint, ctx: Context): Attempt {
  const tag = ctx.settings.ownerMarker ? deriveTag(desired, ctx) : undefined;
  return { ...endpoint, desired, ctx, tags: markerMetadata(CRON.keys, tag, ctx) };
}

/** Formats the IDs. Whether a cron fires decides how urgent it is to delete it. */
const idsOf = (crons: readonly Cron[]) =>
  crons.map(({ cronId, enabled }) => (enabled === false ? `${cronId} (disabled)` : cronId)).join(", ");

/** Formats what to do about crons of which at most one is wanted. */
const remediesFor = (crons: readonly Cron[], attempt: Attempt) =>
  formatRemedies(
    CRON,
    crons.map(({ cronId }) => cronId),
    attempt,
  );

export const describeCandidates = (crons: readonly Cron[], attempt: Attempt): string =>
  crons.length === 0
    ? "The server has no new cron with this assistant, schedule and input, so it was probably not created. Run `pulumi up` again."
    : `Without an ownership marker (ownerMarker: false), nothing shows whether it created one of these crons: ${idsOf(crons)}.\n${remediesFor(crons, attempt)}`;

export function toSeveralError(crons: readonly Cron[], attempt: Attempt): OwnershipError {
  return new OwnershipError(
    `Several crons at ${attempt.server.url} have the ownership marker of this resource, and each of them fires unless it is disabled: ${idsOf(crons)}. No changes were made.\n` +
      `Delete all but one, and run \`pulumi up\` again: it continues with the one that remains.\n${remediesFor(crons.slice(1), attempt)}`,
  );
}

/** Returns the error about a cron that an earlier run, or someone who copied its cron, may have created. */
export function toUncertainError(cron: Cron, attempt: Attempt): OwnershipError {
  return new OwnershipError(
    `Cron ${idsOf([cron])} at ${attempt.server.url} has the ownership marker of this resource, but not its own ID in it, and differs from the program. An interrupted run may have created it, or someone who copied its metadata. No changes were made.\n` +
      remediesFor([cron], attempt),
  );
}

/** Warns of crons with the marker and the inputs of this resource. @param outcome What became of its own one, as a sentence. */
export function warnOfTwins(twins: readonly Cron[], outcome: string, attempt: Attempt): void {
  if (twins.length === 0) return;
  const { ctx, server } = attempt;
  ctx.log.warn(
    `${outcome} Other crons at ${server.url} have the same ownership marker, and fire as well unless they are disabled: ${idsOf(twins)}. Another run at the same time, or a request that arrived late or twice, may have created them. They were not changed.\n${remediesFor(twins, attempt)}${ctx.ownerHint}`,
  );
}

export function warnOfLeftovers(leftovers: readonly Cron[], attempt: Attempt): void {
  if (leftovers.length === 0) return;
  const { ctx, server } = attempt;
  ctx.log.warn(
    `Earlier runs of this resource left crons at ${server.url}, which no resource manages, and which fire unless they are disabled: ${idsOf(leftovers)}. They were created with other inputs and were not changed.\n${remediesFor(leftovers, attempt)}${ctx.ownerHint}`,
  );
}
