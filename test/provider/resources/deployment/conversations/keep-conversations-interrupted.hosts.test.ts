import type { PropertyMap } from "../../../../../provider/schema/schema";
import { talk, textsOf } from "../../../../support/deployments/conversations";
import { declareKept, kept, startKept } from "../../../../support/deployments/kept";
import type { Platform } from "../../../../support/platform";
import { isComplete } from "../../../../support/run/runs";
import { isDynamicHost, Stack, stateOf } from "../../../../support/stack";

const declare = (change: PropertyMap = {}) => declareKept({ keepConversations: { at: kept.at }, ...change });

const CHANGES: Record<string, PropertyMap> = {
  "under a new name": { name: "renamed" },
  "under the same name": { sourceConfig: { listenerId: "22222222-2222-4222-8222-222222222222" } },
};

async function start() {
  const { platform, stack, first } = await startKept(declare());
  const agent = `/agents/${first}`;
  for (const text of ["one", "two", "three"]) await talk(platform, first, text);
  await platform.call("PUT", `${agent}/store/items`, { namespace: ["notes"], key: "a", value: { text: "kept" } });
  await platform.call("POST", `${agent}/assistants`, { graph_id: "echo", name: "Formal" });
  await platform.emulator.requestLog.clear();
  return { platform, stack };
}

async function contentOf(platform: Platform, id: string) {
  const call = async (path: string, body: object) => (await platform.call("POST", `/agents/${id}${path}`, body)).body;
  const { items } = (await call("/store/items/search", { namespace_prefix: [] })) as unknown as { items: unknown[] };
  const assistants = (await call("/assistants/search", { limit: 100 })) as unknown as { name: string }[];
  return {
    texts: Object.values(await textsOf(platform, id))
      .map(String)
      .sort(),
    items: items.length,
    assistants: assistants.filter(({ name }) => name === "Formal").length,
  };
}

/** Ends a replacement at a request, and returns whether it had that many. */
async function interrupt(change: PropertyMap, at: number, isKilled: boolean): Promise<boolean> {
  const { platform, stack } = await start();
  const before = structuredClone(stack.state);
  const { faults } = platform.emulator;
  // The server acts on the last request that a run has sent, or not.
  await faults.add({ path: "/**", connection: isKilled ? "reset-before" : "reset-after", skip: at });
  await faults.add({ path: "/**", connection: "reset-before", skip: at, times: 100_000 });
  const failure = await stack.up(declare(change)).then(
    () => undefined,
    (error: Error) => error,
  );
  await faults.clear();
  // The engine loses what it has not stored yet.
  const next = isKilled && failure ? new Stack(platform) : stack;
  if (next !== stack) next.state = before;
  if (failure)
    await next.up(declare(change)).catch((error: Error) => {
      throw new Error(`after request ${at}: ${error.message}`);
    });
  const live = await platform.deployments();
  expect({ at, names: live.map(({ name }) => name) }).toEqual({ at, names: [change.name ?? "agent"] });
  const found = await contentOf(platform, stateOf(next).id);
  expect({ at, ...found }).toEqual({
    ...{ at, texts: ["one,Echo: one", "three,Echo: three", "two,Echo: two"], items: 1, assistants: 1 },
  });
  return failure !== undefined;
}

const ENDS = isComplete ? ["killed", "cut off"] : ["killed"];
const STEP = isComplete ? 5 : 75;

// The plugin runs the same code.
const each = isDynamicHost ? test : test.skip;
each.each(Object.keys(CHANGES).flatMap((where) => ENDS.map((how) => [where, how] as const)))(
  "A replacement %s that is %s at any request keeps each conversation once",
  async (where, how) => {
    for (let at = 0; await interrupt(CHANGES[where] ?? {}, at, how === "killed"); at += STEP)
      expect(at).toBeLessThan(300);
  },
  600_000,
);
