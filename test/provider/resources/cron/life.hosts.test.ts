/** The life of a Cron against the agent server of the emulator. */
import { defaultAssistantId } from "../../../../provider/schema/id";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createCron, INPUT, startCrons } from "../../../support/agents/crons";
import { dynamicHostOnly, expectClean, isDynamicHost, stateOf } from "../../../support/stack";

const [ADDRESS, SEARCH, ONE] = ["GET /v2/deployments/{id}", "POST /runs/crons/search", "GET /runs/crons/{id}"];
const PATCH = "PATCH /runs/crons/{id}";

// @covers 2B.Cron.cron_id, 2B.Cron.assistant_id, 2B.Cron.payload, 2B.Cron.next_run_date, 4B.POST /runs/crons
it("Cron: a create searches, sends the declared inputs, and stores the server's response in state", async () => {
  const { agents, crons } = await startCrons();
  const stack = crons.stack();
  const declared = crons.inputs({
    ...{ timezone: "Europe/Berlin", context: { tone: "short" }, metadata: { team: "a" }, onRunCompleted: "keep" },
    ...{ config: { tags: ["night"], recursionLimit: 5 }, webhook: "https://1.1.1.1/done" },
    ...{ multitaskStrategy: "enqueue", interruptBefore: ["*"], interruptAfter: ["echo"], durability: "async" },
    ...{ streamMode: ["values"], streamSubgraphs: true, streamResumable: false },
  });
  expect(await stack.up(declared)).toBe("create");
  const changes = ["POST /runs/crons", "PATCH /runs/crons/{id}"];
  expect(agents.agentRequests()).toEqual([ADDRESS, "GET /ok", SEARCH, ...changes, SEARCH]);
  const { id, outputs } = stateOf(stack);
  expect(await crons.list()).toMatchObject([
    {
      ...{ cron_id: id, schedule: "0 3 * * *", timezone: "Europe/Berlin", enabled: true, end_time: null },
      ...{ on_run_completed: "keep", metadata: { team: "a", pulumi_cron: expect.any(String) } },
      payload: {
        ...{ input: INPUT, context: { tone: "short" }, webhook: "https://1.1.1.1/done" },
        ...{ multitask_strategy: "enqueue", interrupt_before: "*", interrupt_after: ["echo"], durability: "async" },
        ...{ stream_mode: ["values"], stream_subgraphs: true, stream_resumable: false },
        config: { tags: ["night"], recursion_limit: 5, configurable: { cron_id: id } },
      },
    },
  ]);
  expect(outputs).toMatchObject({
    ...{ url: agents.url + agents.basePath, tenantId: "11111111-1111-4111-8111-111111111111" },
    ...{ resolvedAssistantId: defaultAssistantId("echo"), nextRunDate: expect.stringMatching(/T0[12]:00:00/) },
    ...{ createdAt: expect.stringContaining("20"), updatedAt: expect.stringContaining("20") },
  });
  expect(outputs).not.toHaveProperty("userId");
  expect(stack.messages).toEqual([]);
  await agents.emulator.requestLog.clear();
  expect(await stack.up(declared)).toBe("same");
  expect(agents.agentRequests()).toEqual([]);
  expect(await stack.refresh()).toBe("same");
  expect(agents.agentRequests()).toEqual([ADDRESS, ONE, SEARCH]);
});

// @covers 4B.POST /threads/{thread_id}/runs/crons, 2B.Cron.thread_id, 2B.Cron.on_run_completed
it("Cron: one on a thread is deleted with the thread, and its own destroy then succeeds", async () => {
  const { agents, crons } = await startCrons();
  const { body: thread } = await agents.callAgentServer("POST", "/threads", {});
  const stack = crons.stack();
  await stack.up(crons.inputs({ threadId: thread.thread_id }));
  expect(await crons.list()).toMatchObject([{ thread_id: thread.thread_id, on_run_completed: null }]);
  expect(await stack.refresh()).toBe("same");
  await agents.callAgentServer("DELETE", `/threads/${thread.thread_id}`);
  await stack.destroy();
});

