/** Writes kept conversations to a deployment, and compares them. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { EverySecond } from "../../../conversations/every-second";
import { BackupReader } from "../../../conversations/file/backup-reader";
import { Journal } from "../../../conversations/file/journal";
import type { Manifest } from "../../../conversations/file/manifest";
import type { Place } from "../../../conversations/place/place";
import { PARTS, type RestoreResult, restoreBackup } from "../../../conversations/restore";
import { type OpenedServer, openConversations } from "../../../conversations/server/open-server";
import { verifyBackup } from "../../../conversations/verify-backup";
import type { Context } from "../../../definition/context";
import { isDeclaredCron } from "../../../objects/server/before-replace";
import { messageOf, UserError } from "../../../text/user-error";
import type { KeepConversations } from "../schema/keep";
import { type KeptBackup, noteBackup } from "./kept-backups";

export interface Receiver {
  live: RemoteDeployment;
  keep: KeepConversations;
  /** Whether it has them already, except what was written to the old deployment since. */
  isUpdate?: boolean;
}

/** Restores, or continues, and compares each thread. @throws UserError with what is missing, and where it is. */
export async function restoreConversations(backup: KeptBackup, receiver: Receiver, ctx: Context): Promise<void> {
  const { live, isUpdate = false } = receiver;
  const { place, restoredTo } = backup;
  const isWhole = restoredTo?.id === live.id && restoredTo.isComplete;
  try {
    const agent = ctx.clients.agentServers.serverOf(live);
    if (!agent) throw new UserError("the server reports no URL of its agent server.");
    const opened = await openConversations(agent, ctx.clock);
    await noteBackup({ ...backup, restoredTo: { id: live.id, isComplete: isWhole } });
    const reader = await BackupReader.open(place);
    try {
      const { result, compared } = await write(reader, opened, { place, receiver, ctx });
      await compare(reader, opened, isWhole ? compared : new Set(), ctx);
      if (!isUpdate) ctx.log.infoOnStack(describe(reader.manifest, result));
    } finally {
      await reader.close();
    }
    await noteBackup({ ...backup, restoredTo: { id: live.id, isComplete: true } });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `Deployment ${live.id} does not have all conversations of ${backup.deployment.id} ` +
        `("${backup.deployment.name}") yet: ${messageOf(error)}\nAll of them are in ${place.name}. Correct the ` +
        "cause and run `pulumi up` again: it continues and doubles nothing. To leave them there, remove " +
        "keepConversations from the program.",
    );
  }
}

const MAX_NAMED = 3;

async function write(
  reader: BackupReader,
  { server, about }: OpenedServer,
  { place, receiver, ctx }: { place: Place; receiver: Receiver; ctx: Context },
): Promise<{ result: RestoreResult; compared: ReadonlySet<string> }> {
  const { waiting } = receiver.keep;
  const { interrupted = 0 } = reader.manifest.counts.byStatus;
  if (interrupted > 0 && waiting === undefined) throw new UserError(describeWaiting(interrupted));
  const progress = showProgress("restoring", ctx);
  // With a custom URL, one deployment after the other has the same.
  const journal = await Journal.open(place, `${about.url}#${receiver.live.id}`);
  const done = reader.entries.filter(({ id, digest }) => journal.get(id)?.digest === digest);
  try {
    const result = await restoreBackup({
      ...{ reader, target: server, targetUrl: about.url, journal, parts: new Set(PARTS), isOther: true },
      waiting: waiting === "askAgain" ? "ask-again" : waiting,
      isCrossLanguage: false,
      isDeclared: (cron) => isDeclaredCron(cron) || (ctx.settings.ownerMarker ? false : undefined),
      onProgress: (done, total) => progress.show(`${done} of ${total} threads`),
    });
    const threads = result.failed.map(({ id, reason }) => ({ what: `thread ${id}`, reason }));
    const [first, ...others] = [...threads, ...result.rejected];
    if (!first) return { result, compared: new Set(done.map(({ id }) => id)) };
    throw new UserError(`${first.what} was not restored: ${first.reason}${andMore(others)}.`);
  } finally {
    await journal.close();
  }
}

/**
 * @param compared Threads that were equal after an earlier restore: users have continued or deleted them since.
 * @throws UserError when another thread differs that the restore has written as a whole.
 */
async function compare(
  reader: BackupReader,
  { server }: OpenedServer,
  compared: ReadonlySet<string>,
  ctx: Context,
): Promise<void> {
  const progress = showProgress("comparing", ctx);
  const verified = await verifyBackup(reader, server, (done, total) => progress.show(`${done} of ${total} threads`));
  const [first, ...others] = verified.different.filter(({ id }) => !compared.has(id));
  if (first) throw new UserError(`thread ${first.id} differs: ${first.reason}${andMore(others)}.`);
}

const showProgress = (verb: string, { clock, log }: Context): EverySecond =>
  new EverySecond(
    () => clock.monotonic(),
    (text) => log.progress(`${verb} conversations: ${text}`),
  );

function describe({ counts }: Manifest, { losses, ranAgain, notes }: RestoreResult): string {
  const { threads, assistants, items } = counts;
  const lost = [...losses].map(([loss, ids]) => `${loss} (${ids.length === 1 ? "thread" : "threads"} ${few(ids)})`);
  const again = [...ranAgain].map(([node, count]) => `node "${node}" ran twice (${count})`);
  const never = "Not the same: IDs of checkpoints and questions, times, runs";
  return (
    `${threads} threads, ${assistants} assistants and ${items} stored items were restored and compared. ` +
    `${[never, ...lost, ...again, ...notes].join("; ")}.`
  );
}

const few = (ids: readonly string[]) => `${ids.slice(0, MAX_NAMED).join(", ")}${andMore(ids.slice(MAX_NAMED))}`;

const andMore = (others: readonly unknown[]) => (others.length > 0 ? `, and ${others.length} more` : "");

export const describeWaiting = (count: number): string =>
  `${count} ${count === 1 ? "thread waits" : "threads wait"} for an answer. Declare ` +
  `keepConversations.waiting: "askAgain" runs the nodes that wait up to their question again on the new ` +
  `deployment, "leave" keeps the state before it.`;
