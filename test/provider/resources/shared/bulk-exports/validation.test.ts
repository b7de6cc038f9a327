/** What a preview says of exports: what fails, what only warns, and what a change costs. No key and no network. */
import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { TestClock } from "../../../../support/clock";
import { type Refused, Stack } from "../../../../support/stack";

const offline = (kind: string) => new Stack({ clock: new TestClock(), url: "https://tracing.example" }, { kind });

const [destination, project] = ["44444444-4444-4444-8444-444444444444", "55555555-5555-4555-8555-555555555555"];
const aim = { bulkExportDestinationId: destination, sessionId: project, startTime: "2026-01-01T00:00:00Z" };
const oneTime = (change: PropertyMap = {}) => ({ ...aim, endTime: "2026-01-02T00:00:00Z", ...change });
const daily = (change: PropertyMap = {}) => ({ ...aim, intervalHours: 24, ...change });
const without = (bag: PropertyMap, ...keys: string[]) =>
  Object.fromEntries(Object.entries(bag).filter(([key]) => !keys.includes(key)));

const failures = async (kind: string, declared: PropertyMap): Promise<[string, string][]> => {
  const refused = await offline(kind)
    .check(declared)
    .catch((error: Refused) => error);
  return (
    (refused as Refused).failures?.map(({ property, reason }) => [property || String(reason.split(" ")[0]), reason]) ??
    []
  );
};

const kinds = [
  ["BulkExport", oneTime],
  ["ScheduledBulkExport", daily],
] as const;

describe.each(kinds)("%s fails", (kind, declared) => {
  // @covers 2C.Export job.session_id, 2C.Export job.all_experiments, 4C.1
  it.each([
    ["without anything to export", without(declared(), "sessionId"), "sessionId", /is missing.*allExperiments: true/],
    [
      "with allExperiments: false alone",
      { ...without(declared(), "sessionId"), allExperiments: false },
      "sessionId",
      /missing/,
    ],
    ["with a project and all experiments", declared({ allExperiments: true }), "allExperiments", /excludes sessionId/],
    ["without a destination", without(declared(), "bulkExportDestinationId"), "bulkExportDestinationId", /required/],
    ["with a day for a time", declared({ startTime: "2026-01-01" }), "startTime", /write "2026-01-01T00:00:00Z"/],
    ["with a time without zone", declared({ startTime: "2026-01-01T08:00" }), "startTime", /write "2026-01-01T08:00Z"/],
    [
      "with a time that is none",
      declared({ startTime: "soon" }),
      "startTime",
      /is no point in time.*2026-01-31T00:00:00Z/,
    ],
    ["with no field to export", declared({ exportFields: [] }), "exportFields", /at least 1/],
  ])("%s", async (_what, inputs, property, reason) => {
    expect(await failures(kind, inputs)).toEqual([[property, expect.stringMatching(reason)]]);
  });

  // @covers 2C.Export job.all_experiments
  it("nowhere with allExperiments: false beside a project", async () => {
    expect(await failures(kind, declared({ allExperiments: false }))).toEqual([]);
  });
});

// @covers 2C.Export job.end_time
it.each([
  ["before its start", { endTime: "2025-12-31T00:00:00Z" }],
  ["at its start, since it is exclusive", { endTime: "2026-01-01T01:00:00+01:00" }],
])("an export that ends %s fails", async (_what, change) => {
  expect(await failures("BulkExport", oneTime(change))).toEqual([
    ["endTime", expect.stringContaining("must be after startTime")],
  ]);
});

// @covers 2C.Export job.end_time:kinds
it("an export without an end fails, and one with an interval is told which kind has one", async () => {
  expect(await failures("BulkExport", without(oneTime(), "endTime"))).toEqual([
    ["endTime", expect.stringContaining("required")],
  ]);
  expect(await failures("BulkExport", oneTime({ intervalHours: 24 }))).toEqual([
    ["intervalHours", expect.stringContaining("declare a ScheduledBulkExport")],
  ]);
});