describe("a change of a Cron", () => {
  // @covers 4B.PATCH /runs/crons/{cron_id}, 2B.Cron.schedule
  it("of the schedule is one PATCH in place, and the time zone goes with it", async () => {
    const { agents, crons, stack, id } = await createCron({ timezone: "Europe/Berlin" });
    expect(await stack.up(crons.inputs({ timezone: "Europe/Berlin", schedule: "0 4 * * *" }))).toBe("update");
    expect(stack.messages).toEqual(["info: in place: schedule"]);
    expect(agents.agentRequests()).toEqual([ADDRESS, "GET /runs/crons/{id}", PATCH]);
    expect(crons.bodies("PATCH")).toEqual([{ schedule: "0 4 * * *", timezone: "Europe/Berlin" }]);
    expect(stateOf(stack)).toMatchObject({ id, outputs: { nextRunDate: expect.stringMatching(/T0[23]:00:00/) } });
    expect(await stack.refresh()).toBe("same");
  });

  // @covers 2B.Cron.timezone, 2B.Cron.end_time, 2B.Cron.enabled, 2B.Cron.metadata
  dynamicHostOnly(it).each([
    ["timezone", { timezone: "Europe/Berlin" }, { schedule: "0 3 * * *", timezone: "UTC" }],
    ["endTime", { endTime: "2999-01-01T00:00:00+01:00" }, { end_time: null }],
    ["context", { context: { tone: "short" } }, { context: {}, config: {} }],
    ["config", { config: { tags: ["a"] } }, { context: {}, config: {} }],
    ["onRunCompleted", { onRunCompleted: "keep" }, { on_run_completed: "delete" }],
    ["metadata", { metadata: { team: "a" } }, { metadata: expect.objectContaining({ team: null }) }],
  ])("that removes %s is in place", async (path, before, expected) => {
    const { crons, stack, id } = await createCron(before);
    expect(await stack.up(crons.inputs())).toBe("update");
    expect(stack.messages[0]).toContain(`info: in place: ${path}`);
    expect(crons.bodies("PATCH")).toEqual([expect.objectContaining(expected)]);
    expect(stateOf(stack).id).toBe(id);
    await expectClean(stack, crons.inputs());
  });

  dynamicHostOnly(it).each<[string, unknown]>([
    ["input", INPUT],
    ["webhook", "https://1.1.1.1/done"],
    ["multitaskStrategy", "reject"],
    ["interruptBefore", ["echo"]],
    ["interruptAfter", ["*"]],
    ["durability", "sync"],
    ["streamMode", ["values"]],
    ["streamSubgraphs", true],
    ["streamResumable", true],
  ])("that removes %s replaces the cron, because no update can remove it", async (path, value) => {
    const { crons, stack, id } = await createCron({ [path]: value });
    const declared = crons.inputs({ [path]: undefined });
    expect(await stack.up(declared)).toBe("replace");
    expect(stack.messages).toContain(`info: REPLACED: ${path} (it cannot be removed); runs that it started continue`);
    const [{ cron_id, payload } = { cron_id: id, payload: {} }, ...others] = await crons.list();
    expect([cron_id === id, others]).toEqual([false, []]);
    expect(Object.keys(payload)).not.toContain(path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(await stack.up(declared)).toBe("same");
  });

  it.each<[string, PropertyMap, PropertyMap, PropertyMap]>([
    ["webhook", { webhook: "https://1.1.1.1/a" }, { webhook: "https://1.1.1.1/b" }, {}],
    ["input", {}, { input: [{ n: 1 }] }, { input: [{ n: 1 }] }],
    ["interruptBefore", { interruptBefore: ["*"] }, { interruptBefore: ["a", "b"] }, { interrupt_before: ["a", "b"] }],
  ])("of the value of %s is in place", async (path, before, after, expected) => {
    const { crons, stack, id } = await createCron(before);
    expect(await stack.up(crons.inputs(after))).toBe("update");
    expect(stack.messages[0]).toContain(`info: in place: ${path}`);
    expect((await crons.get(id)).payload).toMatchObject(expected);
    expect(await stack.refresh()).toBe("same");
  });

  it.each([["assistantId"], ["deploymentUrl"]])("of %s replaces the cron, the old one first", async (path) => {
    const { agents, crons, stack, id } = await createCron();
    const url = { deploymentUrl: agents.url + agents.basePath, deploymentId: undefined };
    const declared = crons.inputs(path === "assistantId" ? { assistantId: "interrupt" } : url);
    expect(await stack.up(declared)).toBe("replace");
    for (const text of ["REPLACED: ", path]) expect(stack.messages[0]).toContain(text);
    expect(stack.messages[0]).toContain("; runs that it started continue");
    const remaining = await crons.list();
    expect([remaining.length, remaining[0]?.cron_id === id]).toEqual([1, false]);
  });

  // @covers 3B.cron:never
  it("from config.configurable to context leaves no configuration that would keep the cron from firing", async () => {
    const { crons, stack, id } = await createCron({ config: { configurable: { tone: "short" } } });
    await stack.up(crons.inputs({ context: { tone: "short" } }));
    expect((await crons.get(id)).payload).toMatchObject({
      ...{ context: { tone: "short" }, config: { configurable: { cron_id: id } } },
    });
    await crons.patch(id, { config: { configurable: { theirs: 1 } } });
    expect(await stack.refresh()).toBe("changed");
    expect(await stack.up(crons.inputs({ context: { tone: "short" } }))).toBe("update");
    expect((await crons.get(id)).payload.config).toEqual({ configurable: { cron_id: id } });
  });

  it("from a default to the same declared value changes nothing", async () => {
    const { agents, crons, stack } = await createCron();
    expect(await stack.up(crons.inputs({ timezone: "UTC", enabled: true, onRunCompleted: "delete" }))).toBe("same");
    expect(agents.agentRequests()).toEqual([]);
  });
});

describe("a Cron that is disabled", () => {
  // @covers 3B.cron:disabled
  it("does not fire at once when it is enabled again, because its schedule is in the same request", async () => {
    const { agents, crons, stack, id } = await createCron({ schedule: "0 3 * * *", enabled: false });
    const disabledUntil = (await crons.get(id)).next_run_date;
    await agents.advance(25 * 3_600_000);
    await agents.emulator.requestLog.clear();
    expect(await stack.up(crons.inputs())).toBe("update");
    expect(stack.messages).toEqual(["info: in place: enabled (fires again from the next time of its schedule)"]);
    expect(crons.bodies("PATCH")).toEqual([{ schedule: "0 3 * * *", enabled: true }]);
    expect(Date.parse((await crons.get(id)).next_run_date)).toBeGreaterThan(Date.parse(disabledUntil));
    const { nextRunDate } = stateOf(stack).outputs;
    await agents.advance(60_000);
    expect((await crons.get(id)).next_run_date).toBe(nextRunDate);
  });

  it("pauses, as the preview shows", async () => {
    const { crons, stack, id } = await createCron();
    expect(await stack.up(crons.inputs({ enabled: false }))).toBe("update");
    expect(stack.messages).toEqual(["info: in place: enabled (pauses)"]);
    expect((await crons.get(id)).enabled).toBe(false);
  });
});

describe("a refresh of a Cron", () => {
  it.each<[string, PropertyMap, PropertyMap]>([
    ["a schedule", {}, { schedule: "0 5 * * *" }],
    ["a time zone that nobody declares", {}, { timezone: "Europe/Berlin" }],
    ["a pause", {}, { enabled: false }],
    ["an end", {}, { end_time: "2999-01-01T00:00:00Z" }],
    ["a removed end", { endTime: "2999-01-01T00:00:00Z" }, { end_time: null }],
    ["an input", {}, { input: { other: 1 } }],
    ["a context", { context: { tone: "short" } }, { context: { tone: "long" } }],
    ["a webhook", { webhook: "https://1.1.1.1/a" }, { webhook: "https://1.1.1.1/b" }],
    ["a metadata key", { metadata: { team: "a" } }, { metadata: { team: "b" } }],
  ])("finds %s that others changed, and the next up corrects it", async (_what, before, change) => {
    const { agents, crons, stack, id } = await createCron(before);
    await crons.patch(id, change);
    expect([await stack.refresh(), await stack.up(crons.inputs(before))]).toEqual(["changed", "update"]);
    expect(agents.agentRequests().filter((request) => request === PATCH)).toHaveLength(1);
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).id).toBe(id);
  });

  dynamicHostOnly(it).each<[string, PropertyMap, PropertyMap]>([
    ["another spelling of a time", { endTime: "2999-01-01T01:00:00+01:00" }, { end_time: "2999-01-01T00:00:00Z" }],
    ["UTC by name", {}, { timezone: "UTC" }],
    ["metadata of others", { metadata: { team: "a" } }, { metadata: { theirs: 1 } }],
    ["a webhook that nobody declares", {}, { webhook: "https://1.1.1.1/b" }],
  ])("ignores %s", async (_what, before, change) => {
    const { crons, stack, id } = await createCron(before);
    await crons.patch(id, change);
    await expectClean(stack, crons.inputs(before));
  });

  // @covers 3B.cron
  it("ignores that the cron fired, and stores when it fires next", async () => {
    const { agents, crons, stack } = await createCron({ schedule: "* * * * *" });
    const { nextRunDate } = stateOf(stack).outputs;
    await agents.advance(90_000);
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).outputs.nextRunDate).not.toBe(nextRunDate);
    expect(await stack.up(crons.inputs({ schedule: "* * * * *" }))).toBe("same");
  });
});

