import { BucketError } from "../../../src/bulk-export/s3/client";
import { inXml } from "../../support/bucket/s3-request";
import { startStore } from "../../support/bucket/stand-in-store";
import { Exporting } from "../../support/bulk-export/parquet";

// Some of these write files of more than 8 MB, on machines that do other things too.
jest.setTimeout(30_000);

let exporting: Exporting;
beforeAll(async () => {
  exporting = await Exporting.start();
});
afterAll(() => exporting.stop());

const uploads = async () =>
  inXml((await exporting.bucket.send("GET", "/exports", { query: { uploads: "" } })).text, "Key");
const statusOf = async (key: string) => (await exporting.bucket.send("HEAD", `/exports/${key}`)).status;

describe("the upload of a partition", () => {
  test("takes one request when the file is short", async () => {
    exporting.loadMany(10, 10);
    const store = await startStore();
    await exporting.export({ destination: { ...exporting.target, endpointUrl: store.url } });
    expect(store.asked).toEqual(["PUT /exports/runs.parquet"]);
  });

  test("goes in parts when the file is long, and leaves nothing else behind", async () => {
    exporting.loadMany(10_000, 2400);
    await expect(exporting.export({ key: "long.parquet" })).resolves.toMatchObject({ rowsWritten: 10_000 });
    const { headers } = await exporting.bucket.send("HEAD", "/exports/long.parquet");
    // S3 puts the number of parts into the tag.
    expect(headers.get("etag")).toMatch(/-[12]"$/);
    expect(await exporting.read("SELECT count(DISTINCT inputs) AS rows FROM {}", "long.parquet")).toEqual([
      { rows: "10000" },
    ]);
    expect(await uploads()).toEqual([]);
  });

  test("replaces the file of an attempt before", async () => {
    exporting.loadMany(5, 10);
    await exporting.export({ key: "twice.parquet" });
    exporting.loadMany(7, 10);
    await exporting.export({ key: "twice.parquet" });
    expect(await exporting.read("SELECT count(*) AS rows FROM {}", "twice.parquet")).toEqual([{ rows: "7" }]);
  });

  test("that the bucket refuses throws the bucket's error", async () => {
    exporting.loadMany(5, 10);
    const wrong = { ...exporting.target, secretAccessKey: "wrong" };
    const error = await exporting.export({ destination: wrong }).catch((error) => error);
    expect(error).toBeInstanceOf(BucketError);
    expect(error).toMatchObject({ code: "SignatureDoesNotMatch", status: 403 });
    const nowhere = exporting.export({ destination: { ...exporting.target, bucketName: "nowhere" } });
    await expect(nowhere).rejects.toMatchObject({ name: "BucketError", code: "NoSuchBucket", status: 404 });
  });

  test("is taken back when the runs cannot be read to the end", async () => {
    exporting.loadMany(10_000, 2400);
    // SQLite finds out at the last row.
    const filter = { sql: `CASE WHEN r.id LIKE '%009999' THEN json('{') ELSE 1 END`, params: [] };
    await expect(exporting.export({ key: "broken.parquet", filter })).rejects.toThrow("malformed JSON");
    expect(await statusOf("broken.parquet")).toBe(404);
    expect(await uploads()).toEqual([]);
  });

  test("is taken back when it is cancelled in the middle", async () => {
    exporting.loadMany(10_000, 2400);
    const [controller, reason] = [new AbortController(), new Error("cancelled")];
    const writing = exporting.export({ key: "cancelled.parquet", signal: controller.signal });
    const begun = (async () => {
      while ((await uploads()).length === 0);
      controller.abort(reason);
    })();
    await expect(writing).rejects.toBe(reason);
    await begun;
    expect(await uploads()).toEqual([]);
    expect(await statusOf("cancelled.parquet")).toBe(404);
  });

  test("is not begun when it is cancelled before, or while it waits for its turn", async () => {
    exporting.loadMany(20_000, 200);
    const reason = new Error("cancelled");
    await expect(exporting.export({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const before = [1, 2].map((number) => exporting.export({ key: `before-${number}.parquet` }));
    const waiting = exporting.export({ key: "waited.parquet", signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await Promise.all(before);
    expect(await statusOf("waited.parquet")).toBe(404);
  });

  test("has its turn, however many there are", async () => {
    exporting.loadMany(100, 10);
    const keys = Array.from({ length: 9 }, (_, number) => `turn-${number}.parquet`);
    const results = await Promise.all(keys.map((key) => exporting.export({ key })));
    expect(results.map(({ exportedFiles }) => exportedFiles)).toEqual(keys.map((key) => [key]));
    for (const key of keys) expect(await statusOf(key)).toBe(200);
  });
});
