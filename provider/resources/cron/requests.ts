/** The requests about crons, except the one that creates them. An agent server may have no crons (API `2B.Cron`). */
import { type Cron, NO_CRONS } from "../../api/agent-server/crons";
import { collectAll } from "../../api/pagination";
import { UnsupportedError } from "../../api/profile/learned-profile";
import { HttpError, ignoreHttpError } from "../../http/errors";
import type { Attempt } from "../../objects/kind";
import { buildMetadata } from "../../objects/metadata/metadata";
import { tagsOf } from "../../objects/ownership";
import { assertAssistantExists, assertThreadExists } from "../../objects/server/before-replace";
import type { AgentEndpoint } from "../../objects/server/endpoint";
import { changeObject, missingIn } from "../../objects/settle";
import { valueAt } from "../../schema/schema";
import { UserError } from "../../text/user-error";
import { CRON, type Inputs, type State } from "./fields";
import { missingFields, toCreateRequest, toUpdateRequest } from "./mapping";

type Place = Pick<AgentEndpoint, "server">;

/** @throws NoCronsError when the server says that it has none. @throws UnsupportedError if its routes alone show it. */
export async function withCronSupport<T>(send: () => Promise<T>, place: Place): Promise<T> {
  try {
    return await send();
  } catch (rejection) {
    const error = await place.server.crons.reasonOf(rejection);
    if (error instanceof HttpError && error.isUnsupportedRoute) await assertRouteExists(place);
    throw error;
  }
}

/** A missing object is 404 as well, so the search decides, which never is. */
async function assertRouteExists({ server }: Place): Promise<void> {
  const send = () => collectAll(server.crons.list(), () => true);
  await server.profile.send("crons-search", { send }).catch((error: unknown) => {
    throw error instanceof UnsupportedError ? new UnsupportedError(error.feature, error.rejection, NO_CRONS) : error;
  });
}

/** Sends the create once. Undefined without a cron in the response. @throws UserError if what it names is missing. */
export async function sendCreate(attempt: Attempt<Inputs>): Promise<Cron | undefined> {
  const { server, desired, tags } = attempt;
  const { assistantId, threadId } = desired;
  const body = toCreateRequest(desired, tags);
  return withCronSupport(() => server.crons.create(body, threadId), attempt).catch(async (error: unknown) => {
    if (!(error instanceof HttpError) || !error.isNotFound) throw error;
    await assertAssistantExists("assistantId", assistantId, server);
    if (threadId !== undefined) await assertThreadExists("threadId", threadId, server);
    throw error;
  });
}

/** Stores the ID of a new cron in its marker. Without it, the cron works, and only copies of it are not recognized. */
export async function addOwnId(cron: Cron, attempt: Attempt<Inputs>): Promise<void> {
  const { desired, server } = attempt;
  const tags = tagsOf(CRON, cron.cronId, attempt);
  if (Object.keys(tags).length === 0) return;
  await server.crons.update(cron.cronId, { metadata: buildMetadata(desired.metadata, tags) }).catch(ignoreHttpError);
}

/**
 * Sends one PATCH if something differs, and returns the cron. The caller has recorded the cron: a rejected PATCH may be
 * stored in part (API `4B.PATCH /runs/crons/{cron_id}:part`), so after a failure the next run reads before it compares.
 */
export async function sendChange(
  found: Cron,
  applied: Partial<Inputs>,
  attempt: Attempt<Inputs>,
): Promise<Cron | undefined> {
  const { desired, ctx } = attempt;
  const tags = tagsOf(CRON, found.cronId, attempt);
  const known = toUpdateRequest(applied, desired, missingIn(found, tags));
  if (!known) return undefined;
  // Servers reject a request that has only fields that they do not know.
  const change = Object.keys(known).join() === "extra" ? { ...known, metadata: tags } : known;
  const cron = await changeObject<Inputs, State, Cron>(CRON, found, change, attempt);
  const limits = ignoredLimits(cron, desired);
  if (limits !== undefined) throw new UserError(`${limits} It continues to fire although it must not.`);
  warnOfMissing(cron, attempt);
  const shown = { ...cron.payload, ...cron };
  const kept = Object.entries(change).flatMap(([key, value]) => (value === null && valueAt(shown, key) ? [key] : []));
  if (kept.length > 0)
    ctx.log.warn(
      `${kept.join(", ")}: the server keeps what the program no longer declares. To have a cron without it, run:  ` +
        `pulumi up --replace '${ctx.urn}'`,
    );
  return cron;
}

/** Returns what a server ignored of what keeps a cron from firing; undefined when it ignored nothing of that. */
export function ignoredLimits(cron: Cron, desired: Inputs): string | undefined {
  const ignored = [
    ...(desired.enabled === false && cron.enabled !== false ? ["enabled: false"] : []),
    ...(desired.endTime !== undefined && cron.endTime == null ? ["endTime"] : []),
  ];
  return ignored.length === 0
    ? undefined
    : `This agent server ignores ${ignored.join(" and ")} of cron ${cron.cronId}, which its response does not contain.`;
}

export function warnOfMissing(cron: Cron, { desired, ctx }: Pick<Attempt<Inputs>, "desired" | "ctx">): void {
  const missing = missingFields(cron, desired);
  if (missing.length === 0) return;
  ctx.log.warn(
    `${missing.join(", ")}: the response does not contain what was sent, so the server probably ignores it.`,
  );
}
