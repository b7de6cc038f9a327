import { columns } from "../../../src/tracing/columns";
import { newYearMicros, ParquetFixture, runRow } from "../../support/bulk-export/parquet";

const fixture = new ParquetFixture();

const names = columns.map(({ name }) => name);
const ids = async () => (await fixture.read("SELECT id FROM {}")).map(({ id }) => Number(String(id).slice(-12)));

describe("the file of a partition", () => {
  // @covers 1C:fields, 2C.Exportable fields, 2C.Exportable fields.Identifiers and hierarchy
  // @covers 2C.Exportable fields.Basic metadata, 2C.Exportable fields.Run data
  // @covers 2C.Exportable fields.Tags and feedback, 2C.Exportable fields.Tokens and cost, 2C.Output layout:parquet
  test("has every exportable field, with its type", async () => {
    fixture.load([runRow(1)]);
    await fixture.export();
    const description = await fixture.read("DESCRIBE SELECT * FROM {}");
    const [text, time, int, double] = ["VARCHAR", "TIMESTAMP WITH TIME ZONE", "BIGINT", "DOUBLE"];
    expect(description.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(
      Object.entries({
        ...{ id: text, tenant_id: text, session_id: text, trace_id: text, parent_run_id: text },
        ...{ parent_run_ids: "VARCHAR[]", reference_example_id: text, name: text, run_type: text, start_time: time },
        ...{ end_time: time, status: text, is_root: "BOOLEAN", dotted_order: text, trace_tier: text, inputs: text },
        ...{ outputs: text, error: text, extra: text, events: text, tags: "VARCHAR[]", feedback_stats: text },
        ...{ total_tokens: int, prompt_tokens: int, completion_tokens: int, total_cost: double, prompt_cost: double },
        ...{ completion_cost: double, first_token_time: time },
      }),
    );
  });

  // @covers 2C.Exportable fields.Basic metadata
  test("declares nullable columns, and times as microseconds in UTC", async () => {
    fixture.load([runRow(1)]);
    await fixture.export();
    const schema = await fixture.metadata("schema");
    const nullable = Object.fromEntries(schema.map(({ name, repetition_type }) => [name, repetition_type]));
    for (const column of columns) expect(nullable[column.name]).toBe(column.nullable ? "OPTIONAL" : "REQUIRED");
    expect(String(schema.find(({ name }) => name === "start_time")?.logical_type)).toMatch(/isAdjustedToUTC=1.*MICROS/);
  });

  // @covers 2C.Exportable fields.Run data:lean
  test("is smaller without inputs and outputs", async () => {
    fixture.loadMany(100, 1000);
    const size = async (fields: string[]) => {
      await fixture.export({ fields });
      return (await fixture.bucket.send("GET", "/exports/runs.parquet")).bytes.length;
    };
    const lean = await size(names.filter((name) => name !== "inputs" && name !== "outputs"));
    expect(await size(names)).toBeGreaterThan(lean + 50_000);
  });

  test("is sorted by start_time, then by ID", async () => {
    const at = (seconds: number) => ({ start_time: newYearMicros + seconds * 1e6 });
    fixture.load([runRow(3, at(1)), runRow(1, at(2)), runRow(4, at(0)), runRow(2, at(1))]);
    await fixture.export();
    expect(await ids()).toEqual([4, 2, 3, 1]);
  });

  test("contains only the runs of its project and workspace that the filter selects", async () => {
    fixture.load([
      ...[runRow(1), runRow(2, { run_type: "llm" }), runRow(3, { run_type: "llm", error: "no" })],
      ...[runRow(4, { run_type: "llm", session_id: "other" }), runRow(5, { run_type: "llm", tenant_id: "other" })],
    ]);
    await fixture.export({ filter: { sql: "r.run_type = ? AND r.error IS NULL OR 0", params: ["llm"] } });
    expect(await ids()).toEqual([2]);
  });

  test.each([
    ["none", "UNCOMPRESSED"],
    ["gzip", "GZIP"],
    ["snappy", "SNAPPY"],
    ["zstandard", "ZSTD"],
  ] as const)("can be read with the compression %s", async (compression, codec) => {
    fixture.loadMany(3000, 100);
    await fixture.export({ compression });
    const sum = "count(*) AS rows, sum(length(inputs)) AS bytes, count(DISTINCT inputs) AS different FROM {}";
    expect(await fixture.read(`SELECT ${sum}`)).toEqual([{ rows: "3000", bytes: "306000", different: "3000" }]);
    expect(await fixture.metadata("", "SELECT DISTINCT compression FROM {}")).toEqual([{ compression: codec }]);
  });

  test("contains its writer and the time range of each row group", async () => {
    fixture.loadMany(100, 10);
    await fixture.export();
    expect(await fixture.metadata("file")).toMatchObject([{ created_by: "agentgraph-emulator", num_rows: "100" }]);
    const times =
      "SELECT stats_min_value AS least, stats_max_value AS greatest FROM {} WHERE path_in_schema = 'start_time'";
    expect(await fixture.metadata("", times)).toEqual([
      { least: "2026-01-01 00:00:00+00", greatest: "2026-01-01 00:00:00.099+00" },
    ]);
    const nulls = "SELECT stats_null_count AS nulls FROM {} WHERE path_in_schema = 'end_time'";
    expect(await fixture.metadata("", nulls)).toEqual([{ nulls: "100" }]);
  });
});
