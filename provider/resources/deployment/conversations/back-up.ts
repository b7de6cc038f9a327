/** Backs up the conversations of a deployment before it is deleted, or before another one takes them. */
import type { AgentServerClient } from "../../../api/agent-server/client";
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { type BackupResult, backUp } from "../../../conversations/backup";
import { EverySecond } from "../../../conversations/every-second";
import { BackupWriter } from "../../../conversations/file/backup-writer";
import type { Manifest } from "../../../conversations/file/manifest";
import { isSameJson } from "../../../conversations/lossless-json";
import type { Place } from "../../../conversations/place/place";
import { openConversations } from "../../../conversations/server/open-server";
import type { Context } from "../../../definition/context";
import { formatDuration, parseDuration } from "../../../text/format";
import { messageOf, UserError } from "../../../text/user-error";
import type { KeepConversations } from "../schema/keep";
import { findBackup, type KeptBackup, noteBackup, openBackups } from "./kept-backups";
import { describeWaiting } from "./restore";

/** Passes after which a server on which others write all the time is given up. */
const MAX_PASSES = 20;
const DEFAULT_BUSY = "10m";

export interface KeptDeployment {
  remote: RemoteDeployment;
  keep: KeepConversations;
  /** IDs of the deployments whose conversations it has, the oldest first. */
  movedFrom: readonly string[];
  /** Whether another deployment is to have them, so that it must be known what becomes of threads that wait. */
  isMoved: boolean;
}

/** Makes a complete backup. @returns undefined if no revision was ever live. @throws UserError; nothing is deleted. */
export async function backUpConversations(kept: KeptDeployment, ctx: Context): Promise<KeptBackup | undefined> {
  const { remote, keep, movedFrom, isMoved } = kept;
  if (remote.activeRevisionId == null) return undefined;
  const { id, name } = remote;
  // State of a renamed resource has its old URN.
  const { urn } = ctx.moves.from(id) ?? {};
  try {
    const all = await openBackups(keep, ctx, urn);
    const place = all.at(id);
    const manifest = await backUpWhole(place, kept, ctx);
    const { interrupted: waiting = 0 } = manifest.counts.byStatus;
    if (isMoved && waiting > 0 && keep.waiting === undefined) throw new UserError(describeWaiting(waiting));
    const { restoredTo } = (await findBackup(all, id)) ?? {};
    const backup = { place, deployment: { id, name }, movedFrom, restoredTo };
    await noteBackup(backup);
    return backup;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `Deployment ${id} ("${name}") was not deleted, because its conversations could not be kept: ` +
        `${messageOf(error)}\nCorrect the cause and run \`pulumi up\` again. To delete it without them, first ` +
        "remove keepConversations from the program and run `pulumi up`.",
    );
  }
}

async function backUpWhole(place: Place, { remote, keep }: KeptDeployment, ctx: Context): Promise<Manifest> {
  const agent = ctx.clients.agentServers.serverOf(remote);
  if (!agent) throw new UserError("the server reports no URL of its agent server.");
  const { server, about } = await openConversations(agent, ctx.clock);
  const onEmpty = async () => {
    if (!keep.allowEmpty && !(await isOpen(agent, ctx)))
      throw new UserError(
        `${about.url} shows no thread to this API key. If it has none, declare keepConversations.allowEmpty: ` +
          "true; a key that may see none looks the same.",
      );
  };
  const show = (text: string) => ctx.log.progress(`backing up conversations: ${text}`);
  const progress = new EverySecond(() => ctx.clock.monotonic(), show);
  const busyMs = parseDuration(keep.busy ?? DEFAULT_BUSY) ?? 0;
  const knownExpired = new Set<string>();
  let before: BackupResult | undefined;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const writer = await BackupWriter.open(place, { isUpdated: true });
    try {
      const result = await backUp({
        ...{ server, about, writer, graph: undefined, onEmpty },
        busyTries: Math.ceil(busyMs / 1000),
        ...{ sleep: (ms: number) => ctx.clock.sleep(ms), now: () => ctx.clock.now() },
        onProgress: ({ done, total }) => progress.show(`${done} of ${total} threads`),
        knownExpired,
      });
      assertWhole(result, keep);
      if (before && isSame(before, result)) return result.manifest;
      before = result;
    } finally {
      await writer.close();
    }
  }
  throw new UserError(
    `threads changed during each of ${MAX_PASSES} passes. Stop what writes to them, such as a user interface ` +
      "or a cron.",
  );
}

/** Whether a server shows its threads without credentials, so that it hides none. */
async function isOpen(agent: AgentServerClient, { clients }: Context): Promise<boolean> {
  const anonymous = clients.agentServers.withoutCredentials(agent.url);
  const search = { method: "POST", path: "/threads/search", body: { limit: 1 }, isRead: true } as const;
  return (await anonymous.probe(search)).status === 200;
}

function assertWhole({ missing }: BackupResult, { busy = DEFAULT_BUSY }: KeepConversations): void {
  const [first] = missing;
  if (first === undefined) return;
  const others = missing.length > 1 ? `, and ${missing.length - 1} more` : "";
  throw new UserError(
    `thread ${first.id} is not in the backup: ${first.reason}${others}. A thread that a run writes to is ` +
      `awaited for keepConversations.busy (${formatDuration(parseDuration(busy) ?? 0)}).`,
  );
}

/** Also of what is only counted, such as crons that others create meanwhile. Servers list threads that have expired. */
const isSame = ({ manifest: before, expired: gone }: BackupResult, { manifest, unchanged, expired }: BackupResult) =>
  expired === gone && unchanged === manifest.counts.threads && isSameJson(before.counts, manifest.counts);
