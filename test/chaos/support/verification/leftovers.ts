/**
 * Objects that interrupted runs left behind: created by the program, in nobody's state. The messages must have named
 * them, as far as the documentation promises; then a person deletes them.
 */
import { KINDS } from "../kinds";
import type { Leftover } from "../kinds/kind";
import type { World } from "../world";

/** Lists objects of the program that its state does not contain. */
const find = async (world: World): Promise<Leftover[]> =>
  (await Promise.all(KINDS.map((kind) => kind.findLeftovers(world)))).flat();

async function remove(world: World): Promise<void> {
  for (const leftover of await find(world)) {
    const { id, twin = id } = leftover;
    const isNamed = world.messages.some((text) => text.includes(id) || text.includes(twin));
    if (!isNamed && leftover.mustBeNamed)
      throw new Error(`${leftover.kind} ${leftover.id} is left and was never named`);
    const details = [
      !isNamed && "which was never named",
      leftover.isKept && "which the server refuses: exports use it",
    ];
    world.addLog([`a person removes ${leftover.kind} ${leftover.id}`, ...details.filter(Boolean)].join(", "));
    // Servers delete the crons of an assistant with it; those of others are moved before.
    await world.others.assistants.removeCrons(({ assistant_id }) => assistant_id === id);
    await leftover.remove();
  }
  await world.server.advance(15 * 60_000);
}

/** @param destroyed The IDs that were in state: the destroy must have said which of them the server keeps. */
async function verifyNone(world: World, destroyed: ReadonlySet<string>): Promise<void> {
  const isReported = (id: string) =>
    world.messages.some((text) => text.includes(`destination ${id} `) && text.includes("because exports still use it"));
  const isExpected = ({ id, isKept }: Leftover) => isKept && (!destroyed.has(id) || isReported(id));
  const left = (await find(world)).filter((leftover) => !isExpected(leftover));
  if (left.length > 0) throw new Error(`destroy leaves ${left.map(({ kind, id }) => `${kind} ${id}`).join(", ")}`);
}

export const leftovers = { remove, verifyNone };