// @covers 2C.Export job.interval_hours:bounds, 8.interval_hours
it.each([0, 169, 1.5, "24"])("a schedule of %p hours fails", async (intervalHours) => {
  expect(await failures("ScheduledBulkExport", daily({ intervalHours }))).toEqual([
    ["intervalHours", expect.any(String)],
  ]);
});

// @covers 2C.Export job.interval_hours:bounds, 8.interval_hours
it.each([1, 168])("a schedule of %p hours passes", async (intervalHours) => {
  expect(await failures("ScheduledBulkExport", daily({ intervalHours }))).toEqual([]);
});

// @covers 2C.Export job.end_time:kinds, 4C.2
it("a schedule with an end or a wait fails, and is told what to write instead", async () => {
  expect(
    await failures("ScheduledBulkExport", daily({ endTime: "2026-01-02T00:00:00Z", waitFor: "completed" })),
  ).toEqual([
    ["endTime", expect.stringMatching(/^endTime is not for a schedule.*BulkExport/)],
    ["waitFor", expect.stringMatching(/^waitFor is not for a schedule/)],
  ]);
});

describe("only a warning is", () => {
  // @covers 2C.Export job.export_fields
  it.each([
    [
      "a field that nobody knows",
      { exportFields: ["id", "run_typ", "colour"] },
      ['"run_typ" is not known; did you mean "run_type"?', '"colour" is not known.'],
    ],
    [
      "the camel case of a field",
      { exportFields: ["startTime"] },
      ['"startTime" is not known; did you mean "start_time"?'],
    ],
    ["a format", { format: "CSV" }, ['"CSV" is not known; known are Parquet.']],
    ["the case of a format", { format: "parquet" }, ['"parquet" is not known; did you mean "Parquet"?']],
    ["a version of the format", { formatVersion: "v9_alpha" }, ['"v9_alpha" is not known; known are v1, v2_beta.']],
    ["a project that is not a UUID", { sessionId: "p" }, ['"p" is not a UUID, as IDs of servers are.']],
    [
      "a destination that is not a UUID",
      { bulkExportDestinationId: "lake" },
      ['"lake" is not a UUID, as IDs of servers are.'],
    ],
    ["a compression", { compression: "zstandart" }, ['"zstandart" is not known; did you mean "zstandard"?']],
  ])("%s", async (_what, change, told) => {
    for (const [kind, declared] of kinds) {
      const stack = offline(kind);
      await stack.check(
        declared(change),
        stack.host({ tenantId: "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10", tracingApiUrl: "https://tracing.example" }),
      );
      const warned = stack.rows.filter((row) => row.startsWith("warn: "));
      expect(warned.map((row) => row.replace(/^warn: \w+: /, ""))).toEqual(told);
    }
  });
});

describe("a replaced destination", () => {
  it.each(kinds)("restarts a %s, whose row says so", async (kind, declared) => {
    const stack = offline(kind);
    const host = stack.host();
    const held = { ...(await stack.check(declared(), host)), status: "RUNNING" };
    const wanted = await stack.check(declared({ bulkExportDestinationId: runtime.unknownValue }), host);
    stack.rows = [];
    expect(await host.diff("id", held, wanted)).toMatchObject({ replaces: ["bulkExportDestinationId"] });
    expect(stack.rows).toEqual([
      expect.stringMatching(/^info: restarts the export: bulkExportDestinationId \(its destination is replaced\)/),
    ]);
  });

  it("does so before the check as well, as the engine asks for what depends on a replaced resource", async () => {
    const stack = offline("BulkExport");
    const held = { ...oneTime(), status: "COMPLETED", __urn: stack.urn };
    await stack.host().diff("id", held, { ...held, bulkExportDestinationId: runtime.unknownValue });
    expect(stack.rows).toEqual(["info: restarts the export: bulkExportDestinationId (its destination is replaced)"]);
  });
});

it("a project that is not known yet restarts nothing", async () => {
  for (const [kind, declared] of kinds) {
    const host = offline(kind).host();
    expect(await host.diff("id", declared(), declared({ sessionId: runtime.unknownValue }))).toMatchObject({
      replaces: [],
    });
  }
});
