/** When the conversations of a resource are kept, moved and restored. */
import { isDeleting, type Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import type { Kept, Succession } from "../../../definition/moves";
import { isSameMarker } from "../../../definition/ownership";
import { messageOf, UserError } from "../../../text/user-error";
import { markerIn } from "../mapping/marker";
import type { Inputs } from "../schema/inputs";
import type { KeepConversations } from "../schema/keep";
import type { State } from "../schema/outputs";
import { backUpConversations, type KeptDeployment } from "./back-up";
import { findBackup, findUnrestored, type KeptBackup, openBackups } from "./kept-backups";
import { restoreConversations } from "./restore";

/** How a replacement keeps conversations: under another name, the new deployment can exist beside the old one. */
export const succession: Succession<Inputs, State> = {
  keeps({ inputs, previous }): Kept | undefined {
    if (!inputs.keepConversations || inputs.waitFor === "none") return undefined;
    const [before, after] = [previous, inputs].map(({ sourceConfig }) => sourceConfig?.customUrl);
    const createsFirst = inputs.name !== previous.name && (after === undefined || after !== before);
    const order = createsFirst ? ", which is created first" : ", from a backup";
    return {
      note: `its conversations move to the new one${order} (not: runs, times, IDs of checkpoints and questions)`,
      createsFirst,
    };
  },
  keepsOnDelete: ({ keepConversations }: Partial<Inputs>) =>
    keepConversations && `after a backup of its conversations to ${keepConversations.at}`,
  earlierIds: ({ movedFrom = [] }: Partial<State>): readonly string[] => movedFrom,
  isWhole: ({ pendingConversations }: Partial<State>) => pendingConversations === undefined,
  declared: ({ keepConversations }: Partial<Inputs>): unknown => keepConversations,
};

type WithState = Inputs & Partial<State>;

/** Backs up the conversations of what this run replaces, before anything is deleted. @throws UserError. */
export async function keepBeforeReplace(id: string, desired: Partial<Inputs>, previous: WithState, ctx: Context) {
  const { keepConversations: keep } = desired;
  const remote = keep && (await ctx.clients.deploymentCache.findById(id));
  if (!keep || !remote || isDeleting(remote) || previous.pendingConversations !== undefined) return;
  await backUpConversations({ remote, keep, movedFrom: previous.movedFrom ?? [], isMoved: true }, ctx);
}

/** Backs up conversations before a deletion. @returns Where they are. @throws UserError; nothing was deleted. */
export async function keepBeforeDelete(
  remote: RemoteDeployment,
  previous: WithState,
  ctx: Context,
): Promise<string | undefined> {
  const move = ctx.moves.from(remote.id);
  // What the program declares now: state of what was replaced cannot be corrected.
  const declared = move?.declared as KeepConversations | undefined;
  const keep = declared ?? previous.keepConversations;
  if (!keep || remote.activeRevisionId == null) return undefined;
  await assertNotOnlyHere(remote, keep, previous, ctx);
  const isMoved = move !== undefined && move.to === undefined;
  const kept = { remote, keep, movedFrom: previous.movedFrom ?? [], isMoved };
  if (move?.to === undefined || declared) return keepNow(kept, ctx);
  return keepNow(kept, ctx).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    ctx.log.warn(
      `The conversations of ${remote.id} ("${remote.name}") were not backed up again before its deletion, ` +
        `since keepConversations is no longer declared: ${messageOf(error)}`,
    );
    return undefined;
  });
}

async function keepNow(kept: KeptDeployment, ctx: Context): Promise<string | undefined> {
  const { keep } = kept;
  const backup = await backUpConversations(kept, ctx);
  if (!backup) return undefined;
  const successor = backup.restoredTo && (await findSuccessor(backup.restoredTo.id, kept.remote.id, ctx));
  // What users wrote to the old one since it was copied.
  if (successor) await restoreConversations(backup, { live: successor, keep, isUpdate: true }, ctx);
  return successor
    ? `Its conversations are in deployment ${successor.id}, and in ${backup.place.name}.`
    : `Its conversations are in ${backup.place.name}.`;
}

/**
 * Returns the deployment that took the conversations of one. The record beside a backup does not prove that it belongs
 * to this resource: its marker does, or a move in state.
 */
