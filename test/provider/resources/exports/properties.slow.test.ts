/** Property-based tests of exports and schedules. */
import fc from "fast-check";
import { columns } from "../../../../emulator/src/tracing/columns";
import { EXPORT_FIELDS } from "../../../../provider/api/known-values";
import { bulkExport } from "../../../../provider/resources/bulk-export";
import { differingFields, toCreateRequest, toInputs } from "../../../../provider/resources/exports/mapping";
import { scheduledBulkExport } from "../../../../provider/resources/scheduled-bulk-export";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { formatTimestamp, parseTimestamp } from "../../../../provider/schema/timestamp";
import { Stack } from "../../../support/stack";
import { TestClock } from "../../../support/time/clock";

const noProto = { noNullPrototype: true } as const;

/** An instant in one of the formats that users and servers write. */
const inAnyNotation = (instant: bigint) =>
  fc.constantFrom(0, 60, -330).map((zone) => {
    if (zone === 0) return formatTimestamp(instant).replace("Z", "+00:00");
    const local = formatTimestamp(instant + BigInt(zone) * 60_000_000n).slice(0, -1);
    return `${local}${zone < 0 ? "-05:30" : "+01:00"}`;
  });
const day = (number: number) => BigInt(Date.UTC(2026, 0, number)) * 1000n;
const start = fc.constantFrom(day(1), day(2), day(1) + 500_000n, day(1) + 1n).chain(inAnyNotation);
const end = fc.constantFrom(day(4), day(5)).chain(inAnyNotation);

/** One of two IDs in either case. A replacement rejects an ID that is not a UUID. */
const ids = ["aaaaaaaa-0000-4000-8000-000000000000", "bbbbbbbb-0000-4000-8000-000000000000"];
const anId = fc.constantFrom(...ids.flatMap((id) => [id, id.toUpperCase()]));

const common = {
  startTime: start,
  filter: fc.constantFrom("eq(is_root, true)", 'has(tags, "a")'),
  exportFields: fc.uniqueArray(fc.constantFrom("id", "name", "inputs"), { minLength: 1 }),
  format: fc.constant("Parquet"),
  formatVersion: fc.constantFrom("v1", "v2_beta"),
  compression: fc.constantFrom("none", "gzip", "snappy", "zstandard"),
  allowDuplicate: fc.boolean(),
};
const required = ["bulkExportDestinationId", "startTime"] as const;
const projectFilter = fc.oneof(
  fc.record({ sessionId: anId, allExperiments: fc.constant(false) }, { requiredKeys: ["sessionId"], ...noProto }),
  fc.constant({ allExperiments: true }),
);
const declared = (own: Record<string, fc.Arbitrary<unknown>>, ...needed: string[]) =>
  fc
    .tuple(
      projectFilter,
      fc.record<PropertyMap>(
        { bulkExportDestinationId: anId, ...common, ...own },
        { requiredKeys: [...required, ...needed], ...noProto },
      ),
    )
    .map(([what, rest]): PropertyMap => ({ ...rest, ...what }));

const kinds = {
  BulkExport: {
    declaration: declared({ endTime: end, waitFor: fc.constantFrom("none", "completed") }, "endTime"),
    definition: bulkExport,
  },
  ScheduledBulkExport: {
    declaration: declared(
      { intervalHours: fc.constantFrom(1, 24, 168), cancelSpawned: fc.boolean(), forget: fc.boolean() },
      "intervalHours",
    ),
    definition: scheduledBulkExport,
  },
};

/** An independent definition of equality: two declarations mean the same when this text is the same. */
const OWN = ["waitFor", "allowDuplicate", "cancelSpawned", "forget"];
function meaning(properties: PropertyMap, own: boolean): string {
  const plain = Object.entries(properties).flatMap(([key, value]): [string, unknown][] => {
    if (key.startsWith("__") || (!own && OWN.includes(key)) || (key === "allExperiments" && !value)) return [];
    if (key.endsWith("Time")) return [[key, Date.parse(String(value)), parseTimestamp(value)?.toString()] as never];
    if (key.endsWith("Id")) return [[key, String(value).toLowerCase()]];
    return [[key, Array.isArray(value) ? value.toSorted() : value]];
  });
  return JSON.stringify(plain.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe.each(Object.entries(kinds))("a %s", (kind, { declaration }) => {
  const stack = new Stack({ url: "http://127.0.0.1:1", clock: new TestClock() }, { kind });
  const host = stack.host({ tracingApiUrl: "http://127.0.0.1:1", tenantId: "t" });
  // A version that a program no longer declares stays.
  const withVersion = declaration.map((inputs): PropertyMap => ({ formatVersion: "v1", ...inputs }));

  it("differs from another one exactly when it means something else, and is then replaced", () =>
    fc.assert(
      fc.asyncProperty(withVersion, withVersion, async (left, right) => {
        const [before, after] = [await stack.check(left, host), await stack.check(right, host)];
        const [there, back] = [await host.diff("id", before, after), await host.diff("id", after, before)];
        expect(there.changes !== false).toBe(meaning(left, true) !== meaning(right, true));
        expect((there.replaces ?? []).length > 0).toBe(meaning(left, false) !== meaning(right, false));
        expect((back.replaces ?? []).toSorted()).toEqual((there.replaces ?? []).toSorted());
      }),
    ));

  it("equals the server's response in the server's spelling", () =>
    fc.assert(
      fc.property(declaration, (inputs) => {
        const body = toCreateRequest(inputs as never);
        const response = {
          ...{ ...body, id: "x", filter: body.filter ?? null, exportFields: body.exportFields?.toReversed() ?? null },
          ...{
            allExperiments: body.allExperiments ?? false,
            format: "Parquet",
            compression: body.compression ?? "gzip",
          },
          startTime: body.startTime?.replace("Z", "+00:00"),
        };
        expect(differingFields(response, inputs as never)).toEqual([]);
        for (const imported of [false, true]) expect(toInputs(response, inputs as never, imported)).toEqual(inputs);
      }),
    ));

  it("is equivalent to exactly those that mean the same", () =>
    fc.assert(
      fc.property(declaration, declaration, (left, right) => {
        const whole = { format: "Parquet", formatVersion: "v1", compression: "gzip" };
        const [one, other] = [
          { ...whole, ...left },
          { ...whole, ...right },
        ];
        const isTwin = differingFields({ ...toCreateRequest(one as never), id: "x" }, other as never).length === 0;
        expect(isTwin).toBe(meaning(one, false) === meaning(other, false));
      }),
    ));
});

// @covers 2C.Exportable fields
it("the export fields of the provider and of the emulator are the same", () => {
  expect(EXPORT_FIELDS).toEqual(columns.map(({ name }) => name));
});

// @covers 2C.Export job.export_fields:absent
it("a list of all export fields equals a response without fields, and the reverse", () => {
  const projectFilter = { bulkExportDestinationId: "d", sessionId: "s", startTime: "2026-01-01T00:00:00Z" };
  const all = { ...projectFilter, exportFields: [...EXPORT_FIELDS] };
  for (const one of [projectFilter, all]) {
    for (const other of [projectFilter, all])
      expect(differingFields({ ...toCreateRequest(one), id: "x" }, other)).toEqual([]);
  }
});
