/**
 * The requests about exports, and what creates of exports and destinations share: each happens exactly once, without
 * idempotency keys or markers. A lost response is resolved by what is new in the list.
 */
import type { Feature } from "../../api/profile/features";
import { inPlaceOfUnsupported } from "../../api/profile/learned-profile";
import type { ListOptions, RemoteExport } from "../../api/tracing/client";
import type { Export } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { OwnershipError, REPLACE_HINT } from "../../definition/ownership";
import { NOT_ENDED_HINT } from "../../definition/wait";
import { addHint, HttpError } from "../../http/errors";
import { CreatesOfRun, NEXT_UP_HINT, pollForCreated } from "../../objects/server/lost-response";
import { isSameId } from "../../schema/id";
import { createdAtMs } from "../../schema/timestamp";
import { hasEnded } from "./fields";

export interface CreateOnce<T extends { id: string }> {
  /** What errors call it, such as `destination "traces"`. The same for all equivalent resources. */
  description: string;
  /** The resources of this type before the request; undefined if the server does not list them. */
  existing: readonly T[] | undefined;
  send: () => Promise<T>;
  /** Lists the resources that equal the desired one, after a lost response. */
  listEquivalent: () => Promise<readonly T[]>;
}

/** @throws HttpError when rejected, or the outcome is unknown. @throws OwnershipError for another's response. */
export async function createOnce<T extends { id: string }>(
  { description, existing, send, listEquivalent }: CreateOnce<T>,
  { scope, clock }: Pick<Context, "scope" | "clock">,
): Promise<T> {
  const { createdIds } = scope.get(CreatesOfRun);
  const existingIds = new Set(existing?.map(({ id }) => id));
  const isNew = ({ id }: T) => !existingIds.has(id) && !createdIds.has(id);
  const created = await send().catch(async (error: unknown) => {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    if (!existing)
      throw error.withHint(
        `Could not determine whether ${description} was created, because this server cannot list resources of ` +
          "this type. Check manually before the next `pulumi up`, or a duplicate may be created.",
      );
    const [found, second] = await pollForCreated(async () => (await listEquivalent()).filter(isNew), error, clock);
    if (!found)
      throw error.withHint(`No new ${description} was found, so it was probably not created. ${NEXT_UP_HINT}`);
    if (!second) return found;
    throw error.withHint(
      `Several resources matching ${description} were created at the same time (${found.id}, …); cannot ` +
        "tell which one belongs to this stack.",
    );
  });
  if (!isNew(created))
    throw new OwnershipError(
      `${description}: the server returned ID ${created.id}, which another resource has, so this create ` +
        "changed nothing that is known. Run `pulumi up` again. If it returns this ID again, ask the operators " +
        "of the server: a proxy may repeat responses.",
    );
  createdIds.add(created.id);
  return created;
}

/**
 * Lists again after a create. The first list and the create are two requests: if two runs send them at the same time,
 * at least one sees both results. Only a warning depends on it, so the result of the create does not wait for retries.
 */
export const listAfterCreate = async <T>(
  existing: readonly T[],
  list: (options: ListOptions) => Promise<readonly T[] | undefined>,
): Promise<readonly T[]> => (await list({ maxAttempts: 1 }).catch(() => undefined)) ?? existing;

/** @param remedies Further lines about what to do, each with a line break. */
export const toEquivalentError = (description: string, id: string, remedies = ""): OwnershipError =>
  new OwnershipError(
    `${description} already exists (ID ${id}). An interrupted run or an earlier \`pulumi destroy\` may have ` +
      "left it behind. Nothing was created.\n" +
      `To adopt it, add to the resource options:  import: "${id}"\n${remedies}To create another one anyway, ` +
      `set  allowDuplicate: true\n${REPLACE_HINT}`,
  );

/** Returns the items of an optional list of the tracing API, or undefined if the server does not support the route. */
export const listIfSupported = <T>(
  send: () => Promise<T[]>,
  route: Feature,
  { clients }: Pick<Context, "clients">,
): Promise<T[] | undefined> => clients.tracing.profile.send(route, { send }).catch(inPlaceOfUnsupported(undefined));

/** Verifies that a 404 means a deleted object. @throws HttpError when its workspace does not respond. */
export async function assertWorkspaceResponds({ clients: { tracing, tenantId } }: Context): Promise<void> {
  const hint =
    "Could not determine whether the resource still exists: its workspace is not responding. State is unchanged.";
  await tracing.getWorkspace(tenantId ?? "").catch(addHint(hint));
}

/** What is known after the response to a change, if that is about another object. */
export const UNKNOWN_EFFECT = "Whether the server has made the change is not known.";

