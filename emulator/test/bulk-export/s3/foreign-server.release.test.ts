import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BucketError, S3Client, type S3Target } from "../../../src/bulk-export/s3/client";
import { explainBucketError, probeDestination } from "../../../src/bulk-export/s3/probe";
import { describeWithForeignBucket, type ForeignBucket, startForeignBucket } from "../../support/bucket/foreign-bucket";

describeWithForeignBucket("with a third-party S3 server,", () => {
  let foreign: ForeignBucket;

  beforeAll(async () => {
    foreign = await startForeignBucket();
    foreign.createBucket("exports");
  });

  afterAll(() => foreign.stop());

  const target = (change: Partial<S3Target> = {}): S3Target => {
    const { url, accessKeyId, secretAccessKey } = foreign;
    const place = { bucketName: "exports", endpointUrl: url, addressingStyle: "auto" as const };
    return { ...place, accessKeyId, secretAccessKey, ...change };
  };
  const probeError = async (change: Partial<S3Target>): Promise<BucketError> => {
    const error = await probeDestination(target(change), "p").catch((error) => error);
    expect(error).toBeInstanceOf(BucketError);
    return error;
  };

  // @covers 1C:buckets
  test("a probe leaves nothing behind, whatever characters the prefix has", async () => {
    foreign.createBucket("probed");
    await probeDestination(target({ bucketName: "probed" }), "a b/+(x)'!*~/ü€");
    const files = readdirSync(join(foreign.folder, "probed"), { recursive: true, withFileTypes: true });
    expect(files.filter((file) => file.isFile())).toEqual([]);
  });

  test("the host may contain the name of the bucket", async () => {
    const endpointUrl = foreign.url.replace("127.0.0.1", "localhost");
    await new S3Client(target({ endpointUrl, addressingStyle: "virtual" })).put("virtual.txt", Buffer.from("here"));
    expect(readFileSync(join(foreign.folder, "exports", "virtual.txt"), "utf8")).toBe("here");
  });

  test("an object of several parts is stored completely", async () => {
    const parts = [1, 2, 3].map((value) => Buffer.alloc(5 * 1024 ** 2 + value, value));
    const upload = await new S3Client(target()).startMultipartUpload("big/object.bin");
    for (const part of parts) await upload.uploadPart(part);
    await upload.complete();
    expect(readFileSync(join(foreign.folder, "exports/big/object.bin")).equals(Buffer.concat(parts))).toBe(true);
  });

  test("an aborted upload cannot be completed, and leaves no object", async () => {
    const upload = await new S3Client(target()).startMultipartUpload("aborted.bin");
    await upload.uploadPart(Buffer.alloc(1024));
    await upload.abort();
    await expect(upload.complete()).rejects.toMatchObject({ name: "BucketError", code: "NoSuchUpload", status: 404 });
    expect(readdirSync(join(foreign.folder, "exports"))).not.toContain("aborted.bin");
  });

  test("an error contains the cause", async () => {
    const wrongSecret = await probeError({ secretAccessKey: "wrong" });
    expect(wrongSecret).toMatchObject({ code: "SignatureDoesNotMatch", status: 403 });
    expect(explainBucketError(wrongSecret)).toContain("The secret access key does not belong to the access Key ID");
    expect(explainBucketError(await probeError({ accessKeyId: "nobody" }))).toContain(
      "Key ID you provided does not exist",
    );
    const missing = await probeError({ bucketName: "missing-bucket" });
    expect(missing).toMatchObject({ code: "NoSuchBucket", status: 404 });
    expect(explainBucketError(missing)).toContain("Bucket is not valid");
  });
});
