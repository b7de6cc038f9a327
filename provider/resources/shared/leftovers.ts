/**
 * Warns about exports and destinations that an interrupted run may have left before the program changed. They have no
 * ownership marker, so only their age and their similarity to the new resource indicate it.
 */
import type { Context } from "../../definition/context";
import { parseServerTimestamp } from "../../schema/timestamp";

export interface LeftoverSearch<T> {
  /** What to call one of them, such as `schedule`. */
  noun: string;
  /** Resources of this type that other runs created. */
  existing: readonly T[];
  /** Returns the inputs in which a resource differs from the new one. */
  differences: (other: T) => readonly string[];
  /** Returns the request that removes a resource, for the message. */
  formatRemoval: (id: string) => string;
}

/** Warnings for one create. */
const MAX_WARNINGS = 3;

/** Warns about recent resources that differ from the new one in at most one input. */
export function warnOfLeftovers<T extends { id: string; createdAt?: string | null | undefined }>(
  { noun, existing, differences, formatRemoval }: LeftoverSearch<T>,
  ctx: Context,
): void {
  const createdAfter = ctx.serverNow() - ctx.settings.resumeWithinMs;
  const isRecent = ({ createdAt }: T) => Number(parseServerTimestamp(createdAt) ?? 0n) / 1000 > createdAfter;
  const leftovers = existing.filter((other) => isRecent(other) && differences(other).length <= 1);
  for (const other of leftovers.slice(0, MAX_WARNINGS)) {
    const [field] = differences(other);
    const similarity = field === undefined ? "equals this one" : `differs from this one in ${field} alone`;
    ctx.log.warn(
      `The ${noun} ${other.id} ${similarity}. If no resource manages it, an interrupted run created it.\n` +
        `To remove it:  ${formatRemoval(other.id)}\nTo keep it, declare it as another resource with  import: "${other.id}"`,
    );
  }
}
