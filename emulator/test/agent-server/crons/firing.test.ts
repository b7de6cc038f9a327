import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Agent, type AgentBody, agentOf } from "../../support/agent-server";
import { rolloutMs, start } from "../../support/emulator";
import { newFolder } from "../../support/folder";
import { type Cron, createCron, getCron, startAtFullMinute } from "./crons";

const MINUTE = 60_000;
const everyMinute = { assistant_id: "echo", schedule: "* * * * *", input: { messages: "Hello" } };
const kept = { ...everyMinute, on_run_completed: "keep" };

const threads = async (agent: Agent): Promise<AgentBody[]> =>
  (await agent.call("POST", "/threads/search", { limit: 1000 })).list;
const runsOf = async (agent: Agent, threadId: string): Promise<AgentBody[]> =>
  (await agent.call("GET", `/threads/${threadId}/runs?limit=1000`)).list;
const change = (agent: Agent, { cron_id }: Cron, body: object) => agent.call("PATCH", `/runs/crons/${cron_id}`, body);

/** Moves the clock of a stopped emulator. */
function passTime(data: string, ms: number): void {
  const file = new DatabaseSync(join(data, "emulator.sqlite"));
  const sql = "UPDATE state SET value = json_set(value, '$.at', value ->> '$.at' + ?) WHERE key = 'clock'";
  expect(file.prepare(sql).run(ms).changes).toBe(1);
  file.close();
}

