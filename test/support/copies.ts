/** A thread with three steps, to be copied. */
import { stateOf } from "./stack";
import { startAgents, superstep } from "./threads";

export const say = (content: string) => superstep({ messages: [{ role: "user", content }] });

/** A source with three steps, and what copies of it declare. */
export async function createSource() {
  const agents = await startAgents();
  const source = agents.stack({ name: "source" });
  await source.up(agents.threadInputs({ supersteps: [say("one"), say("two"), say("three")] }));
  await agents.emulator.requestLog.clear();
  const copyFrom = stateOf(source).id;
  const copy = (change = {}) => ({ deploymentId: agents.deploymentId, copyFrom, ...change });
  return { agents, source, copyFrom, copy, stack: agents.stack({ name: "copy" }) };
}
