/**
 * Bad revisions with real agent processes, which are off again, and good ones, which stay, on both hosts. The tests of
 * provider/ compare all responses with what a check expects; here is what processes and their connections do.
 */
import { BAD, GOOD } from "./revisions";
import { agentWorld, declareInJavaScript, VerifiedRollouts } from "./story";

const world = agentWorld();

test.each(["pulumi-agentgraph", "pulumi-agentgraph/native"])(
  "A program with %s undoes every bad revision, and keeps every good one",
  async (module) => {
    const stack = await world.stack({ project: `verified-${module.replace(/\W/g, "-")}` });
    if (module.endsWith("native")) await stack.program.usePlugin();
    const rollouts = new VerifiedRollouts(world, stack, declareInJavaScript(module));
    await rollouts.start({ behavior: "plain" });
    for (const [index, bad] of BAD.entries()) {
      await rollouts.isUndone(bad);
      const good = GOOD[index];
      if (good) await rollouts.stays(good);
    }
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  },
  1_200_000,
);
