/**
 * Warns about exports and destinations that an interrupted run may have left before the program changed. They have no
 * ownership marker, so only their age and their similarity to the new resource indicate it.
 */
import type { Context } from "../../definition/context";
import { CreatesOfRun } from "../../objects/server/lost-response";
import { parseServerTimestamp } from "../../schema/timestamp";

export interface LeftoverSearch<T> {
  /** What to call one of them, such as `schedule`. */
  noun: string;
  /**
   * The resources of this type, after the create, when the engine has asked about most of the stack's other resources.
   */
  listed: readonly T[];
  created: T;
  /** Returns the inputs in which a resource differs from the new one. */
  differences: (other: T) => readonly string[];
  /**
   * The request that removes one, with a placeholder for its ID: pasting it removes nothing that a resource manages.
   */
  removal: string;
}

/** Warnings for one create. */
const MAX_WARNINGS = 3;
/** How long a warning waits for the engine to ask about a resource that is declared after the new one. */
const MAX_WAIT_MS = 5000;
const PAUSE_MS = 250;

function createdAtMs({ createdAt }: { createdAt?: string | null | undefined }): number | undefined {
  const micros = parseServerTimestamp(createdAt);
  return micros === undefined ? undefined : Number(micros) / 1000;
}

/** Warns about recent resources that this run did not create, and that differ from the new one in at most one input. */
export async function warnOfLeftovers<T extends { id: string; createdAt?: string | null | undefined }>(
  { noun, listed, created, differences, removal }: LeftoverSearch<T>,
  ctx: Context,
): Promise<void> {
  const { createdIds } = ctx.scope.get(CreatesOfRun);
  const existing = listed.filter(({ id }) => !createdIds.has(id));
  // The server's own time of the create shows how old others are, whatever the clock of this machine.
  const shown = listed.find(({ id }) => id === created.id) ?? created;
  const createdAfter = (createdAtMs(shown) ?? ctx.serverNow()) - ctx.settings.resumeWithinMs;
  const isRecent = (other: T) => (createdAtMs(other) ?? 0) > createdAfter;
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
