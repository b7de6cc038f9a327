import type { RunInput } from "../../../src/index";
import { createDestination, download, listKeys, queryParquet } from "../../support/bucket/client";
import { exportMs, TracingClient } from "../../support/bulk-export/exports";
import { uuid } from "../../support/bulk-export/load-runs";
import { start } from "../../support/emulator";

const run = (number: number, start_time: string, change: Partial<RunInput> = {}): RunInput => ({
  id: uuid(number),
  name: `run ${number}`,
  run_type: number % 2 === 0 ? "llm" : "chain",
  start_time,
  ...change,
});

/** Three days of runs, including both edges of the range. */
const runs = [
  run(1, "2025-12-31T23:59:59.999999Z"),
  run(2, "2026-01-01T00:00:00Z", { inputs: { q: 1 }, tags: ["a"], total_tokens: 7 }),
  run(3, "2026-01-01T23:59:59.999999Z"),
  run(4, "2026-01-02T00:00:00Z"),
  run(5, "2026-01-03T12:00:00Z"),
  run(6, "2026-01-03T23:59:59.999999Z"),
  run(7, "2026-01-04T00:00:00Z"),
];

async function runExport(change: object = {}, config: object = {}) {
  const tracing = new TracingClient(await start({ strict: true }));
  const { emulator } = tracing.client;
  const { session_id } = await emulator.loadRuns({ project: "agent" }, runs);
  const bulk_export_destination_id = await createDestination(tracing, config);
  const range = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-04T00:00:00Z" };
  const { id } = await tracing.create({ bulk_export_destination_id, session_id, ...range, ...change }, exportMs);
  const all = await tracing.runs(id);
  return { tracing, id, session_id, runs: all, status: (await tracing.export(id)).status, bucket: emulator.bucket };
}

const idsOf = async (files: string[]) =>
  (await queryParquet(files, "SELECT id FROM {} ORDER BY id")).map(({ id }) => id);

describe("a completed export", () => {
  // @covers 1C, 2C.Export job:range, 2C.Export job.start_time, 2C.Export job.end_time
  test("contains the runs from start_time until before end_time, in one file per day", async () => {
    const { status, runs: all, bucket } = await runExport();
    expect(status).toBe("COMPLETED");
    expect(all.map(({ metadata }) => metadata.result?.rows_written)).toEqual([2, 1, 2]);
    expect(await idsOf(await download(bucket, all))).toEqual([2, 3, 4, 5, 6].map(uuid));
  });

  // @covers 2C.Output layout, 3.3
  test("writes its files to the documented paths, and nothing else to the bucket", async () => {
    const { id, session_id, runs: all, tracing, bucket } = await runExport();
    const owner = `tenant_id=${tracing.tenantId}/session_id=${session_id}`;
    const base = `traces/export_id=${id}/${owner}/runs/year=2026/month=01`;
    const files = all.map(({ id: name }, index) => `${base}/day=0${index + 1}/${name}.parquet`);
    expect(await listKeys(bucket)).toEqual(files);
    expect(all.map(({ metadata }) => metadata)).toMatchObject(
      files.map((file, index) => ({
        prefix: `${base}/day=0${index + 1}`,
        result: { exported_files: [`exports/${file}`], export_path: `exports/${base}/day=0${index + 1}` },
      })),
    );
  });

  // @covers 2C.Destination.config, 2C.Output layout
  test.each([
    ["", ""],
    ["/a//b/", "a/b/"],
  ])("writes its files below the prefix %j", async (prefix, before) => {
    const { id, bucket } = await runExport({}, { prefix });
    const keys = await listKeys(bucket);
    expect(keys).toHaveLength(3);
    for (const key of keys) expect(key.startsWith(`${before}export_id=${id}/`)).toBe(true);
  });

  // @covers 2C.Output layout:bucket
  test("returns paths without the bucket if the endpoint URL contains it", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const { bucket } = tracing.client.emulator;
    const config = { endpoint_url: `${bucket.url}/exports`, include_bucket_in_prefix: false };
    const bulk_export_destination_id = await createDestination(tracing, config);
    const { session_id } = await tracing.client.emulator.loadRuns({ project: "agent" }, runs);
    const body = await tracing.threeDayExport({ session_id, bulk_export_destination_id });
    const { id } = await tracing.create(body, exportMs);
    const reportedFiles = (await tracing.runs(id)).flatMap(({ metadata }) => metadata.result?.exported_files);
    expect(reportedFiles).toHaveLength(3);
    expect(reportedFiles).toEqual(await listKeys(bucket));
  });

  // @covers 2C.Export job.filter, 2C.Export job.export_fields, 2C.Export job.compression, 2C.Output layout:compression
  test("contains only the runs that the filter selects, with the fields and the compression that it has", async () => {
    const filter = 'and(eq(run_type, "llm"), gt(start_time, "2026-01-01"))';
    const change = { filter, export_fields: ["name", "id"], compression: "gzip" };
    const { runs: all, bucket } = await runExport(change);
    const files = await download(bucket, all);
    expect(await idsOf(files)).toEqual([4, 6].map(uuid));
    expect(all.map(({ metadata }) => metadata.result?.rows_written)).toEqual([0, 1, 1]);
    expect(await listKeys(bucket)).toHaveLength(2);
    const columns = await queryParquet(files, "DESCRIBE SELECT * FROM {}");
    expect(columns.map(({ column_name }) => column_name)).toEqual(["id", "name"]);
    const compression = await queryParquet([], `SELECT DISTINCT compression FROM parquet_metadata('${files[0]}')`);
    expect(compression).toEqual([{ compression: "GZIP" }]);
  });

  // @covers 2C.Export job.export_fields:absent, 2C.Exportable fields, 2C.Output layout:compression
  test("has statistics by default, by which readers skip row groups, but none of long texts", async () => {
    const { runs: all, bucket } = await runExport();
    const [file = ""] = await download(bucket, all);
    const filtered = ["id", "name", "run_type", "status"];
    const texts = [...filtered, "dotted_order", "inputs", "error"].map((name) => `'${name}'`);
    const query = `SELECT path_in_schema AS name, compression FROM parquet_metadata('${file}')
      WHERE stats_min_value IS NOT NULL AND path_in_schema IN (${texts})`;
    expect(await queryParquet([], query)).toEqual(filtered.map((name) => ({ name, compression: "ZSTD" })));
  });

  // @covers 1C, 2C.Export job.all_experiments, 4C.4:experiment
  test("of all experiments contains the runs of each one under its session", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const { emulator } = tracing.client;
    const sessions: string[] = [];
    for (const number of [2, 3]) {
      const target = { project: `experiment ${number}`, reference_dataset_id: uuid(99) };
      sessions.push((await emulator.loadRuns(target, [run(number, "2026-01-01T01:00:00Z")])).session_id);
    }
    const all = { session_id: undefined, all_experiments: true, end_time: "2026-01-02T00:00:00Z" };
    const body = await tracing.threeDayExport({ ...all, bulk_export_destination_id: await createDestination(tracing) });
    const { id } = await tracing.create(body, exportMs);
    const files = await download(emulator.bucket, await tracing.runs(id));
    const rows = await queryParquet(files, "SELECT id, session_id FROM {} ORDER BY id");
    expect(rows).toEqual([2, 3].map((number, index) => ({ id: uuid(number), session_id: sessions[index] })));
  });
});
