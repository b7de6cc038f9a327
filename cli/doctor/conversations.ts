/** Says what a deployment keeps for its users, which it would take along: conversations, and what belongs to them. */

import type { Settings } from "../../provider/settings/settings";
import { describeAtStake } from "../conversations/at-stake";
import { findId } from "../conversations/connect";
import { Stakes } from "../conversations/stakes";
import type { Group } from "../shared/check";

const id = "conversations";

/** @param name Name or ID of a deployment. Numbers that were asked for and stay unknown are a problem. */
export async function checkConversations(name: string, settings: Settings): Promise<Group[]> {
  const stakes = new Stakes(settings, []);
  try {
    const stake = await stakes.ask((clients) => findId(name, clients));
    const title = `Conversations of deployment ${name}`;
    if ("unknown" in stake)
      return [{ title, checks: [{ id, status: "fix", message: `not counted: ${stake.unknown}` }] }];
    const { known } = stake;
    const message = `keeps ${describeAtStake(known)}${known.isPartial ? ", as seen by this key" : ""}`;
    return [{ title, checks: [{ id, status: "ok", message, counts: known }] }];
  } finally {
    await stakes.close();
  }
}
