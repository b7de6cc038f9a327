/** Checks of an agent that runs: its answers, and the threads that wait for one. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { startStack, stateOf } from "../../../../support/stack";

/** Runs an `up` whose revision passes its checks, and then declares others. */
async function upWith(first: PropertyMap, act?: (call: Call) => Promise<unknown>) {
  const platform = await startPlatform({ platform: "today" });
  // A run ends while the check waits for it.
  await platform.emulator.clock.resume();
  const stack = await startStack(platform, declare(first, "1"));
  const call: Call = (method, path, body) =>
    platform.call(method, `/agents/${stateOf(stack).id}${path}`, body) as never;
  await act?.(call);
  return { platform, stack, call, verify: (check: PropertyMap, tag = "1") => stack.up(declare(check, tag)) };
}

const declare = (check: PropertyMap, tag: string) => dockerDeployment({ ...withImage(tag), verify: [check] });

type Call = (method: string, path: string, body?: unknown) => Promise<{ body: PropertyMap }>;

const question = (expect: PropertyMap, change: PropertyMap = {}) => ({
  ask: { assistantId: "echo", input: { messages: [{ type: "human", content: "Hi" }] }, expect, ...change },
  attempts: 1,
});

test("The answer to a question is the last message, and no thread is left", async () => {
  const { call } = await upWith(question({ matches: "^Hey Hi$" }, { context: { prefix: "Hey " } }));
  expect((await call("POST", "/threads/search", {})).body).toEqual([]);
});

test("A wrong answer, a failed run and an unknown graph fail a check", async () => {
  const { verify } = await upWith(question({ contains: "Hi" }));
  const messageOf = async (check: PropertyMap) => (await failureOf(verify(check))).message;
  expect(await messageOf(question({ contains: "Bye" }))).toContain('actual     "Echo: Hi"');
  expect(await messageOf(question({}, { assistantId: "failing", input: {} }))).toMatch(
    /actual +the run failed: \w+: This graph always fails/,
  );
  expect(await messageOf(question({}, { assistantId: "nope" }))).toMatch(/actual +status (404|422): .*nope/);
  expect(await messageOf(question({}, { assistantId: "ecko" }))).toMatch(/no graph "ecko"\. Did you mean "echo"\?/);
});

test("A thread that waits fails a check if its node or its graph is gone, and the node is named", async () => {
  let thread = "";
  const { platform, verify, call } = await upWith({ conversations: {} }, async (request) => {
    thread = `/threads/${(await request("POST", "/threads", {})).body.thread_id}`;
    await request("POST", `${thread}/runs/wait`, { assistant_id: "interrupt", input: { prepared: false } });
  });
  const rollOut = async (tag: string, graph: string) => {
    // As if the graph of the new revision had other nodes.
    platform.duringNextWait(() => call("PATCH", thread, { metadata: { graph_id: graph } }));
    return verify({ attempts: 1, conversations: {} }, tag);
  };
  await rollOut("2", "interrupt");
  await expect(rollOut("3", "echo")).rejects.toThrow(
    '1 thread waits in node "finish", which graph "echo" no longer has',
  );
  await expect(rollOut("4", "gone")).rejects.toThrow(
    '1 thread waits in graph "gone", which the agent server no longer has',
  );
});
