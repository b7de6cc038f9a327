/** The two quotas that lead to a 429: the provider waits for the hourly one, and fails immediately for the other. */
import { quotaUsage } from "../../../../provider/resources/exports/quota";
import { startWorkspace, type Workspace } from "../../../support/exports/exports";
import { stateOf } from "../../../support/stack";

/** Creates exports of other users: one-time exports, or schedules whose first window is in the future. */
async function createMany(ws: Workspace, count: number, kind: "one-time" | "schedule"): Promise<void> {
  const projectFilter = { bulk_export_destination_id: ws.destinationId, session_id: ws.sessionId };
  const times =
    kind === "schedule"
      ? { start_time: "2100-01-01T00:00:00Z", interval_hours: 24 }
      : { start_time: "2025-01-01T00:00:00Z", end_time: "2025-01-02T00:00:00Z" };
  for (let created = 0; created < count; created++) {
    expect(await ws.callTracingApi("POST", "bulk-exports", { ...projectFilter, ...times })).toMatchObject({
      status: 200,
    });
  }
  await ws.emulator.requestLog.clear();
}

const posts = (ws: Workspace) => ws.emulator.requestLog.entries({ method: "POST" }).map(({ status }) => status);

describe("a quota of 250 creations in an hour", () => {
  // @covers 7.429, 8.Export creations (cloud)
  it("delays the next export until the first one is an hour old, with the time in the status", async () => {
    const ws = await startWorkspace();
    await createMany(ws, 249, "one-time");
    await ws.advance(20 * 60_000);
    await createMany(ws, 1, "one-time");
    const stack = ws.stack("BulkExport");
    const begin = ws.clock.now();
    expect(await stack.up(ws.oneTime())).toBe("create");
    const waited = (ws.clock.now() - begin) / 60_000;
    expect(waited).toBeGreaterThan(39);
    expect(waited).toBeLessThan(42);
    expect(posts(ws)).toEqual([429, 200]);
    const again = new Date(begin + 40 * 60_000).toISOString().slice(11, 16);
    expect(stack.messages[0]).toContain(`retrying at ${again}`);
    expect(stack.messages[0]).toContain("250 exports per workspace per rolling hour");
  });

  // @covers 7.429
  it("fails an export whose timeout is shorter, also delays a schedule, and the next up creates it", async () => {
    const ws = await startWorkspace();
    await createMany(ws, 250, "one-time");
    const stack = ws.stack("BulkExport", { timeouts: { create: "10m" } });
    await expect(stack.up(ws.oneTime())).rejects.toThrow(
      new RegExp(
        String.raw`10 min 0 s waiting for the quota of export creations to clear\..*250 exports.*\nNothing was ` +
          String.raw`created\. Run \x60pulumi up\x60 again later, or set customTimeouts\.create to wait longer\.$`,
        "s",
      ),
    );
    expect([stack.state, (await ws.exports()).length]).toEqual([undefined, 250]);
    await ws.emulator.requestLog.clear();
    const schedule = ws.stack("ScheduledBulkExport");
    await schedule.up(ws.daily());
    expect([posts(ws), stateOf(schedule).outputs.status]).toEqual([[429, 200], "INTERVALSCHEDULED"]);
    expect(await stack.up(ws.oneTime())).toBe("create");
  });
});

