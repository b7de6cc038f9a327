/**
 * What exports write, tested twice with the real engine: into the emulator's bucket, and into one of a server that is
 * not ours. DuckDB reads the files back, as a user's warehouse would.
 */
import { join } from "node:path";
import type { RunInput } from "../../../emulator/src";
import { queryParquet } from "../../../emulator/test/support/bucket/client";
import { describeWithForeignBucket } from "../../../emulator/test/support/bucket/foreign-bucket";
import { type Bucket, destinationSource, downloadObjects, emulatorBucket, foreignBucket } from "../support/buckets";
import { succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf, steps } from "../support/cli/events";
import { DAY_MS, expectedRow, FILTER, SELECT_COLUMNS, threeDaysOfRuns } from "../support/traces";
import { API_KEY, World } from "../support/world";

const JANUARY = Date.UTC(2026, 0, 14);
/** A prefix as users write them, which the keys must have to the letter. */
const PREFIX = "data lake/eu";

function describeExports(open: (world: World) => Promise<Bucket>): void {
  const world = new World({ strict: true, apiKey: API_KEY });
  let bucket: Bucket;
  let stack: CliStack;
  let past: RunInput[];
  let sessionId: string;

  beforeAll(async () => {
    bucket = await open(world);
    past = threeDaysOfRuns(JANUARY, 0);
    sessionId = (await world.emulator.loadRuns({ project: "agent" }, past)).session_id;
    stack = await world.stack({ project: "files", env: world.tracing });
  });
  afterAll(() => bucket?.stop());

  /** Source text: all runs of three days, and some of them. */
  function program({ filter = FILTER } = {}): string {
    const aim = `bulkExportDestinationId: lake.id, sessionId: ${JSON.stringify(sessionId)}`;
    const [startTime, endTime] = [JANUARY, JANUARY + 3 * DAY_MS].map((time) => new Date(time).toISOString());
    const days = JSON.stringify({ startTime, endTime, waitFor: "completed" });
    const fields = JSON.stringify({ filter, exportFields: ["name", "id"], compression: "gzip" });
    return `${destinationSource(bucket, PREFIX)}
      new agentgraph.BulkExport("all", { ${aim}, ...${days} });
      new agentgraph.BulkExport("some", { ${aim}, ...${days}, ...${fields} });`;
  }

  const stateOf = async (name: string) => (await stack.resources()).get(name);
  const idOf = async (name: string) => String((await stateOf(name))?.id);
  const copy = async () => downloadObjects(await world.createFolder("copy"), bucket);

  /** What is asked of the files of an export, `{}` in the query; the parts of their paths are columns too. */
  async function read(sql: string, exportId = "*"): Promise<Record<string, unknown>[]> {
    const glob = join(await world.createFolder("copy"), `${PREFIX}/export_id=${exportId}/**/*.parquet`);
    return queryParquet(
      [],
      sql.replace("{}", `read_parquet('${glob}', hive_partitioning = true, union_by_name = true)`),
    );
  }

  // @covers 1C, 1C:buckets, 2C.Export job:range, 2C.Export job.filter:absent, 2C.Exportable fields.Basic metadata
  // @covers 2C.Exportable fields.Run data, 2C.Exportable fields.Tags and feedback, 2C.Output layout:parquet, 3.3
  test("an up waits until every run is in the bucket exactly once, with its types, nulls and lists", async () => {
    await stack.program.write(program());
    const up = await succeeds(stack.up());
    expect(messagesOf(up, "all").at(-1)).toMatch(/^COMPLETED, 3 of 3 days, 216 rows, 3 files, /);
    expect(await stateOf("all")).toMatchObject({ outputs: { status: "COMPLETED", rowsWritten: 216, filesWritten: 3 } });
    await copy();

    const all = await idOf("all");
    expect(await read(`SELECT ${SELECT_COLUMNS} FROM {} ORDER BY start_time, id`, all)).toEqual(past.map(expectedRow));
    const days = "year::INT AS year, month::INT AS month, day::INT AS day, count(*)::INT AS runs";
    expect(await read(`SELECT ${days} FROM {} GROUP BY ALL ORDER BY day`, all)).toEqual(
      [14, 15, 16].map((day) => ({ year: 2026, month: 1, day, runs: 72 })),
    );
  });

  test("a deleted bucket fails the export with the store's message, and the next up replaces the export", async () => {
    await bucket.remove();
    await stack.program.write(program({ filter: "eq(is_root, true)" }));
    const running = stack.startUp();
    await running.waitForOutput("RUNNING, 0 of 3 days");
    await world.emulator.clock.advance(20 * 30_000);
    const failed = await running.waitForExit();
    expect(failed.code).not.toBe(0);
    expect(failed.output).toMatch(/some.*FAILED/s);
    expect(failed.output).toContain("Bucket is not valid");
    const before = await stateOf("some");
    expect(before).toMatchObject({ outputs: { status: "FAILED" } });

    await bucket.create();
    const retried = await succeeds(stack.up());
    expect(steps(retried)).toContain("replace some");
    expect(await stateOf("some")).toMatchObject({ outputs: { status: "COMPLETED", rowsWritten: 216 } });
    expect(await idOf("some")).not.toBe(before?.id);
  });
}

describe("an export to the emulator's bucket", () => describeExports(emulatorBucket));
describeWithForeignBucket("an export to a bucket of an independent S3 server", () => describeExports(foreignBucket));