// @covers 4B.DELETE /runs/crons/{cron_id}
it("Cron: a destroy deletes it, and says that its runs continue", async () => {
  const { agents, stack, id } = await createCron();
  await stack.destroy();
  expect((await agents.callAgentServer("GET", `/runs/crons/${id}`)).status).toBe(404);
  expect(stack.messages).toEqual(["info: Runs that the cron started continue, also those that are still queued."]);
});

it("Cron: get and import read it by its ID and that of its deployment", async () => {
  const { agents, crons, id } = await createCron({ metadata: { team: "a" } });
  await crons.patch(id, { metadata: { pulumi_cron: null, pulumi_cron_resource: null, pulumi_cron_stack: null } });
  const { deploymentId } = agents;
  const read = crons.stack({ name: "read" });
  const { outputs } = isDynamicHost ? await read.get(id, { deploymentId }) : await read.get(`${deploymentId}/${id}`);
  expect(outputs).toMatchObject({
    ...{ schedule: "0 3 * * *", metadata: { team: "a" }, resolvedAssistantId: defaultAssistantId("echo") },
  });
  const { inputs } = await crons.stack({ name: "other", host: "plugin" }).import(`${deploymentId}/${id}`);
  const declared = Object.entries(inputs).filter(([key]) => !key.startsWith("__"));
  expect(Object.fromEntries(declared)).toEqual({
    ...{ deploymentId, assistantId: defaultAssistantId("echo"), schedule: "0 3 * * *", input: INPUT },
    metadata: { team: "a" },
  });
});
