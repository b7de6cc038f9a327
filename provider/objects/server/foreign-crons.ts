/** Crons of others, which a server deletes with the assistant or the thread of a resource. */
import type { Cron } from "../../api/agent-server/crons";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { ObjectNames } from "../kind";
import { CRON_KEYS, isOfStack } from "../metadata/metadata";
import { isCopy } from "../ownership";

const CRONS = { keys: CRON_KEYS, idOf: ({ cronId }: Cron) => cronId };

/**
 * @param crons Those that the server would delete. @param remedy What to do about them, as a sentence.
 * @throws OwnershipError when some are not of this stack.
 */
export function assertNoForeignCrons(
  { kind, noun, id }: ObjectNames & { id: string },
  crons: readonly Cron[],
  ctx: Context,
  remedy: string,
): void {
  const foreign = crons.filter((cron) => !isOfStack(CRON_KEYS, cron.metadata, ctx) || isCopy(CRONS, cron));
  if (foreign.length === 0) return;
  throw new OwnershipError(
    `${kind} ${id} was not deleted, because its server would also delete crons of it that this stack does not manage: ${foreign.map(({ cronId }) => cronId).join(", ")}. The ${noun} was not changed. Crons of this stack that belong to it may already be deleted; \`pulumi up\` creates them again.\n` +
      `${remedy} To delete them with this one, set deleteForeignCrons: true, run \`pulumi up\`, and then run the command again.`,
  );
}
