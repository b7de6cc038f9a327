/** What a restore makes of threads that few servers show: as units, since no server of tests writes them. */
import type { Checkpoint } from "../../../provider/conversations/server/conversation-server";
import { compareLines, withoutEnds } from "../../../provider/conversations/thread/compare-lines";
import { askAgain } from "../../../provider/conversations/thread/namespaces";
import { serve } from "./support/servers";

const checkpoint = (source: string, next: string[], values: unknown, step: number): Checkpoint => ({
  ...{ values, next, tasks: [], metadata: { source, step }, checkpoint: { checkpoint_id: `${step}` } },
  ...(step >= 0 && { parent_checkpoint: { checkpoint_id: `${step - 1}` } }),
});

describe("the end of a run that another input follows", () => {
  const [asks, log] = [checkpoint("loop", ["ask"], { log: ["1"] }, 0), { log: ["1", "2"] }];
  const begin = [checkpoint("input", ["__start__"], {}, -1), asks];
  const next = (step: number) => [
    checkpoint("input", ["__start__"], asks.values, step),
    checkpoint("loop", [], log, step + 1),
  ];

  it("is left out as a restore writes it, and no other checkpoint is", () => {
    const abandoned = [...begin, ...next(1)];
    const differencesTo = (between: Checkpoint) =>
      compareLines(abandoned, withoutEnds(abandoned, [...begin, between, ...next(2)]), true);
    expect(differencesTo(checkpoint("update", [], asks.values, 1))).toEqual([]);
    const others: [string, string[], object][] = [
      ["loop", [], { log: ["1"] }],
      ["update", ["x"], { log: ["1"] }],
      ["update", [], log],
    ];
    for (const other of others) expect(differencesTo(checkpoint(...other, 1))).toContain("5 checkpoints in place of 4");
  });

  it("is not left out where it is the latest state, as of a function with that state only", () => {
    const expected = [checkpoint("input", ["f"], null, -1), checkpoint("input", ["f"], null, 0)];
    const written = [checkpoint("update", ["f"], { n: 2 }, -1), checkpoint("update", [], { n: 2 }, 0)];
    expect(withoutEnds(expected, written)).toEqual(written);
  });
});

it.each([
  ["as a later one shows it", { path: ["__pregel_push", 1] }, "inner:new-1"],
  ["without its path, as an older one", {}, "inner:new-0"],
])("The state of a task that waits is written to it from a backup %s", async (_as, path, namespace) => {
  const written: unknown[] = [];
  const present = {
    ...checkpoint("loop", ["inner"], {}, 0),
    tasks: [0, 1].map((index) => ({ id: `new-${index}`, name: "inner", path: ["__pregel_push", index] })),
  };
  const { server: target } = serve((path, { checkpoint: of, before }) => {
    if (path.endsWith("/state")) written.push(Object(of).checkpoint_ns);
    return [200, path.endsWith("/history") ? (before ? [] : [present]) : {}];
  });
  const history = [checkpoint("loop", ["ask"], { log: ["1"] }, 0), checkpoint("update", ["__start__"], {}, -1)];
  const waits = { id: "old", name: "inner", ...path, checkpoint: { checkpoint_ns: "inner:old" } };
  await askAgain(
    "t",
    { ...checkpoint("loop", ["inner"], {}, 0), tasks: [waits] },
    [{ namespace: "inner:old", history }],
    { target, graphId: "g" },
  );
  expect(new Set(written)).toEqual(new Set([namespace]));
});
