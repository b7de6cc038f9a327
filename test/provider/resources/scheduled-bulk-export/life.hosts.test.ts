/**
 * The life of a ScheduledBulkExport: create, update, cancellation by others, and destroy with or without its spawned
 * exports.
 */
import { definitions } from "../../../../provider/definitions";
import { type RemoteExport, startExport, startWorkspace, type Workspace } from "../../../support/exports/exports";
import { dynamicHostOnly, sampled, stateOf } from "../../../support/stack";

const ALL = "/api/v1/bulk-exports";
const [LIST, POST] = [`GET ${ALL}`, `POST ${ALL}`];
const [READ, CANCEL] = [`GET ${ALL}/{id}`, `PATCH ${ALL}/{id}`];

const listSpawned = async (ws: Workspace) => (await ws.exports()).filter((remote) => remote.source_bulk_export_id);

// @covers 2C.Export job.interval_hours, 4C.POST /api/v1/bulk-exports, 10C.schedule-rest
it("ScheduledBulkExport: a create sends one request between two list requests and does not wait", async () => {
  const { ws, stack } = await startExport("ScheduledBulkExport");
  expect(await stack.up(ws.daily())).toBe("create");
  expect(ws.requests()).toEqual([LIST, POST, LIST]);
  expect(stateOf(stack).outputs.status).toBe("INTERVALSCHEDULED");
  await ws.emulator.requestLog.clear();
  expect(await stack.up(ws.daily())).toBe("same");
  expect(ws.requests()).toEqual([]);
});

it("ScheduledBulkExport: passing windows and spawned exports are not drift", async () => {
  const { ws, stack } = await startExport("ScheduledBulkExport");
  const declared = ws.daily();
  await stack.up(declared);
  await ws.advance(3 * 24 * 3_600_000);
  expect((await listSpawned(ws)).length).toBeGreaterThanOrEqual(5);
  await ws.emulator.requestLog.clear();
  expect(await stack.refresh()).toBe("same");
  expect(ws.requests()).toEqual([READ]);
  expect(await stack.up(declared)).toBe("same");
});

/** Sorts the paths in a line: dynamic resources keep the order of the program, which protobuf does not. */
const withSortedPaths = (line: string) =>
  line.replace(/: ([\w, ]+)(;|$)/, (_, paths: string, end: string) => `: ${paths.split(", ").sort().join(", ")}${end}`);

it("ScheduledBulkExport: every change restarts it, and the preview counts the windows", async () => {
  const { ws, stack } = await startExport("ScheduledBulkExport");
  await stack.up(ws.daily());
  expect(await stack.up(ws.daily({ filter: "eq(is_root, true)" }))).toBe("replace");
  expect(stack.messages).toContain("info: restarts the export: filter; 2 past windows are exported again");
  const now = new Date(ws.clock.now()).toISOString();
  stack.messages = [];
  await stack.diff(ws.daily({ intervalHours: 40 }));
  await stack.diff(ws.daily({ startTime: now }));
  expect(stack.messages.map(withSortedPaths)).toEqual([
    "info: restarts the export: filter, intervalHours; 1 past window is exported again",
    "info: restarts the export: filter, startTime",
  ]);
});

it("ScheduledBulkExport: a create and a restart show how many past windows are exported", async () => {
  const { ws, stack } = await startExport("ScheduledBulkExport");
  await stack.up(ws.daily());
  expect(stack.messages).toEqual(["info: 2 past windows are exported"]);
  stack.messages = [];
  const declared = ws.daily({ startTime: new Date(ws.clock.now() - 80 * 3_600_000).toISOString(), format: "Parquet" });
  const host = stack.host();
  await stack.diff(declared, host);
  await stack.check(declared, host);
  expect(stack.messages).toEqual(["info: restarts the export: startTime, format; 3 past windows are exported"]);
});

it.each<[string, object, string | undefined]>([
  ["the windows that have passed", {}, "2 past windows are exported"],
  ["no windows while startTime is unknown", { startTime: undefined }, undefined],
  ["no windows while intervalHours is unknown", { intervalHours: undefined }, undefined],
  ["no windows for an interval of 0", { intervalHours: 0 }, undefined],
  ["no windows for a negative interval", { intervalHours: -1 }, undefined],
  ["no windows for an interval of part of an hour", { intervalHours: 1.5 }, undefined],
  ["no windows for an interval in quotes", { intervalHours: "24" }, undefined],
])("ScheduledBulkExport: the preview of a create shows %s", async (_what, change, expected) => {
  const { impact } = definitions.find(({ kind }) => kind === "ScheduledBulkExport") ?? {};
  const inputs = { startTime: "2026-03-01T00:00:00Z", intervalHours: 24, ...change };
  expect(impact?.onCreate?.({ previous: {}, inputs, now: Date.parse("2026-03-03T12:00:00Z") })).toBe(expected);
});

