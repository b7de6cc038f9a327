/** Rejected exports: the error adds the filter, the plan or the version. */
import type { EmulatorOptions } from "../../../../emulator/src";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { failureOf, withoutRequestId } from "../../../support/errors";
import { destination } from "../../../support/exports/destinations";
import { startExport, startWorkspace, type Workspace } from "../../../support/exports/exports";
import { tracingSettings } from "../../../support/exports/tracing";
import { startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";

const rejectionOf = async (ws: Workspace, change: PropertyMap) =>
  withoutRequestId((await failureOf(ws.stack("BulkExport").up(ws.oneTime(change)))).message);

// @covers 2C.Export job.filter
it("a rejected filter is shown with its lines in the error", async () => {
  const ws = await startWorkspace();
  const lines = (await rejectionOf(ws, { filter: 'and(\n  eq(is_root, true),\n  eq(colour, "red")\n)' })).split("\n");
  expect(lines.slice(-6)).toEqual([
    "filter:",
    "  and(",
    "    eq(is_root, true),",
    '    eq(colour, "red")',
    "  )",
    "Nothing was created.",
  ]);
  expect(await ws.exports()).toEqual([]);
});

describe("the filter in an error", () => {
  const FILTER = "eq(x)";
  // @covers 7:exports
  it.each<[string, number, string, PropertyMap]>([
    ["no filter is declared", 400, "filter: syntax error at position 3", {}],
    ["the message does not name it", 400, "syntax error at position 3", { filter: FILTER }],
    ["the status is not one of a rejected value", 404, "filter: syntax error at position 3", { filter: FILTER }],
    ["nothing in the message is about a version", 400, "exportFields: at most 5", { exportFields: ["id"] }],
    ["the field of a later version is not declared", 400, "exportFields is not supported", {}],
    ["the message names no field of a later version", 400, "format is not supported", { exportFields: ["id"] }],
  ])("and hints are omitted if %s", async (_what, status, detail, change) => {
    const ws = await startWorkspace({}, { method: "POST", status, body: { detail } });
    expect((await rejectionOf(ws, change)).endsWith(`: ${status}: ${detail}`)).toBe(true);
  });
});

// @covers 10C.plan
it.each(["Invalid API key", "The bearer token has expired", "Credentials are missing"])(
  "an export whose credential is rejected (%s) says nothing of the plan",
  async (detail) => {
    const ws = await startWorkspace({}, { method: "POST", status: 403, body: { detail } });
    const message = await rejectionOf(ws, {});
    expect(message).toContain(`: 403: ${detail}\nThe API key may be wrong or expired`);
    expect(message).not.toContain("Enterprise plan, or the Plus");
  },
);

// @covers 1C:plan
it.each(["BulkExport", "ScheduledBulkExport", "BulkExportDestination"])(
  "a %s on a plan without exports fails with the plans that include them",
  async (kind) => {
    const platform = await startPlatform({ plan: "developer" });
    const times = kind === "BulkExport" ? { endTime: "2026-01-02T00:00:00Z" } : { intervalHours: 1 };
    const exported = { allExperiments: true, startTime: "2026-01-01T00:00:00Z", ...times };
    const target = { bulkExportDestinationId: "99999999-9999-4999-8999-999999999999" };
    const declared = kind === "BulkExportDestination" ? destination(platform) : { ...target, ...exported };
    const stack = new Stack(platform, { kind, name: "traces", config: tracingSettings(platform) });
    await expect(stack.up(declared)).rejects.toThrow(/403: .*Enterprise plan, or the Plus/s);
  },
);

describe("a server that is too old leads to an error with the required version for", () => {
  const old = (appVersion: string): EmulatorOptions => ({ edition: "self-hosted", appVersion });
  const cases = [
    ["schedules", "0.10.108", "ScheduledBulkExport", {}, /0\.10\.109.*chart version 0\.10\.42/s],
    ["exportFields", "0.12.41", "BulkExport", { exportFields: ["id"] }, /0\.12\.42.*chart version 0\.12\.11/s],
    ["allExperiments", "0.15.0", "BulkExport", { sessionId: undefined, allExperiments: true }, /0\.16\.1rc1/],
  ] as const;
  // @covers 9.item 3
  it.each(cases)("%s", async (_what, version, kind, change, expected) => {
    const ws = await startWorkspace(old(version));
    const declared = kind === "BulkExport" ? ws.oneTime(change) : ws.daily(change);
    const { message } = await failureOf(ws.stack(kind).up(declared));
    expect(message).toMatch(expected);
    expect(message).toContain("On a self-hosted installation");
    expect(await ws.exports()).toEqual([]);
  });

  // @covers 9.item 3, 10C.features
  it("schedules, when the server requires an end time", async () => {
    const ws = await startWorkspace();
    const detail = [{ loc: ["body", "end_time"], msg: "Field required", type: "missing" }];
    await ws.addFault({ method: "POST", path: "/api/v1/bulk-exports", status: 422, body: { detail } });
    await expect(ws.stack("ScheduledBulkExport").up(ws.daily())).rejects.toThrow(
      /endTime: Field required.*application 0\.10\.109/s,
    );
  });
});

// @covers 9.item 3, 10C.ignored-fields
it("a server that ignores inputs causes a warning and no restart", async () => {
  const { ws, stack } = await startExport("BulkExport");
  const declared = ws.oneTime({ exportFields: ["id"], filter: "eq(is_root, true)" });
  const body = { id: "x", export_fields: null, filter: null, format_version: "v1" };
  await ws.addFault({ method: "POST", path: "/api/v1/bulk-exports", status: 200, act: true, body });
  await stack.up(declared);
  expect(stack.messages).toContainEqual(expect.stringMatching(/^warn: filter, exportFields: .*ignores.*0\.12\.42/));
});
