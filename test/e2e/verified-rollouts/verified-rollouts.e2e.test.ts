/**
 * A rollout whose checks fail is undone, with a real agent; the release tests try every bad and every good revision.
 */
import { BAD } from "./revisions";
import { agentWorld, declareInJavaScript, VerifiedRollouts } from "./story";

const world = agentWorld();

test("a revision that fails a check is off again, and one that passes at a second attempt stays", async () => {
  const stack = await world.stack({ project: "verified" });
  const rollouts = new VerifiedRollouts(world, stack, declareInJavaScript("pulumi-agentgraph"));
  await rollouts.start({ behavior: "plain" });
  const [bad] = BAD.filter(({ behavior }) => behavior === "report-500");
  if (bad) await rollouts.isUndone(bad);
  await rollouts.stays({ behavior: "one-500" });
});