describe("a ScheduledBulkExport that ended", () => {
  /** Returns the stack of a schedule that ended with a status. */
  async function ended(status: string) {
    const { ws, stack } = await startExport("ScheduledBulkExport");
    const declared = ws.daily();
    const { id } = await stack.stateAfter(declared);
    if (status === "CANCELLED") await ws.callTracingApi("PATCH", `bulk-exports/${id}`, { status: "Cancelled" });
    else await ws.call("PATCH", `/_emulator/exports/${id}`, { status });
    stack.messages = [];
    return { ws, stack, id, declared };
  }
  const statuses = sampled(["CANCELLED", "FAILED", "TIMEDOUT", "COMPLETED"]);

  it.each(statuses)("as %s leaves state in a refresh, with a warning", async (status) => {
    const { ws, stack, id, declared } = await ended(status);
    expect(await stack.refresh()).toBe("gone");
    expect(stack.messages).toEqual([
      `warn: Schedule ${id} ended ${status} on the server and no longer exports. The next \`pulumi up\` ` +
        "creates it again.",
    ]);
    expect(await stack.up(declared)).toBe("create");
    expect(stateOf(stack)).toMatchObject({ outputs: { status: "INTERVALSCHEDULED" } });
    expect(
      (await ws.exports()).filter(({ status: word }) => word === "IntervalScheduled" || word === "INTERVALSCHEDULED"),
    ).toHaveLength(1);
  });

  it.each(statuses)("as %s is replaced where an older version stored it", async (status) => {
    const { stack, declared } = await ended(status);
    stateOf(stack).outputs.status = status;
    expect(await stack.up(declared)).toBe("replace");
    expect(stack.messages[0]).toBe(`info: restarts the export; it ended ${status}; 2 past windows are exported again`);
  });

  dynamicHostOnly(it).each(statuses)("as %s is not imported, and the error shows the reason", async (status) => {
    const { ws, id, declared } = await ended(status);
    const stack = ws.stack("ScheduledBulkExport", { name: "other" });
    await expect(stack.up(declared, stack.host(), { __import: id })).rejects.toThrow(
      `import: schedule ${id} ended ${status} and no longer exports.`,
    );
  });

  it("is destroyed without a request to cancel it", async () => {
    const { ws, stack } = await ended("FAILED");
    await ws.emulator.requestLog.clear();
    await stack.destroy();
    expect(ws.requests()).toEqual([READ]);
  });
});

describe("a destroy of a ScheduledBulkExport", () => {
  /** Returns a schedule with a running export. */
  async function startSchedule(options = {}) {
    const { ws, stack } = await startExport("ScheduledBulkExport");
    await ws.addFault({ export_run: { stalls: true }, times: 1000 });
    await stack.up(ws.daily(options));
    await ws.advance(60_000);
    expect((await listSpawned(ws)).map(({ status }) => status)).toEqual(["RUNNING", "RUNNING"]);
    await ws.emulator.requestLog.clear();
    return { ws, stack };
  }

  // @covers 3.6
  it("cancels the schedule, and its spawned exports keep running", async () => {
    const { ws, stack } = await startSchedule();
    await stack.destroy();
    expect(ws.requests()).toEqual([READ, CANCEL]);
    expect((await listSpawned(ws)).map(({ status }) => status)).toEqual(["RUNNING", "RUNNING"]);
    expect((await ws.exports()).at(-1)?.status).toBe("CANCELLED");
  });

  // @covers 2C.Export job:source, 3.6
  it("with cancelSpawned cancels its spawned exports as well, but no other schedules or exports", async () => {
    const { ws, stack } = await startSchedule({ cancelSpawned: true });
    const { id } = stateOf(stack);
    await ws.stack("ScheduledBulkExport", { name: "other" }).up(ws.daily({ allowDuplicate: true }));
    await ws.stack("BulkExport").up(ws.oneTime());
    await ws.advance(60_000);
    const before = await ws.exports();
    // A server may write an ID in another way.
    const body = JSON.parse(JSON.stringify(before).replaceAll(`"${id}"`, `"${id.toUpperCase()}"`));
    await ws.addFault({ method: "GET", path: "/api/v1/bulk-exports", status: 200, body });
    await ws.emulator.requestLog.clear();
    await stack.destroy();
    expect(ws.requests()).toEqual([READ, CANCEL, LIST, CANCEL, CANCEL]);
    expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([]);
    const isOf = ({ id: own, source_bulk_export_id: source }: RemoteExport) => own === id || source === id;
    const after = await ws.exports();
    expect(after.filter(isOf).map(({ status }) => status)).toEqual(Array(3).fill("CANCELLED"));
    const others = after.filter((one) => !isOf(one));
    expect(others).toEqual(before.filter((one) => !isOf(one)));
    expect(others.map(({ status }) => status)).toEqual([...Array(3).fill("RUNNING"), "INTERVALSCHEDULED"]);
  });

  it("that failed halfway cancels the remaining exports when it is repeated", async () => {
    const { ws, stack } = await startSchedule({ cancelSpawned: true });
    await ws.addFault({ method: "PATCH", status: 500, skip: 1 });
    await expect(stack.destroy()).rejects.toThrow("500");
    await stack.destroy();
    expect((await ws.exports()).map(({ status }) => status)).toEqual(["CANCELLED", "CANCELLED", "CANCELLED"]);
  });

  it("cancels the exports of a schedule that others canceled", async () => {
    const { ws, stack } = await startSchedule({ cancelSpawned: true });
    await ws.callTracingApi("PATCH", `bulk-exports/${stateOf(stack).id}`, { status: "Cancelled" });
    await ws.emulator.requestLog.clear();
    await stack.destroy();
    expect(ws.requests()).toEqual([READ, LIST, CANCEL, CANCEL]);
  });
});

it("ScheduledBulkExport: a preview shows when the past windows exceed the hourly quota of the cloud", async () => {
  const ws = await startWorkspace();
  const shownFor = async (windows: number) => {
    const stack = ws.stack("ScheduledBulkExport");
    await stack.check(
      ws.daily({ startTime: new Date(ws.clock.now() - (windows + 0.5) * 3_600_000).toISOString(), intervalHours: 1 }),
    );
    return stack.messages;
  };
  expect(await shownFor(249)).toEqual(["info: 249 past windows are exported"]);
  expect(await shownFor(250)).toEqual([
    "info: 250 past windows are exported",
    expect.stringMatching(/^warn: startTime: is long ago: .* 250 exports per workspace and hour/),
  ]);
});
