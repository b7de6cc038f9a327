/** Buckets that tests export to: the emulator's, and one of an independent S3 server. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listKeys, sendSigned } from "../../../emulator/test/support/bucket/client";
import { startForeignBucket } from "../../../emulator/test/support/bucket/foreign-bucket";
import type { World } from "./world";

/** A server with one bucket, `exports`, which can be removed with its contents and created again. */
export interface Bucket {
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  remove(): Promise<void>;
  create(): Promise<void>;
  stop(): Promise<void>;
}

export async function emulatorBucket({ emulator }: World): Promise<Bucket> {
  const admin = async (method: string) => {
    const response = await fetch(`${emulator.urls.admin}/buckets/exports`, { method });
    if (!response.ok) throw new Error(`${method} of the bucket: ${response.status} ${await response.text()}`);
  };
  const stop = () => Promise.resolve();
  return { ...emulator.bucket, remove: () => admin("DELETE"), create: () => admin("PUT"), stop };
}

export async function foreignBucket(): Promise<Bucket> {
  const { url, accessKeyId, secretAccessKey, folder, createBucket, stop } = await startForeignBucket();
  createBucket("exports");
  const remove = () => rm(join(folder, "exports"), { recursive: true });
  return { url, accessKeyId, secretAccessKey, remove, create: async () => createBucket("exports"), stop };
}

/** The URL and the credentials of a bucket. */
type BucketAccess = Pick<Bucket, "url" | "accessKeyId" | "secretAccessKey">;

/** Returns source code that declares a destination named `lake` in a bucket. */
export function destinationSource(
  { url, accessKeyId, secretAccessKey }: BucketAccess,
  prefix: string,
  options = {},
): string {
  const config = { bucketName: "exports", prefix, endpointUrl: url };
  const inputs = { destinationType: "s3", displayName: "lake", config, credentials: { accessKeyId, secretAccessKey } };
  return (
    `const lake = new agentgraph.BulkExportDestination("lake", ${JSON.stringify(inputs)}, ` +
    `${JSON.stringify(options)});\n`
  );
}

/** Downloads every object to its key below a folder. @returns The keys. */
export async function downloadObjects(
  folder: string,
  { url, accessKeyId, secretAccessKey }: BucketAccess,
): Promise<string[]> {
  const bucket = { url, accessKeyId, secretAccessKey };
  const all = await listKeys(bucket);
  for (const key of all) {
    const path = join(folder, key);
    await mkdir(dirname(path), { recursive: true });
    const response = await sendSigned(bucket, "GET", `exports/${key}`);
    await writeFile(path, Buffer.from(await response.arrayBuffer()));
  }
  return all;
}
