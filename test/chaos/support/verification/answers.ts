/** What a run that ends well promises of an agent with checks. */
import type { CommandResult } from "../engine/run";
import type { State } from "../engine/state";
import { answerOf, GOOD_ANSWER } from "../kinds/deployment";
import type { Server } from "../server/server";

/**
 * @throws Error when a deployment with a check succeeded although the agent that it left live answers wrong. Only an
 * import leaves it to the next run, and says so.
 */
export async function verifyAnswers(server: Server, state: State, result: CommandResult): Promise<void> {
  const { done, died, rows } = result;
  for (const [name, { resource }] of state) {
    const { id, inputs, outputs, failed } = resource;
    const isAnnounced = rows.some((row) => row.includes(`${outputs.activeRevisionId} is live and has not passed`));
    if (died || !done.has(name) || failed || inputs.verify === undefined || isAnnounced) continue;
    const answer = await answerOf(server, id);
    if (answer !== undefined && answer !== GOOD_ANSWER)
      throw new Error(`${name} is green with ${outputs.activeRevisionId} live: ${answer}`);
  }
}
