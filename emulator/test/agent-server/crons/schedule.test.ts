import { limits } from "../../../src/runtime/limits";
import { startAgent } from "../../support/agent-server";
import { createCron, getCron } from "./crons";

/** A Monday. The clock only moves forward, so these dates are far in the future. */
const start = Date.parse("2085-01-01T10:00:30Z");

async function startAt(at: number) {
  const agent = await startAgent();
  for (let rest = Number.POSITIVE_INFINITY; rest > 0; ) {
    rest = at - Date.parse(agent.emulator.clock.read().now);
    await agent.advance(Math.min(rest, limits.clock.maxAdvanceMs));
  }
  return agent;
}

// @covers 2B.Cron.schedule:form, 2B.Cron.schedule:more, 2B.Cron.schedule:refused
test("a schedule has five fields, names, special characters or an alias, and may end with a year", async () => {
  const agent = await startAt(start);
  for (const [schedule, next] of [
    ["0 9 * * *", "2085-01-02T09:00:00"],
    ["  */15 * * * *  ", "2085-01-01T10:15:00"],
    ["5/20 * * * *", "2085-01-01T10:05:00"],
    ["0 9 * * MON-FRI", "2085-01-02T09:00:00"],
    ["0 9 * FEB sun", "2085-02-04T09:00:00"],
    ["0 9 * * 7", "2085-01-07T09:00:00"],
    ["0 9 1,15 * 3", "2085-01-03T09:00:00"],
    ["0 9 L * *", "2085-01-31T09:00:00"],
    ["0 9 13W * *", "2085-01-12T09:00:00"],
    ["0 9 * * 5#3", "2085-01-19T09:00:00"],
    ["@daily", "2085-01-02T00:00:00"],
    ["@hourly", "2085-01-01T11:00:00"],
    ["0 9 * * * 30", "2085-01-02T09:00:30"],
    ["0 9 1 1 * 0 2087", "2087-01-01T09:00:00"],
  ] as const) {
    const { next_run_date } = await createCron(agent, { assistant_id: "echo", schedule });
    expect([schedule, next_run_date]).toEqual([schedule, `${next}+00:00`]);
  }
  const random = await createCron(agent, { assistant_id: "echo", schedule: "R 9 * * *" });
  expect(random.next_run_date).toMatch(/^2085-01-02T09:\d\d:00/);
  for (const schedule of ["@reboot", "@every 5m", "H 9 * * *", "0 9 * *", "60 9 * * *", "0 24 * * *", "", "text"]) {
    const { status } = await agent.call("POST", "/runs/crons", { assistant_id: "echo", schedule });
    expect([schedule, status]).toEqual([schedule, 422]);
  }
});

// @covers 2B.Cron.schedule:zone, 2B.Cron.schedule:zone-change
test("a time zone follows daylight saving, and another one moves the next time", async () => {
  const agent = await startAt(Date.parse("2085-03-24T12:00:00Z"));
  const schedule = "30 9 * * *";
  const { cron_id, next_run_date } = await createCron(agent, {
    assistant_id: "echo",
    schedule,
    timezone: "Europe/Berlin",
  });
  // Summer time begins on this day.
  expect(next_run_date).toBe("2085-03-25T07:30:00+00:00");
  for (const [change, next] of [
    [{ timezone: "US/Pacific" }, "2085-03-24T16:30:00"],
    [{ timezone: "UTC", schedule }, "2085-03-25T09:30:00"],
  ] as const) {
    await agent.call("PATCH", `/runs/crons/${cron_id}`, change);
    expect((await getCron(agent, cron_id)).next_run_date).toBe(`${next}+00:00`);
  }
});
