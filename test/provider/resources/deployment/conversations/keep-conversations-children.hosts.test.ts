import { RunState } from "../../../../../provider/engine/run/run-state";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { talk, textsOf } from "../../../../support/deployments/conversations";
import { declareKept as declare, startKept } from "../../../../support/deployments/kept";
import { type Platform, startPlatform } from "../../../../support/platform";
import { CheckError, Stack, startStack, stateOf } from "../../../../support/stack";

async function start(kind: string, inputs: PropertyMap, config: Record<string, string> = {}) {
  const { platform, stack, first } = await startKept(declare(), { config });
  const child = await startStack(platform, { deploymentId: first, ...inputs }, { kind, name: "child", config });
  const said = await talk(platform, first, "hello");
  await platform.advance(3_600_000);
  const run = new RunState();
  await stack.up(declare({ name: "renamed" }), stack.host({}, run));
  return { platform, stack, child, run, said, second: stateOf(stack).id };
}

const threadsOf = async (platform: Platform, id: string) => Object.keys(await textsOf(platform, id));

it.each<[string, string, PropertyMap]>([
  ["A thread", "Thread", {}],
  ["A thread of a declared ID", "Thread", { threadId: "00000000-0000-4000-8000-000000000001" }],
  ["An assistant", "Assistant", { graphId: "echo", name: "Formal" }],
])("%s without an ownership marker moves with its deployment", async (_, kind, inputs) => {
  const { platform, child, run, said, second } = await start(kind, inputs, { ownerMarker: "false" });
  const { id } = stateOf(child);
  const declared = { deploymentId: second, ...inputs };
  expect(await child.up(declared, child.host({}, run))).toBe("update");
  expect(stateOf(child).id).toBe(id);
  expect([await child.up(declared), await child.refresh()]).toEqual(["same", "same"]);
  await child.destroy();
  expect(await threadsOf(platform, second)).toEqual([said]);
});

it("A thread that leaves the program as its deployment is renamed is deleted where it moved", async () => {
  const { platform, child, run, said, second } = await start("Thread", {});
  expect(await threadsOf(platform, second)).toHaveLength(2);
  await child.destroy(child.host({}, run));
  expect(await threadsOf(platform, second)).toEqual([said]);
});

/** What changes objects of agent servers. */
const isWrite = (line: string) => /^(DELETE|PATCH|POST) /.test(line) && !line.endsWith("/search");

it.each<[string, string, PropertyMap]>([
  ["A thread", "Thread", {}],
  ["A thread of a declared ID", "Thread", { threadId: "00000000-0000-4000-8000-000000000001" }],
  ["An assistant", "Assistant", { graphId: "echo", name: "Formal" }],
])("%s that a newer engine replaces with its deployment, without a comparison, stays", async (_, kind, inputs) => {
  const { platform, child, run, second } = await start(kind, inputs);
  const { id } = stateOf(child);
  await platform.emulator.requestLog.clear();
  await child.replace({ deploymentId: second, ...inputs }, child.host({}, run));
  expect(stateOf(child).id).toBe(id);
  expect(platform.requests().filter(isWrite)).toEqual([]);
  expect([await child.up({ deploymentId: second, ...inputs }), await child.refresh()]).toEqual(["same", "same"]);
});

it("A thread that such an engine has removed from state is there again after a failed change", async () => {
  const { platform, stack, child, run, second } = await start("Thread", {});
  const { id } = stateOf(child);
  await platform.addFault({ method: "GET", path: "/agents/**", status: 403, body: { detail: "refused" } });
  const declared = { deploymentId: second, metadata: { topic: "refunds" } };
  await expect(child.replace(declared, child.host({}, run))).rejects.toThrow("refused");
  expect(stateOf(child).id).toBe(id);
  const next = new RunState();
  await stack.up(declare({ name: "renamed" }), stack.host({}, next));
  expect([await child.up(declared, child.host({}, next)), await child.up(declared)]).toEqual(["update", "same"]);
  expect(stateOf(child).id).toBe(id);
});

it.each<[string, string, PropertyMap]>([
  ["A thread", "Thread", {}],
  ["An assistant", "Assistant", { graphId: "echo", name: "Formal" }],
])("%s that such an engine creates before it deletes the old one is only deleted there", async (_, kind, inputs) => {
  const { platform, child, run, second } = await start(kind, inputs);
  const { id } = stateOf(child);
  await platform.emulator.requestLog.clear();
  await child.replace({ deploymentId: second, ...inputs }, child.host({}, run), true);
  expect(stateOf(child).id).toBe(id);
  const writes = platform.emulator.requestLog.entries({ method: "DELETE" }).map(({ path }) => path);
  expect(writes.filter((path) => path.includes(second))).toEqual([]);
  expect([await child.up({ deploymentId: second, ...inputs }), await child.refresh()]).toEqual(["same", "same"]);
});

it("A declared cron is created by its program alone, not with what its deployment passes on", async () => {
  const inputs = { assistantId: "echo", schedule: "0 5 1 1 *" };
  const { platform, child, run, second } = await start("Cron", inputs);
  const crons = async () => (await platform.call("POST", `/agents/${second}/runs/crons/search`, {})).body;
  expect(await crons()).toEqual([]);
  expect(await child.up({ deploymentId: second, ...inputs }, child.host({}, run))).toBe("replace");
  expect(await crons()).toMatchObject([{ cron_id: stateOf(child).id }]);
});

it("Without ownership markers, a cron that moves is paused, since the program may create it again", async () => {
  const inputs = { assistantId: "echo", schedule: "0 5 1 1 *" };
  const { platform, stack, child, run, second } = await start("Cron", inputs, { ownerMarker: "false" });
  const crons = async () => (await platform.call("POST", `/agents/${second}/runs/crons/search`, {})).body;
  expect(await crons()).toMatchObject([{ enabled: false }]);
  expect(stack.messages.join("\n")).toContain("is paused: nothing shows whether the program creates it");
  await child.up({ deploymentId: second, ...inputs }, child.host({}, run));
  expect(Object.values(await crons()).filter(({ enabled }: PropertyMap) => enabled)).toMatchObject([
    { cron_id: stateOf(child).id },
  ]);
});

it("A thread with another initial state is replaced with its deployment", async () => {
  const { child, platform, run, said, second } = await start("Thread", { metadata: { graph_id: "echo" } });
  const { id } = stateOf(child);
  const supersteps = [{ updates: [{ asNode: "__start__", values: { messages: [] } }] }];
  const declared = { deploymentId: second, metadata: { graph_id: "echo" }, supersteps };
  await child.replace(declared, child.host({}, run));
  expect(stateOf(child).id).not.toBe(id);
  expect((await threadsOf(platform, second)).sort()).toEqual([said, stateOf(child).id].sort());
});

it.each(["file://relative/path", "file:path", "file:///a%2Fb", "gs://bucket/path"])(
  "A place at %s is rejected by the check",
  async (at) => {
    const stack = new Stack(await startPlatform());
    const failure = stack.check(declare({ keepConversations: { at } }));
    await expect(failure).rejects.toThrow(CheckError);
    await expect(failure).rejects.toThrow(`must be a folder, file:///path, or s3://bucket/prefix, not ${at}`);
  },
);
