/** The wait for an export: its status, its errors, and what the next `up` does. */
import { failureOf } from "../../../support/errors";
import { startExport, startWorkspace, type Workspace } from "../../../support/exports/exports";
import { stateOf } from "../../../support/stack";

const waited = { waitFor: "completed" };

/** Returns a stack with an export whose runs all fail with this error, 21 times each. */
async function failing(error: string): Promise<{ ws: Workspace; stack: ReturnType<Workspace["stack"]> }> {
  const ws = await startWorkspace({}, { export_run: { error }, times: 63 });
  return { ws, stack: ws.stack("BulkExport") };
}

describe("an export that fails", () => {
  // @covers 3.item 4
  it("stays in state, and the error shows the cause once for all days", async () => {
    const { ws, stack } = await failing("AccessDenied: the key may not write");
    const error = await failureOf(stack.up(ws.oneTime(waited)));
    const { id, failed, outputs } = stateOf(stack);
    expect([failed, outputs.status, (await ws.exports()).map((remote) => remote.id)]).toEqual([true, "FAILED", [id]]);
    expect(error.message).toMatch(
      new RegExp(`: Export ${id} ended FAILED after \\d+ (s|min \\d+ s), 0 of 3 days, 0 rows, 0 files\\.\n`),
    );
    expect(error.message).toMatch(/2026-01-01 and 2 more \(20 retries\): AccessDenied: the key may not write/);
    expect(error.message).toContain("creates a new one");
  });

  it("is replaced by the next up without a difference, with the reason", async () => {
    const { ws, stack } = await failing("the bucket is gone");
    await expect(stack.up(ws.oneTime(waited))).rejects.toThrow("ended FAILED after");
    const { id } = stateOf(stack);
    stack.messages = [];
    expect(await stack.up(ws.oneTime(waited))).toBe("replace");
    expect(stack.messages[0]).toBe("info: restarts the export; it ended FAILED");
    expect(stateOf(stack)).toMatchObject({ failed: false, outputs: { status: "COMPLETED" } });
    expect(stateOf(stack).id).not.toBe(id);
  });

  it("is replaced after a refresh detects the failure, which is not drift", async () => {
    const { ws, stack } = await failing("the bucket is gone");
    await stack.up(ws.oneTime());
    await ws.advance(20 * 60_000);
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).outputs.status).toBe("FAILED");
    expect(await stack.up(ws.oneTime())).toBe("replace");
  });

  /** Returns the lines of the error that name causes, when the server returns these runs. */
  async function causesOf(runs: object[]): Promise<string[]> {
    const { ws, stack } = await failing("the bucket is gone");
    const body = runs.map((run, index) => ({ id: `r${index}`, bulk_export_id: "x", status: "FAILED", ...run }));
    await ws.addFault({ path: "/api/v1/bulk-exports/*/runs", status: 200, body, times: 99 } as never);
    const { message } = await failureOf(stack.up(ws.oneTime(waited)));
    return message.split("\n").filter((line) => line.startsWith("  "));
  }
  const day = (number: number) => ({ metadata: { start_time: `2026-01-0${number}T00:00:00` } });

  it("shows five causes and counts the others", async () => {
    const runs = [1, 2, 3, 4, 5, 6, 7].map((number) => ({ ...day(number), errors: { retry_0: `cause ${number}` } }));
    const lines = [1, 2, 3, 4, 5].map((number) => `  2026-01-0${number}: cause ${number}`);
    expect(await causesOf(runs)).toEqual([...lines, "  and 2 other causes"]);
    expect(await causesOf(runs.slice(0, 5))).toEqual(lines);
  });

  it("shows the last error of each failed run, its retries, and what the server has for a text", async () => {
    expect(
      await causesOf([
        { ...day(1), retry_number: 10, errors: { retry_9: "earlier", retry_10: "last", retry_0: "first" } },
        { status: "COMPLETED", ...day(2), errors: { retry_0: "recovered" } },
        { ...day(3), errors: {} },
        { ...day(4), errors: { retry_0: null } },
        { metadata: null, errors: { retry_0: { code: 5 } } },
        { ...day(5), errors: { retry_0: "last" } },
        { metadata: { start_time: null }, errors: { cause: "denied" } },
      ]),
    ).toEqual(["  2026-01-01 and 1 more (10 retries): last", '  run r4: {"code":5}', "  run r6: denied"]);
  });
});

it("an export reports its progress by days, and one of all experiments by days of projects", async () => {
  const ws = await startWorkspace();
  const metadata = { result: { rows_written: 5, exported_files: ["a", "b"] } };
  const runs = [
    { status: "COMPLETED", metadata },
    { status: "RUNNING" },
    { status: "RUNNING", metadata: { result: {} } },
  ];
  const body = runs.map((run, index) => ({ id: `r${index}`, bulk_export_id: "x", ...run }));
  await ws.addFault({ path: "/api/v1/bulk-exports/*/runs", status: 200, body, times: 99 } as never);
  for (const [unit, change] of [
    ["days", {}],
    ["days of projects", { sessionId: undefined, allExperiments: true }],
  ] as const) {
    const stack = ws.stack("BulkExport", { name: unit });
    await ws.advance(7000);
    await stack.up(ws.oneTime({ ...waited, ...change }));
    expect(stack.messages.at(-1)).toMatch(
      new RegExp(`^progress: COMPLETED, 1 of 3 ${unit}, 5 rows, 2 files, (\\d|[1-5]\\d) s$`),
    );
    expect(stateOf(stack).outputs).toMatchObject({ rowsWritten: 5, filesWritten: 2 });
  }
});