async function findSuccessor(id: string, earlierId: string, ctx: Context): Promise<RemoteDeployment | undefined> {
  const successor = await findLive(id, ctx);
  const { from = [], to } = ctx.moves.from(earlierId) ?? {};
  const isOwn = to === id || from.includes(id) || isSameMarker((successor && markerIn(successor)) ?? "", ctx.marker);
  return isOwn ? successor : undefined;
}

/** @throws UserError when a deployment is to receive conversations that are in a backup alone. */
async function assertNotOnlyHere(
  { id, name }: RemoteDeployment,
  keep: KeepConversations,
  { pendingConversations: place, movedFrom = [] }: WithState,
  ctx: Context,
): Promise<void> {
  const earlier = movedFrom.at(-1);
  if (place === undefined || earlier === undefined || (await findLive(earlier, ctx))) return;
  const { restoredTo } = (await findBackup(await openBackups(keep, ctx), earlier)) ?? {};
  if (restoredTo?.isComplete && restoredTo.id !== id) return;
  throw new UserError(
    `Deployment ${id} ("${name}") was not deleted, because it does not have all conversations of ${place} ` +
      "yet. Run `pulumi up` with the program that it had, which restores them, or remove keepConversations, " +
      "run `pulumi up`, and delete it then: they stay there.",
  );
}

const findLive = async (id: string, ctx: Context): Promise<RemoteDeployment | undefined> => {
  const remote = await ctx.clients.deploymentCache.findCurrent(id);
  return remote && !isDeleting(remote) && remote.activeRevisionId != null ? remote : undefined;
};

/**
 * Returns the backup whose conversations a new deployment receives: that of the one which it replaces, made now while
 * that one lives, or the last one that was not restored.
 * @param existingId The deployment that an interrupted run has created: it may have them already.
 * @throws UserError when the backup cannot be made. Nothing was created.
 */
export async function findKept(desired: Inputs, ctx: Context, existingId?: string): Promise<KeptBackup | undefined> {
  const { keepConversations: keep } = desired;
  if (!keep) return undefined;
  const move = ctx.moves.of(ctx.urn);
  const earlier = move?.to === undefined ? (move?.from ?? []) : [];
  // The program declares the earlier deployment again, which has its conversations.
  if (existingId !== undefined && earlier.includes(existingId)) return undefined;
  for (const [index, id] of [...earlier.entries()].reverse()) {
    const remote = await findLive(id, ctx);
    const movedFrom = earlier.slice(0, index);
    if (remote) return backUpConversations({ remote, keep, movedFrom, isMoved: true }, ctx);
  }
  return findUnrestored(await openBackups(keep, ctx), existingId);
}

export function pendingState(backup: KeptBackup | undefined): Pick<State, "movedFrom" | "pendingConversations"> {
  if (!backup) return {};
  const movedFrom = [...backup.movedFrom, backup.deployment.id];
  return { movedFrom, ...(!backup.restoredTo?.isComplete && { pendingConversations: backup.place.name }) };
}

/** Keeps a deployment without a live revision unready, so that an update restores its conversations once it has one. */
export const unreadyWhilePending = ({ pendingConversations }: Partial<State>): { unready?: object } =>
  pendingConversations === undefined ? {} : { unready: {} };

/** Restores what is pending. @returns The state without it. @throws UserError when not all could be restored. */
export async function restorePending(
  live: RemoteDeployment,
  desired: Inputs,
  state: State,
  ctx: Context,
): Promise<State> {
  const { keepConversations: keep } = desired;
  const { pendingConversations: place, movedFrom = [], ...rest } = state;
  if (place === undefined) return state;
  if (!keep) {
    ctx.log.warn(`The conversations in ${place} were not restored, since keepConversations is no longer declared.`);
    return { ...rest, movedFrom: movedFrom.slice(0, -1) };
  }
  if (live.activeRevisionId == null) return state;
  const id = movedFrom.at(-1) ?? "";
  const old = await findLive(id, ctx);
  const backup = old
    ? await backUpConversations({ remote: old, keep, movedFrom: movedFrom.slice(0, -1), isMoved: true }, ctx)
    : await findBackup(await openBackups(keep, ctx), id);
  if (!backup)
    throw new UserError(
      `${place} contains no complete backup any more, or keepConversations.at names another place. ` +
        "Restore the backup, or correct keepConversations.at.",
    );
  ctx.moves.noteOwn({ from: movedFrom, to: live.id, declared: keep });
  await restoreConversations(backup, { live, keep }, ctx);
  return { ...rest, movedFrom };
}
