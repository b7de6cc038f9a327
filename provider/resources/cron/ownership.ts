/** Finds the crons that this resource created, by the marker in their metadata. */
import type { Cron } from "../../api/agent-server/crons";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { isEqual } from "../../schema/compare";
import { isUuid } from "../../schema/id";
import type { AgentEndpoint } from "../shared/agent-server/endpoint";
import { deriveResourceId, idDerivation } from "../shared/agent-server/identity";
import { formatRemedies } from "../shared/agent-server/messages";
import { markerMetadata } from "../shared/agent-server/metadata";
import { CRON, type Inputs, inputs } from "./fields";
import { toInputs } from "./mapping";
import { searchCrons, withCronSupport } from "./on-server";

const deriveTag = idDerivation(inputs);

/** One attempt to create or update a cron. */
export interface Attempt extends AgentEndpoint {
  desired: Inputs;
  /** The metadata of the ownership marker; empty when the setting ownerMarker is false. */
  tags: Record<string, string>;
  ctx: Context;
}

export function createAttempt(desired: Inputs, endpoint: AgentEndpoint, ctx: Context): Attempt {
  const tag = ctx.settings.ownerMarker ? deriveTag(desired, ctx) : undefined;
  return { ...endpoint, desired, ctx, tags: markerMetadata(CRON.keys, tag, ctx) };
}

/** Crons that this resource created. */
export interface OwnCrons {
  /** With the declared immutable inputs, oldest first. */
  current: Cron[];
  /** With other ones: interrupted runs left them. */
  leftovers: Cron[];
}

export async function findOwn(attempt: Attempt): Promise<OwnCrons> {
  const resourceId = deriveResourceId(attempt.ctx);
  const found = await searchCrons({ [CRON.keys.resource]: resourceId }, attempt);
  // A server may ignore the filter.
  const own = found.filter(({ metadata }) => metadata?.[CRON.keys.resource] === resourceId);
  const isCurrent = ({ metadata }: Cron) => metadata?.[CRON.keys.object] === attempt.tags[CRON.keys.object];
  return { current: own.filter(isCurrent), leftovers: own.filter((cron) => !isCurrent(cron)) };
}

/** Returns the crons that a request without a marker may have created: the same assistant, thread, schedule and input. */
export async function findCandidates(attempt: Attempt): Promise<Cron[]> {
  const { server, desired } = attempt;
  const { assistantId, threadId } = desired;
  const query = { ...(isUuid(assistantId) && { assistantId }), ...(threadId !== undefined && { threadId }) };
  const all = await withCronSupport(() => collectAll(server.crons.list(query)), attempt);
  return all.filter((cron) => {
    const remote = toInputs(cron, desired);
    return (["assistantId", "threadId", "schedule", "input"] as const).every((key) =>
      isEqual(inputs.shape[key], desired[key], remote[key]),
    );
  });
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
    ? "The server has no cron with this assistant, schedule and input, so it was probably not created. Run `pulumi up` again."
    : `Without an ownership marker (ownerMarker: false), nothing shows whether it created one of these crons: ${idsOf(crons)}.\n${remediesFor(crons, attempt)}`;

export function toSeveralError(crons: readonly Cron[], attempt: Attempt): OwnershipError {
  return new OwnershipError(
    `Several crons at ${attempt.server.url} have the ownership marker of this resource, and each of them fires unless it is disabled: ${idsOf(crons)}. No changes were made.\n` +
      `Delete all but one, and run \`pulumi up\` again: it continues with the one that remains.\n${remediesFor(crons.slice(1), attempt)}`,
  );
}

export function warnOfLeftovers(leftovers: readonly Cron[], attempt: Attempt): void {
  if (leftovers.length === 0) return;
  const { ctx, server } = attempt;
  ctx.log.warn(
    `Earlier runs of this resource left crons at ${server.url}, which no resource manages, and which fire unless they are disabled: ${idsOf(leftovers)}. They were created with other inputs and were not changed.\n${remediesFor(leftovers, attempt)}${ctx.ownerHint}`,
  );
}