// @covers 3.item 4
it("an export that another client cancels fails the wait, and the next up starts another one", async () => {
  const { ws, stack } = await startExport("BulkExport", { faults: [{ export_run: { stalls: true }, times: 3 }] });
  ws.duringNextWait(async () => {
    const [remote] = await ws.exports();
    await ws.callTracingApi("PATCH", `bulk-exports/${remote?.id}`, { status: "Cancelled" });
  });
  await expect(stack.up(ws.oneTime(waited))).rejects.toThrow(/ended CANCELLED.*\n.*Someone canceled it/s);
  expect(stateOf(stack).outputs.status).toBe("CANCELLED");
  await ws.emulator.faults.clear();
  expect(await stack.up(ws.oneTime(waited))).toBe("replace");
});

// @covers 8.Export runtime
it("an export of more than 72 hours fails the wait with how to shorten it", async () => {
  const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 1000 });
  const stack = ws.stack("BulkExport", { timeouts: { create: "80h" } });
  ws.duringNextWait(() => ws.advance(72 * 3_600_000));
  await expect(stack.up(ws.oneTime(waited))).rejects.toThrow(/ended TIMEDOUT.*72 hours.*inputs and outputs/s);
  expect(stateOf(stack).outputs.status).toBe("TIMEDOUT");
});

describe("a wait for an export that times out", () => {
  const stalled = async (timeouts = {}) => {
    const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 3 });
    return { ws, stack: ws.stack("BulkExport", { timeouts }) };
  };

  it("takes 75 minutes and keeps the export, and the next up keeps waiting", async () => {
    const { ws, stack } = await stalled();
    const begin = ws.clock.now();
    const error = await failureOf(stack.up(ws.oneTime(waited)));
    expect(Math.round((ws.clock.now() - begin) / 60_000)).toBe(75);
    expect(error.message).toMatch(/75 min.*RUNNING, 0 of 3 days.*customTimeouts/s);
    expect(stateOf(stack)).toMatchObject({ failed: true, outputs: { status: "RUNNING" } });
    const { id } = stateOf(stack);
    await ws.emulator.faults.clear();
    expect(await stack.fork().host().diff(id, stateOf(stack).outputs, stateOf(stack).inputs)).toEqual({
      changes: false,
    });
    await ws.advance(4 * 3_600_000);
    expect(await stack.up(ws.oneTime(waited))).toBe("update");
    expect(stateOf(stack)).toMatchObject({ id, failed: false, outputs: { status: "COMPLETED" } });
    expect(await ws.exports()).toHaveLength(1);
  });

  it("polls every ten seconds, then after a tenth of the elapsed time, and lists runs less often", async () => {
    const { ws, stack } = await stalled();
    await failureOf(stack.up(ws.oneTime(waited)));
    const timesOf = (path: string) =>
      ws.emulator.requestLog.entries({ method: "GET", path }).map(({ time }) => Date.parse(time));
    const all = "/api/v1/bulk-exports/*";
    const [polls, lists] = [timesOf(all).sort(), timesOf(`${all}/runs`).sort()];
    const [begin = 0] = polls;
    for (const [index, time] of polls.slice(0, -2).entries()) {
      const [elapsed, pause] = [time - begin, (polls[index + 1] ?? 0) - time];
      if (elapsed < 100_000) expect(pause).toBeLessThanOrEqual(10_000);
      else expect(Math.abs(pause - Math.min(elapsed / 10, 60_000))).toBeLessThanOrEqual(1);
    }
    const pauses = lists.slice(1).map((time, index) => time - (lists[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(15_000);
    expect(lists.length).toBeGreaterThan(70);
  });

  it("takes as long as customTimeouts", async () => {
    const { ws, stack } = await stalled({ create: "7m" });
    const begin = ws.clock.now();
    await expect(stack.up(ws.oneTime(waited))).rejects.toThrow("Gave up after 7 min 0 s waiting");
    expect(Math.round((ws.clock.now() - begin) / 60_000)).toBe(7);
    expect(stack.messages.join("\n")).toMatch(
      /RUNNING, 0 of 3 days, 0 rows, 0 files, 6\d s \(press Ctrl-C twice to stop waiting: the export keeps running/,
    );
  });

  it("ends without a request when the run is canceled", async () => {
    const { ws, stack } = await stalled({ create: "1m" });
    await expect(stack.up(ws.oneTime(waited))).rejects.toThrow("Gave up after 60 s waiting");
    await ws.emulator.requestLog.clear();
    expect(await stack.up(ws.oneTime())).toBe("update");
    expect(ws.requests()).toEqual([]);
    expect(stateOf(stack).failed).toBe(false);
  });
});

it("an unavailable list of runs does not fail the wait, and a later refresh adds the totals", async () => {
  const { ws, stack } = await startExport("BulkExport");
  await ws.addFault({ method: "GET", path: "/api/v1/bulk-exports/*/runs", status: 503, times: 6 });
  await stack.up(ws.oneTime(waited));
  expect(stack.messages.at(-1)).toMatch(/^progress: COMPLETED, \d+ s$/);
  expect(stateOf(stack).outputs).toMatchObject({ status: "COMPLETED" });
  expect(stateOf(stack).outputs.rowsWritten).toBeUndefined();
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).outputs).toMatchObject({ rowsWritten: 72, filesWritten: 3 });
});
