import { startAgent, startThread, unknownId } from "../../support/agent-server";
import { createCron, echoId, getCron, startAtFullMinute } from "./crons";

const DAY_MS = 24 * 60 * 60_000;

describe("POST /runs/crons", () => {
  // @covers 2B.Cron.cron_id, 4B.POST /runs/crons
  test("makes another cron each time, and an ID cannot be chosen", async () => {
    const agent = await startAgent();
    const body = { assistant_id: "echo", schedule: "0 9 * * *", cron_id: unknownId };
    const crons = await Promise.all(Array.from({ length: 6 }, () => createCron(agent, body)));
    expect(new Set([unknownId, ...crons.map(({ cron_id }) => cron_id)]).size).toBe(7);
    expect((await agent.call("POST", "/runs/crons/count", {})).body).toBe(6);
  });

  // @covers 2B.Cron.assistant_id, 2B.Cron.schedule, 2B.Cron.timezone, 2B.Cron.webhook
  test("rejects what the server rejects, and stores nothing", async () => {
    const agent = await startAgent();
    const minimal = { assistant_id: "echo", schedule: "0 9 * * *" };
    for (const [change, status] of [
      [{ assistant_id: "missing" }, 404],
      [{ timezone: "europe/berlin" }, 422],
      [{ timezone: "+01:00" }, 422],
      [{ timezone: "/etc/localtime" }, 400],
      [{ input: "text" }, 422],
      [{ config: { tags: "t" } }, 422],
      [{ on_run_completed: "archive" }, 422],
      [{ webhook: "http://localhost:1/hook" }, 422],
      [{ webhook: "http://[::1]/hook" }, 422],
      [{ webhook: "http://192.168.1.1/hook" }, 422],
      [{ webhook: "ftp://files.example.com" }, 422],
      [{ webhook: "" }, 422],
      [{ interrupt_before: "node" }, 422],
      [{ stream_mode: ["values", "nothing"] }, 422],
      [{ durability: "later" }, 422],
    ] as const) {
      const response = await agent.call("POST", "/runs/crons", { ...minimal, ...change });
      expect([change, response.status]).toEqual([change, status]);
    }
    expect((await agent.call("POST", "/runs/crons/count", {})).body).toBe(0);
  });
});

// @covers 4B.PATCH /runs/crons/{cron_id}:part
test("PATCH /runs/crons/{cron_id} stores a schedule without a date, although it refuses it", async () => {
  const agent = await startAgent();
  const { cron_id, next_run_date } = await createCron(agent, { assistant_id: "echo", schedule: "0 9 * * *" });
  const { status } = await agent.call("PATCH", `/runs/crons/${cron_id}`, { schedule: "0 0 31 2 *" });
  expect(status).toBe(400);
  expect(await getCron(agent, cron_id)).toMatchObject({ schedule: "0 0 31 2 *", next_run_date });
});

