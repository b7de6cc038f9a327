import { startFakeStore } from "../../support/bucket/fake-object-store";
import { xmlTexts } from "../../support/bucket/s3-request";
import { ParquetFixture } from "../../support/bulk-export/parquet";

const fixture = new ParquetFixture();

const uploads = async () =>
  xmlTexts((await fixture.bucket.send("GET", "/exports", { query: { uploads: "" } })).text, "Key");
const statusOf = async (key: string) => (await fixture.bucket.send("HEAD", `/exports/${key}`)).status;

describe("the upload of a partition", () => {
  test("is one request when the file is small", async () => {
    fixture.loadMany(10, 10);
    const store = await startFakeStore();
    await fixture.export({ destination: fixture.bucket.target({ endpointUrl: store.url }) });
    expect(store.requests).toEqual(["PUT /exports/runs.parquet"]);
  });

  test("has several parts when the file is large, and leaves nothing else behind", async () => {
    fixture.loadMany(10_000, 2400);
    await expect(fixture.export({ key: "long.parquet" })).resolves.toMatchObject({ rowsWritten: 10_000 });
    const { headers } = await fixture.bucket.send("HEAD", "/exports/long.parquet");
    // S3 puts the number of parts into the tag.
    expect(headers.get("etag")).toMatch(/-[12]"$/);
    expect(await fixture.read("SELECT count(DISTINCT inputs) AS rows FROM {}", "long.parquet")).toEqual([
      { rows: "10000" },
    ]);
    expect(await uploads()).toEqual([]);
  });

  test("replaces the file of a previous attempt", async () => {
    fixture.loadMany(5, 10);
    await fixture.export({ key: "twice.parquet" });
    fixture.loadMany(7, 10);
    await fixture.export({ key: "twice.parquet" });
    expect(await fixture.read("SELECT count(*) AS rows FROM {}", "twice.parquet")).toEqual([{ rows: "7" }]);
  });

  test("is aborted if the runs cannot be read completely", async () => {
    fixture.loadMany(10_000, 2400);
    // SQLite fails at the last row.
    const filter = { sql: `CASE WHEN r.id LIKE '%009999' THEN json('{') ELSE 1 END`, params: [] };
    await expect(fixture.export({ key: "broken.parquet", filter })).rejects.toThrow("malformed JSON");
    expect(await statusOf("broken.parquet")).toBe(404);
    expect(await uploads()).toEqual([]);
  });

  test("is aborted when it is canceled midway", async () => {
    fixture.loadMany(10_000, 2400);
    const [controller, reason] = [new AbortController(), new Error("canceled")];
    const writing = fixture.export({ key: "cancelled.parquet", signal: controller.signal });
    const aborting = (async () => {
      while ((await uploads()).length === 0);
      controller.abort(reason);
    })();
    await expect(writing).rejects.toBe(reason);
    await aborting;
    expect(await uploads()).toEqual([]);
    expect(await statusOf("cancelled.parquet")).toBe(404);
  });

  test("does not start when it is canceled before or while it is queued", async () => {
    fixture.loadMany(20_000, 200);
    const reason = new Error("canceled");
    await expect(fixture.export({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const before = [1, 2].map((number) => fixture.export({ key: `before-${number}.parquet` }));
    const waiting = fixture.export({ key: "waited.parquet", signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await Promise.all(before);
    expect(await statusOf("waited.parquet")).toBe(404);
  });

  test("is executed even if many are queued", async () => {
    fixture.loadMany(100, 10);
    const keys = Array.from({ length: 9 }, (_, number) => `turn-${number}.parquet`);
    const results = await Promise.all(keys.map((key) => fixture.export({ key })));
    expect(results.map(({ exportedFiles }) => exportedFiles)).toEqual(keys.map((key) => [key]));
    for (const key of keys) expect(await statusOf(key)).toBe(200);
  });
});
