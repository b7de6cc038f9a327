/** Validation and impact of exports in a preview, without an API key or network. */
import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { type CheckError, Stack } from "../../../support/stack";
import { TestClock } from "../../../support/time/clock";

const offline = (kind: string) => new Stack({ clock: new TestClock(), url: "https://tracing.example" }, { kind });

const [destination, project] = ["44444444-4444-4444-8444-444444444444", "55555555-5555-4555-8555-555555555555"];
const projectFilter = { bulkExportDestinationId: destination, sessionId: project, startTime: "2026-01-01T00:00:00Z" };
const oneTime = (change: PropertyMap = {}) => ({ ...projectFilter, endTime: "2026-01-02T00:00:00Z", ...change });
const daily = (change: PropertyMap = {}) => ({ ...projectFilter, intervalHours: 24, ...change });
const without = (properties: PropertyMap, ...keys: string[]) =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));

const failures = async (kind: string, declared: PropertyMap): Promise<[string, string][]> => {
  const refused = await offline(kind)
    .check(declared)
    .catch((error: CheckError) => error);
  return (refused as CheckError).failures?.map(({ reason }) => [String(reason.split(" ")[0]), reason]) ?? [];
};

const kinds = [
  ["BulkExport", oneTime],
  ["ScheduledBulkExport", daily],
] as const;

describe.each(kinds)("%s fails check", (kind, declared) => {
  // @covers 2C.Export job.session_id, 2C.Export job.all_experiments, 4C.1
  it.each([
    [
      "without anything to export",
      without(declared(), "sessionId"),
      "sessionId",
      /is missing.*allExperiments: true\. .*tracingProjectId.*`pulumi up --refresh`/,
    ],
    ["allExperiments: false", { ...without(declared(), "sessionId"), allExperiments: false }, "sessionId", /missing/],
    ["with both", declared({ allExperiments: true }), "allExperiments", /cannot be combined with sessionId/],
    ["without a destination", without(declared(), "bulkExportDestinationId"), "bulkExportDestinationId", /required/],
    ["with a day for a time", declared({ startTime: "2026-01-01" }), "startTime", /use "2026-01-01T00:00:00Z"/],
    ["with a time without zone", declared({ startTime: "2026-01-01T08:00" }), "startTime", /use "2026-01-01T08:00Z"/],
    ["with no time", declared({ startTime: "soon" }), "startTime", /is not a valid timestamp.*2026-01-31T00:00:00Z/],
    ["with no field to export", declared({ exportFields: [] }), "exportFields", / must not be empty/],
  ])("%s", async (_what, inputs, property, reason) => {
    expect(await failures(kind, inputs)).toEqual([[property, expect.stringMatching(reason)]]);
  });

  // @covers 2C.Export job.all_experiments
  it("in no field with allExperiments: false beside a project", async () => {
    expect(await failures(kind, declared({ allExperiments: false }))).toEqual([]);
  });
});

// @covers 2C.Export job.end_time
it.each([
  ["before its start", { endTime: "2025-12-31T00:00:00Z" }],
  ["at its start, since it is exclusive", { endTime: "2026-01-01T01:00:00+01:00" }],
])("an export that ends %s fails check", async (_what, change) => {
  expect(await failures("BulkExport", oneTime(change))).toEqual([
    ["endTime", expect.stringContaining("must be after startTime")],
  ]);
});

// @covers 2C.Export job.end_time:kinds
it("an export without endTime fails check, and one with intervalHours is referred to ScheduledBulkExport", async () => {
  expect(await failures("BulkExport", without(oneTime(), "endTime"))).toEqual([
    ["endTime", expect.stringContaining("required")],
  ]);
  expect(await failures("BulkExport", oneTime({ intervalHours: 24 }))).toEqual([
    ["intervalHours", expect.stringContaining("declare a ScheduledBulkExport")],
  ]);
});

// @covers 2C.Export job.interval_hours:bounds, 8.interval_hours
it.each([0, 169, 1.5, "24"])("a schedule of %p hours fails check", async (intervalHours) => {
  expect(await failures("ScheduledBulkExport", daily({ intervalHours }))).toEqual([
    ["intervalHours", expect.any(String)],
  ]);
});

// @covers 2C.Export job.interval_hours:bounds, 8.interval_hours
it.each([1, 168])("a schedule of %p hours passes check", async (intervalHours) => {
  expect(await failures("ScheduledBulkExport", daily({ intervalHours }))).toEqual([]);
});

// @covers 2C.Export job.end_time:kinds, 4C.2
it("a schedule with endTime or waitFor fails check with what to declare instead", async () => {
  expect(
    await failures("ScheduledBulkExport", daily({ endTime: "2026-01-02T00:00:00Z", waitFor: "completed" })),
  ).toEqual([
    ["endTime", expect.stringMatching(/^endTime is not supported by schedules.*BulkExport/)],
    ["waitFor", expect.stringMatching(/^waitFor is not supported by schedules/)],
  ]);
});

// @covers 2C.Export job.export_fields
it.each([
  [
    "a field",
    { exportFields: ["id", "run_typ", "weight"] },
    ['"run_typ" is not known; did you mean "run_type"?', '"weight" is not known.'],
  ],
  ["a field in camel case", { exportFields: ["startTime"] }, ['"startTime" is not known; did you mean "start_time"?']],
  ["a format", { format: "CSV" }, ['"CSV" is not known; known values: Parquet.']],
  ["the case of a format", { format: "parquet" }, ['"parquet" is not known; did you mean "Parquet"?']],
  ["a version of the format", { formatVersion: "v9_alpha" }, ['"v9_alpha" is not known; known values: v1, v2_beta.']],
  ["a project that is not a UUID", { sessionId: "p" }, ['"p" is not a UUID, unlike the IDs of all known servers.']],
  [
    "a destination that is not a UUID",
    { bulkExportDestinationId: "lake" },
    ['"lake" is not a UUID, unlike the IDs of all known servers.'],
  ],
  ["a compression", { compression: "zstandart" }, ['"zstandart" is not known; did you mean "zstandard"?']],
])("an export causes only a warning for %s", async (_what, change, expected) => {
  for (const [kind, declared] of kinds) {
    const stack = offline(kind);
    await stack.check(
      declared(change),
      stack.host({ tenantId: "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10", tracingApiUrl: "https://tracing.example" }),
    );
    const warned = stack.messages.filter((row) => row.startsWith("warn: "));
    expect(warned.map((row) => row.replace(/^warn: \w+: /, ""))).toEqual(expected);
  }
});

it("a replaced destination restarts an export, in the engine's diff for dependents, too", async () => {
  const stack = offline("BulkExport");
  const state = { ...oneTime(), status: "COMPLETED", __urn: stack.urn };
  await stack.host().diff("id", state, { ...state, bulkExportDestinationId: runtime.unknownValue });
  expect(stack.messages).toEqual(["info: restarts the export: bulkExportDestinationId (its destination is replaced)"]);
});