describe("crons", () => {
  // @covers 10B.cron-search, 4B.POST /runs/crons/search, 4B.POST /runs/crons/count, 4B.DELETE /runs/crons/{cron_id}
  test("are found by their fields, counted without regard to enabled, and deleted", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    // At midnight, all of them are due on the same day.
    await agent.advance(DAY_MS - (Date.parse(agent.emulator.clock.read().now) % DAY_MS));
    const schedules = ["0 3 * * *", "0 1 * * *", "0 2 * * *"];
    for (const [index, schedule] of schedules.entries()) {
      const path = index === 2 ? `/threads/${thread_id}/runs/crons` : "/runs/crons";
      const assistant_id = index === 0 ? "counter" : "echo";
      await agent.call("POST", path, { assistant_id, schedule, enabled: index > 0, metadata: { team: "a", index } });
      await agent.advance(1000);
    }
    for (const [filter, found, count] of [
      [{}, [2, 1, 0], 3],
      [{ assistant_id: echoId }, [2, 1], 2],
      [{ thread_id }, [2], 1],
      [{ enabled: false }, [0], 3],
      [{ metadata: { team: "a", index: 1 } }, [1], 1],
      [{ sort_by: "next_run_date", sort_order: "asc" }, [1, 2, 0], 3],
      [{ sort_by: "end_time" }, [0, 1, 2], 3],
      [{ sort_order: "asc" }, [2, 1, 0], 3],
      [{ limit: 1, offset: 1 }, [1], 3],
    ] as const) {
      const { list } = await agent.call("POST", "/runs/crons/search", filter);
      const crons = list as unknown as { schedule: string }[];
      expect([filter, crons.map(({ schedule }) => schedules.indexOf(schedule))]).toEqual([filter, found]);
      const { sort_by, sort_order, limit, offset, ...countable } = filter as Record<string, unknown>;
      expect((await agent.call("POST", "/runs/crons/count", countable)).body).toBe(count);
    }
    const { headers, list } = await agent.call("POST", "/runs/crons/search", { limit: 2, select: ["cron_id"] });
    expect([headers.get("x-pagination-next"), headers.get("x-pagination-total")]).toEqual(["2", "3"]);
    expect(list.map((cron) => Object.keys(cron))).toEqual([["cron_id"], ["cron_id"]]);
    for (const body of [{ sort_by: "schedule" }, { limit: 0 }])
      expect((await agent.call("POST", "/runs/crons/search", body)).status).toBe(422);
    expect((await agent.call("GET", "/runs/crons")).status).toBe(405);
  });

  test("are deleted with their assistant, also those on threads, and with their deployment", async () => {
    const agent = await startAgent({ strict: true });
    const { assistant_id } = (await agent.call("POST", "/assistants", { graph_id: "echo" })).body;
    const { thread_id } = await agent.thread();
    const body = { assistant_id, schedule: "0 9 * * *" };
    const { cron_id } = await createCron(agent, body);
    await agent.call("POST", `/threads/${thread_id}/runs/crons`, body);
    await agent.call("PATCH", `/assistants/${assistant_id}`, { name: "other" });
    expect((await agent.call("POST", "/runs/crons/count", {})).body).toBe(2);
    await agent.call("DELETE", `/assistants/${assistant_id}`);
    expect((await agent.call("GET", `/runs/crons/${cron_id}`)).status).toBe(404);
    expect((await agent.call("POST", "/runs/crons/count", {})).body).toBe(0);
    await createCron(agent, { assistant_id: "echo", schedule: "0 9 * * *" });
    await agent.admin("DELETE", `/deployments/${agent.deploymentId}`);
    const { removed } = (await agent.admin("POST", "/reset")).body as unknown as { removed: Record<string, number> };
    expect([removed.crons, removed.assistants]).toEqual([0, 0]);
  });

  // @covers 2B.Cron.user_id
  test("belong to who created them under custom authentication, as do their runs", async () => {
    const agent = await startAtFullMinute({ strict: true, agentAuth: "custom" });
    const as = (user: string) => (method: string, path: string, body?: unknown) =>
      agent.call(method, path, body, { authorization: `Bearer ${user}` });
    const body = { assistant_id: "echo", schedule: "* * * * *", input: {}, on_run_completed: "keep" };
    const cron = (await as("ann")("POST", "/runs/crons", body)).body as unknown as { cron_id: string };
    expect(cron).toMatchObject({ user_id: "ann", metadata: { agentgraph_auth_user_id: "ann" } });
    expect((await as("bob")("GET", `/runs/crons/${cron.cron_id}`)).status).toBe(404);
    expect((await as("bob")("POST", "/runs/crons/search", {})).list).toEqual([]);
    await agent.advance(70_000);
    expect((await as("ann")("POST", "/threads/search", {})).list).toHaveLength(1);
    expect((await as("bob")("POST", "/threads/search", {})).list).toEqual([]);
  });
});
