/**
 * What a create of each kind of object on an agent server does, by what the server has and what becomes of the request.
 */
import { isDynamicHost, stateOf } from "../../support/stack";
import { kinds } from "./support/agent-objects";
import { situations } from "./support/situations";

const rows = situations.flatMap(({ outcomes, ...situation }, index) => {
  const ofSituation = kinds.flatMap((kind) => {
    const outcome = outcomes[kind.noun];
    return outcome === undefined || outcome === "absent" ? [] : [{ kind, situation, outcome }];
  });
  // Through the plugin, which runs the same code, each situation for one kind, and each kind in some of them.
  return isDynamicHost ? ofSituation : ofSituation.slice(index % ofSituation.length).slice(0, 1);
});

// @covers 10B.metadata-stored
it.each(rows.map((row) => [row.kind.noun, row.situation.title, row] as const))(
  "A create of a %s has one outcome where %s",
  async (_noun, _title, { kind, situation, outcome }) => {
    const started = await kind.start(situation.server);
    const { stack, declared, earlier } = await situation.arrange(kind, started);
    const before = await started.ids();
    const contents = () => Promise.all(before.map((id) => started.agents.callAgentServer("GET", `${kind.path}/${id}`)));
    const contentsBefore = await contents();
    const result = stack.up(declared);
    if (outcome.error) {
      await expect(result).rejects.toThrow(outcome.error);
      expect(stack.state).toBeUndefined();
    } else {
      await result;
      expect(await started.ids()).toContain(stateOf(stack).id);
      expect(stateOf(stack).id === earlier).toBe(outcome.isEarlier ?? false);
    }
    // Neither a failed create nor another object changes what was there.
    if (!outcome.changes) expect(await contents()).toEqual(contentsBefore);
    const warnings = stack.messages.filter((text) => text.startsWith("warn:"));
    if (!outcome.error) expect(warnings).toEqual(outcome.warning ? [expect.stringMatching(outcome.warning)] : []);
    expect(await started.ids()).toHaveLength(outcome.count);
    if (stack.state) expect(await stack.refresh()).toBe("same");
  },
);