describe("a cron", () => {
  // @covers 3B.cron, 3B.cron:version, 3B.cron:metadata
  test("starts a run of the current version on a new thread, a few seconds after its time", async () => {
    const agent = await startAtFullMinute({ strict: true });
    const { assistant_id } = (
      await agent.call("POST", "/assistants", { graph_id: "echo", metadata: { customer: "c-1", from: "assistant" } })
    ).body;
    const metadata = { from: "cron", team: "a" };
    const cron = await createCron(agent, { ...kept, assistant_id, metadata });
    await agent.call("PATCH", `/assistants/${assistant_id}`, { context: { prefix: "Now: " } });
    const due = Date.parse(cron.next_run_date);
    await agent.advance(due - Date.parse(agent.emulator.clock.read().now));
    expect(await threads(agent)).toEqual([]);
    await agent.advance(6000);
    const [thread] = await threads(agent);
    expect(thread?.metadata).toEqual({ ...metadata, graph_id: "echo", assistant_id });
    expect(thread?.values.messages?.at(-1)?.content).toBe("Now: Hello");
    const [run] = await runsOf(agent, thread?.thread_id ?? "");
    expect(run).toMatchObject({
      status: "success",
      metadata: { customer: "c-1", ...metadata, assistant_id },
      kwargs: { config: { configurable: { cron_id: cron.cron_id } } },
    });
    const next = await getCron(agent, cron.cron_id);
    expect(Date.parse(next.next_run_date)).toBe(due + MINUTE);
    expect(next.updated_at).toBe(cron.updated_at);
  });

  test("keeps its time zone after it has fired", async () => {
    const agent = await startAtFullMinute({ strict: true });
    const { cron_id, next_run_date } = await createCron(agent, {
      assistant_id: "echo",
      schedule: "30 9 * * *",
      timezone: "Asia/Kathmandu",
    });
    await agent.advance(Date.parse(next_run_date) - Date.parse(agent.emulator.clock.read().now) + 6000);
    const next = (await getCron(agent, cron_id)).next_run_date;
    expect(Date.parse(next) - Date.parse(next_run_date)).toBe(86_400_000);
    expect(next).toMatch(/T03:45:00/);
  });

  // @covers 2B.Cron.on_run_completed
  test("writes traces, and deletes its thread after the run unless it keeps them", async () => {
    const agent = await startAtFullMinute({ strict: true });
    await createCron(agent, everyMinute);
    await createCron(agent, kept);
    await agent.advance(3 * MINUTE + 10_000);
    const all = await threads(agent);
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(all.length).toBeLessThanOrEqual(4);
    const { removed } = (await agent.admin("POST", "/reset")).body as unknown as { removed: Record<string, number> };
    // A run writes its root, its node and the call of the model.
    expect(removed.trace_runs).toBe(2 * 3 * all.length);
  });

  // @covers 3B.cron:busy
  test("continues the conversation of its thread, and skips a time at which a busy thread rejects it", async () => {
    const agent = await startAtFullMinute({ strict: true });
    const { thread_id } = await agent.thread();
    const path = `/threads/${thread_id}/runs/crons`;
    const { body } = await agent.call("POST", path, { ...everyMinute, multitask_strategy: "reject" });
    await agent.advance(2 * MINUTE + 10_000);
    const before = (await runsOf(agent, thread_id)).length;
    expect((await agent.state(thread_id)).values.messages).toHaveLength(2 * before);
    await agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id: "counter", input: { steps: 1000 } });
    await agent.advance(2 * MINUTE);
    expect(await runsOf(agent, thread_id)).toHaveLength(before + 1);
    expect(Date.parse((await getCron(agent, (body as unknown as Cron).cron_id)).next_run_date)).toBeGreaterThan(
      Date.parse(agent.emulator.clock.read().now),
    );
  });

  // @covers 3B.cron:disabled
  test("stands still while disabled, fires at once when enabled, and not if its schedule is set with it", async () => {
    const agent = await startAtFullMinute({ strict: true });
    const cron = await createCron(agent, { ...kept, enabled: false });
    await agent.advance(3 * MINUTE);
    expect((await getCron(agent, cron.cron_id)).next_run_date).toBe(cron.next_run_date);
    await change(agent, cron, { enabled: true });
    await agent.advance(6000);
    expect(await threads(agent)).toHaveLength(1);
    await change(agent, cron, { enabled: false });
    await agent.advance(3 * MINUTE);
    await change(agent, cron, { enabled: true, schedule: "0 0 1 1 *" });
    await agent.advance(6000);
    expect(await threads(agent)).toHaveLength(1);
  });

  // @covers 3B.cron:never
  test("with context and configurable never fires, and only the log of the deployment says why", async () => {
    const agent = await startAtFullMinute({ strict: true });
    const cron = await createCron(agent, { ...kept, context: { a: 1 }, config: { configurable: { b: 1 } } });
    await agent.advance(2 * MINUTE + 10_000);
    expect(await threads(agent)).toEqual([]);
    const { body } = await agent.admin("GET", "/logs?deployment=agent&type=deploy");
    const { lines } = body as unknown as { lines: { level: string; message: string }[] };
    const message = expect.stringMatching(`^Cron ${cron.cron_id} started no run: Cannot specify both`);
    expect(lines.filter(({ level }) => level === "ERROR").length).toBeGreaterThanOrEqual(2);
    expect(lines.at(-1)).toMatchObject({ level: "ERROR", message });
  });

  // @covers 3B.cron:catch-up
  test("continues after a new revision, and makes up for all times that a stop missed with one run", async () => {
    const data = newFolder();
    const first = await startAtFullMinute({ strict: true, data });
    const cron = await createCron(first, kept);
    await first.patch(`/v2/deployments/${first.deploymentId}`, { source_revision_config: { image_uri: "x:2" } });
    await first.advance(MINUTE + rolloutMs);
    const count = (await threads(first)).length;
    expect(count).toBeGreaterThanOrEqual(1);
    await first.emulator.stop();
    passTime(data, 10 * MINUTE);
    const agent = agentOf(await start({ strict: true, data }), first.deploymentId);
    expect(await threads(agent)).toHaveLength(count);
    await agent.advance(6000);
    expect(await threads(agent)).toHaveLength(count + 1);
    const { next_run_date } = await getCron(agent, cron.cron_id);
    const now = Date.parse(agent.emulator.clock.read().now);
    expect([Date.parse(next_run_date) > now, Date.parse(next_run_date) <= now + MINUTE]).toEqual([true, true]);
  });

  test("waits for the clock with --speed instant, although requests run what they schedule", async () => {
    const agent = await startAtFullMinute({ strict: true, speed: "instant" });
    await createCron(agent, kept);
    await agent.call("POST", "/runs", { assistant_id: "echo", input: {}, on_completion: "keep" });
    expect(await threads(agent)).toHaveLength(1);
    await agent.advance(MINUTE + 6000);
    expect((await threads(agent)).length).toBeGreaterThanOrEqual(2);
  });
});