describe("a 429 of a create", () => {
  const full = { method: "POST", path: "/api/v1/bulk-exports", status: 429, body: { detail: "too many" } };

  it("with a short Retry-After is retried then, without a list request in between", async () => {
    const ws = await startWorkspace({}, { ...full, headers: { "retry-after": "1800" }, times: 2 });
    const begin = ws.clock.now();
    await ws.stack("BulkExport").up(ws.oneTime());
    expect(Math.round((ws.clock.now() - begin) / 60_000)).toBe(60);
    expect(ws.requests().map((line) => line.split(" ")[0])).toEqual(["GET", "POST", "POST", "POST", "GET"]);
  });

  it("is retried when the oldest of the last 250 exports is an hour old, in any order of the list", async () => {
    const ws = await startWorkspace();
    const created = (minutesAgo: number) => new Date(ws.clock.now() - minutesAgo * 60_000).toISOString();
    const ages = [90, ...Array.from({ length: 250 }, (_, index) => 50 - index / 5)];
    const body = ages.map((age) => ({ id: `of-${age}`, status: "COMPLETED", created_at: created(age) }));
    await ws.addFault({ method: "GET", path: "/api/v1/bulk-exports", status: 200, body, times: 2 });
    await ws.addFault(full);
    const begin = ws.clock.now();
    await ws.stack("BulkExport").up(ws.oneTime());
    expect(Math.round((ws.clock.now() - begin) / 60_000)).toBe(10);
  });

  it("does not delay other requests", async () => {
    const ws = await startWorkspace();
    const other = ws.stack("BulkExport", { name: "other" });
    await other.up(ws.oneTime({ filter: "eq(is_root, true)" }));
    await ws.addFault({ ...full, headers: { "retry-after": "3600" } });
    const stack = ws.stack("BulkExport");
    const host = stack.host();
    let at: number | undefined;
    ws.duringNextWait(async () => {
      await other.refresh();
      at = ws.clock.now();
    });
    const begin = ws.clock.now();
    await stack.up(ws.oneTime(), host);
    expect(at).toBe(begin);
  });

  it("is retried after one, two and four minutes when the list shows neither quota as exceeded", async () => {
    const ws = await startWorkspace({}, { ...full, times: 3 });
    const begin = ws.clock.now();
    const stack = ws.stack("BulkExport");
    await stack.up(ws.oneTime());
    expect(Math.round((ws.clock.now() - begin) / 60_000)).toBe(1 + 2 + 4);
    expect(stack.messages.at(-1)).toContain("to stop waiting: nothing was created yet)");
  });

  it("with a Retry-After of centuries is retried in an hour", async () => {
    const ws = await startWorkspace({}, { ...full, headers: { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" } });
    const begin = ws.clock.now();
    await ws.stack("BulkExport").up(ws.oneTime());
    expect(ws.clock.now() - begin).toBeLessThanOrEqual(3_600_000);
  });

  it("is retried for 75 minutes with few requests when its Retry-After is negative", async () => {
    const ws = await startWorkspace({}, { ...full, headers: { "retry-after": "-5" }, times: 1000 });
    const begin = ws.clock.now();
    await expect(ws.stack("BulkExport").up(ws.oneTime())).rejects.toThrow("Gave up after 75 min 0 s waiting");
    expect(Math.round((ws.clock.now() - begin) / 60_000)).toBe(75);
    expect(posts(ws)).toHaveLength(11);
  });

  // @covers 7.429:untold
  it("of a schedule fails immediately with both quotas when the server cannot list exports", async () => {
    const ws = await startWorkspace({ without: ["export-list"] }, full);
    const begin = ws.clock.now();
    await expect(ws.stack("ScheduledBulkExport").up(ws.daily())).rejects.toThrow(
      new RegExp(
        String.raw`\nThe workspace exceeded one of two quotas, and this server cannot report which: 250 exports ` +
          String.raw`per workspace per rolling hour, .*200 active schedules\.\nNothing was created\. For the first ` +
          String.raw`quota, run \x60pulumi up\x60 again in an hour; for the second, destroy a schedule first\.$`,
        "s",
      ),
    );
    // One retry after a second: a single 405 does not prove that there is no list.
    expect(ws.clock.now() - begin).toBeLessThanOrEqual(2000);
  });

  // @covers 7.429:untold
  it("of a one-time export is retried when the server cannot list exports", async () => {
    const ws = await startWorkspace({ without: ["export-list"] }, full);
    expect(await ws.stack("BulkExport").up(ws.oneTime())).toBe("create");
  });
});

// @covers 7.429 (again), 8.Scheduled exports (cloud), 10C.quota
it("200 active schedules fail the next schedule with count, limit and remedy, but not an export", async () => {
  const ws = await startWorkspace();
  await createMany(ws, 200, "schedule");
  const stack = ws.stack("ScheduledBulkExport");
  const begin = ws.clock.now();
  await expect(stack.up(ws.daily())).rejects.toThrow(
    new RegExp(
      String.raw`\nThe workspace has 200 active schedules; the limit is 200, and waiting does not ` +
        String.raw`help\.\nNothing was created\. Destroy or cancel a schedule that is no longer needed and run ` +
        String.raw`\x60pulumi up\x60 again\. One-time exports do not count\.$`,
      "s",
    ),
  );
  expect([ws.clock.now(), posts(ws)]).toEqual([begin, [429]]);
  expect(await ws.stack("BulkExport").up(ws.oneTime())).toBe("create");
  const [{ id } = { id: "" }] = (await ws.exports()).slice(-1);
  await ws.callTracingApi("PATCH", `bulk-exports/${id}`, { status: "Cancelled" });
  expect(await stack.up(ws.daily())).toBe("create");
});

it("quotaUsage counts active schedules and the creations of the last hour", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const created = (minutesAgo: number) => ({ createdAt: new Date(now - minutesAgo * 60_000).toISOString() });
  const exports = [
    { id: "schedule", intervalHours: 24, status: "INTERVALSCHEDULED", ...created(61) },
    { id: "ended", intervalHours: 24, status: "CANCELLED", ...created(59) },
    { id: "spawned", intervalHours: 24, sourceBulkExportId: "schedule", status: "RUNNING", ...created(10) },
    { id: "one-time", status: "RUNNING", ...created(90) },
    { id: "undated" },
  ];
  expect(quotaUsage(exports, now)).toEqual({ schedules: 1, creations: 2 });
});