/** Verifies that a response is about the requested object: a proxy may repeat others. @throws OwnershipError */
export function assertSameId<T extends { id: string }>(found: T, id: string, effect = "Nothing was changed."): T {
  if (isSameId(found.id, id)) return found;
  throw new OwnershipError(
    `The server returned ${found.id} for a request of ${id}. ${effect} Run the command again. If it fails again, ` +
      "ask the operators of the server: a proxy may repeat responses.",
  );
}

/** Warnings for one create. */
const MAX_WARNINGS = 3;
/** How long a warning waits for the engine to ask about a resource that is declared after the new one. */
const MAX_WAIT_MS = 5000;
const PAUSE_MS = 250;

/**
 * Warns about exports and destinations that an interrupted run may have left before the program changed. They have no
 * ownership marker, so only their age and their similarity to the new resource indicate it.
 * @param search.listed Those that exist after the create, when the engine has asked about most of the stack's
 * resources.
 * @param search.differences Returns the inputs in which one differs from the new one.
 * @param search.removal The request that removes one, with a placeholder for its ID: pasting it removes nothing.
 */
export async function warnOfLeftovers<T extends { id: string; createdAt?: string | null | undefined }>(
  search: { noun: string; listed: readonly T[]; created: T; removal: string; differences: (other: T) => string[] },
  ctx: Context,
): Promise<void> {
  const { noun, listed, created, differences, removal } = search;
  const { createdIds, leftIds } = ctx.scope.get(CreatesOfRun);
  const existing = listed.filter(({ id }) => !createdIds.has(id) && !leftIds.has(id));
  // The server's own time of the create shows how old others are, whatever the clock of this machine.
  const shown = listed.find(({ id }) => id === created.id) ?? created;
  const createdAfter = (createdAtMs(shown) || ctx.serverNow()) - ctx.settings.resumeWithinMs;
  const isRecent = (other: T) => createdAtMs(other) > createdAfter;
  const similar = existing.filter((other) => isRecent(other) && differences(other).length <= 1);
  const leftovers = () => similar.filter(({ id }) => !ctx.isManaged(id));
  const endsAt = ctx.clock.monotonic() + MAX_WAIT_MS;
  while (leftovers().length > 0 && ctx.clock.monotonic() < endsAt) {
    // A canceled run has created the resource, and shows no warning.
    const isCanceled = await ctx.clock.sleep(PAUSE_MS).then(
      () => false,
      () => true,
    );
    if (isCanceled) return;
  }
  for (const other of leftovers().slice(0, MAX_WARNINGS)) {
    const [field] = differences(other);
    const similarity = field === undefined ? "equals this one" : `differs from this one in ${field} alone`;
    ctx.log.warn(
      `The ${noun} ${other.id} ${similarity}. Another resource manages it, or an interrupted run left it behind.\n` +
        "First check whether a stack manages it:  pulumi stack --show-ids\n" +
        `If none does, remove it:   ${removal}\nor keep it as another resource:  import: "${other.id}"`,
    );
  }
}

/** Returns the export; undefined when it is gone, and its workspace responds. */
export async function findExport(id: string, ctx: Context): Promise<RemoteExport | undefined> {
  const remote = await ctx.clients.tracing.findExport(id);
  if (!remote) await assertWorkspaceResponds(ctx);
  return remote && assertSameId(remote, id);
}

/** Returns all exports of the workspace; undefined if the server does not list them. */
export const listExports = (ctx: Context, options?: ListOptions): Promise<Export[] | undefined> =>
  listIfSupported(() => ctx.clients.tracing.listExports(options), "exports-list", ctx);

/** Cancels an export or schedule, and waits for its end (API `10C.cancel`). @returns Whether the server can. */
export async function cancelExport(id: string, ctx: Context): Promise<boolean> {
  const isActive = async () => {
    const remote = await findExport(id, ctx);
    return remote !== undefined && !hasEnded(remote.status);
  };
  const { tracing } = ctx.clients;
  const request = {
    send: async () => assertSameId(await tracing.cancelExport(id), id, UNKNOWN_EFFECT),
    exists: isActive,
  };
  const canceled = await tracing.profile
    .remove("exports-patch", request)
    .catch(inPlaceOfUnsupported("unsupported" as const));
  if (canceled === "unsupported") return false;
  if (canceled && !hasEnded(canceled.status)) await waitUntilEnded(id, ctx);
  return true;
}

async function waitUntilEnded(id: string, ctx: Context): Promise<void> {
  await ctx.waitUntil({
    kind: "cancellation",
    what: `export ${id} to be canceled`,
    poll: async () => {
      const remote = await findExport(id, ctx);
      return remote === undefined || hasEnded(remote.status) ? { done: true } : { pending: remote.status };
    },
    onInterruptHint: "the server continues to cancel it; the next `pulumi destroy` checks again",
    onTimeoutHint: NOT_ENDED_HINT,
  });
}
