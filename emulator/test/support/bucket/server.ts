import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveBuckets } from "../../../src/bucket/server";
import { type BucketService, openBucketService } from "../../../src/bucket/service";
import { tables } from "../../../src/bucket/tables";
import type { S3Target } from "../../../src/bulk-export/s3/client";
import { Store } from "../../../src/runtime/storage/store";
import { type AccessKey, type S3Response, type SigningOptions, sendRequest, sign } from "./s3-request";

/** A bucket server without the rest of the emulator, on a free port with its own folder. */
export interface LocalBucket {
  url: string;
  key: AccessKey;
  service: BucketService;
  /** Sends a signed request. `path` is `/bucket/key`, not encoded. */
  send(method: string, path: string, signing?: SigningOptions): Promise<S3Response>;
  /** The names of the files on disk. */
  files(): string[];
  /** What a client needs to write to the bucket `exports`. */
  target(change?: Partial<S3Target>): S3Target;
  stop(): Promise<void>;
}

/** Starts a bucket server for all tests of a file, or for each one. */
export function useBucket(before = beforeAll, after = afterAll): LocalBucket {
  const bucket = {} as LocalBucket;
  before(async () => void Object.assign(bucket, await startBucket()));
  after(() => bucket.stop());
  return bucket;
}

async function startBucket(): Promise<LocalBucket> {
  const folder = mkdtempSync(join(tmpdir(), "bucket-"));
  const store = new Store(folder, [tables]);
  const service = openBucketService(folder, store);
  const key = { accessKeyId: "TESTKEY", secretAccessKey: "test/secret+1" };
  const server = await serveBuckets(service, { bucketPort: 0, host: "127.0.0.1", allowHost: [] }, key);
  return {
    url: server.origin,
    key,
    service,
    send: (method, path, signing) => sendRequest(sign(server.origin, key, method, path, signing)),
    files: () => readdirSync(join(folder, "bucket", "objects")),
    target(change) {
      const place = { bucketName: "exports", endpointUrl: server.origin, addressingStyle: "auto" as const };
      return { ...place, ...key, ...change };
    },
    async stop() {
      await server.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
