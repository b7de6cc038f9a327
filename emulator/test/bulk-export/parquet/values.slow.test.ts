import fc from "fast-check";
import { ParquetFixture, type RunRow, runRow } from "../../support/bulk-export/parquet";
import { runs } from "../../support/for-all";

const fixture = new ParquetFixture();

/** Reads times as whole numbers of microseconds. DuckDB returns whole numbers as text. */
const query = `SELECT id, name, inputs, tags, is_root, total_cost, total_tokens, epoch_us(start_time) AS start_time,
  epoch_us(end_time) AS end_time FROM {}`;

async function roundTrip(rows: readonly RunRow[]): Promise<void> {
  fixture.load(rows);
  await fixture.export({ compression: "none" });
  const read = await fixture.read(query);
  const byId = (a: { id?: unknown }, b: { id?: unknown }) => (String(a.id) < String(b.id) ? -1 : 1);
  expect(read.sort(byId)).toEqual(rows.map(expectedRow).sort(byId));
}

/** The row that a reader sees. UTF-8 replaces an unpaired surrogate with U+FFFD. */
function expectedRow({ id, name, inputs, tags, is_root, total_cost, total_tokens, start_time, end_time }: RunRow) {
  const wholeNumber = (value: unknown) => (value === null || value === undefined ? null : String(value));
  const text = (value: unknown) => wholeNumber(value)?.toWellFormed() ?? null;
  const list = tags === null || tags === undefined ? null : JSON.parse(String(tags)).map(text);
  return {
    id,
    name: text(name),
    inputs: text(inputs),
    tags: list,
    is_root: is_root === 1,
    total_cost: total_cost ?? null,
    total_tokens: wholeNumber(total_tokens),
    start_time: wholeNumber(start_time),
    end_time: wholeNumber(end_time),
  };
}

describe("values in a file", () => {
  const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });
  // Includes unpaired surrogates.
  const text = fc.string({
    unit: fc.oneof(
      fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
      fc.constant("😀"),
    ),
  });
  // The years 1000 to 9000: earlier and later years fit in microseconds, but not in the dates of readers.
  const time = fc.bigInt({ min: -30_000_000_000_000_000n, max: 220_000_000_000_000_000n });
  const run = fc.record({
    name: text,
    inputs: nullable(text),
    is_root: fc.nat(1),
    start_time: time,
    end_time: nullable(time),
    tags: nullable(
      fc.array(fc.option(text, { nil: null, freq: 4 }), { maxLength: 4 }).map((tags) => JSON.stringify(tags)),
    ),
    total_cost: nullable(fc.double({ noNaN: true, noDefaultInfinity: true }).map((cost) => cost + 0)),
    total_tokens: nullable(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  });

  // @covers 2C.Exportable fields.Run data, 2C.Exportable fields.Tokens and cost
  test("are read back unchanged", async () => {
    const rows = fc.array(run, { minLength: 1, maxLength: 40 });
    const property = fc.asyncProperty(rows, (changes) =>
      roundTrip(changes.map((change, index) => runRow(index, change))),
    );
    await fc.assert(property, runs(160));
  });

  test.each<[string, RunRow]>([
    ["an empty list", { tags: "[]" }],
    ["an empty list with a space in it", { tags: "[ ]" }],
    ["a list that contains only null", { tags: "[null, null]" }],
    ["an empty text", { name: "", inputs: "" }],
    ["a text with a NUL character", { name: "a\0b", inputs: "\0" }],
    ["an unpaired surrogate", { name: "\ud83d" }],
    ["a text of 5 MB", { inputs: `"${"äöü😀".repeat(500_000)}"` }],
    ["the largest whole number of a double", { total_tokens: 2 ** 53 }],
    ["the next whole number", { total_tokens: 2n ** 53n + 1n }],
    ["a time before 1970", { start_time: -1n, end_time: -62_000_000_000_000_000n }],
    ["a time after 9000", { start_time: 222_000_000_000_000_001n }],
    ["a cost that a double cannot represent exactly", { total_cost: 0.1 + 0.2 }],
  ])("are read back unchanged: %s", async (_, change) => {
    await roundTrip([runRow(1), runRow(2, change), runRow(3)]);
  });

  test("may be the same or null in all rows", async () => {
    await roundTrip(Array.from({ length: 100 }, (_, index) => runRow(index, { name: "same", tags: '["a","b"]' })));
  });

  test("may outgrow a dictionary in the middle of the file", async () => {
    const runs = Array.from({ length: 9000 }, (_, index) =>
      runRow(index, { name: `name ${index % 5000}`, tags: JSON.stringify(index % 3 ? [`tag ${index}`, "all"] : []) }),
    );
    await roundTrip(runs);
  });
});
