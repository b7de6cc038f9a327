import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance, type Json } from "@duckdb/node-api";
import { AwsClient } from "aws4fetch";
import type { Emulator } from "../../../src/index";
import type { RunBody, TracingClient } from "../bulk-export/exports";
import { newFolder } from "../folder";

type Bucket = Emulator["bucket"];

/** One signed request to the emulator's bucket server. */
export async function sendSigned({ url, ...key }: Bucket, method: string, path: string): Promise<Response> {
  return await new AwsClient({ ...key, service: "s3", region: "us-east-1" }).fetch(`${url}/${path}`, { method });
}

/** The keys of all objects of a bucket. */
export async function listKeys(bucket: Bucket, name = "exports"): Promise<string[]> {
  const text = await (await sendSigned(bucket, "GET", `${name}?list-type=2`)).text();
  return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => String(match[1]));
}

/** The body of a destination in the emulator's own bucket. */
export function destinationBody(bucket: Bucket, config: object = {}, credentials: object = {}) {
  const { url, accessKeyId, secretAccessKey } = bucket;
  return {
    destination_type: "s3",
    display_name: "My bucket",
    config: { bucket_name: "exports", prefix: "traces", endpoint_url: url, ...config },
    credentials: { access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...credentials },
  };
}

/** A destination in the emulator's own bucket, tried and saved. */
export async function createDestination(tracing: TracingClient, config: object = {}): Promise<string> {
  const path = "/api/v1/bulk-exports/destinations";
  const response = await tracing.post(path, destinationBody(tracing.client.emulator.bucket, config));
  expect(response).toMatchObject({ status: 200 });
  return response.body.id;
}

/** The files of some runs, in a folder as DuckDB reads it, each below the partitions of its path. */
export async function download(bucket: Bucket, runs: readonly RunBody[]): Promise<string[]> {
  const folder = newFolder();
  const files = runs.flatMap((run) => run.metadata.result?.exported_files ?? []);
  const contents = await Promise.all(files.map(async (path) => (await sendSigned(bucket, "GET", path)).arrayBuffer()));
  return contents.map((content, index) => {
    const file = join(folder, `${index}.parquet`);
    writeFileSync(file, Buffer.from(content));
    return file;
  });
}

/** What DuckDB, which is not ours, reads in Parquet files; `{}` stands for them. */
export async function queryParquet(files: readonly string[], sql: string): Promise<Record<string, Json>[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    const list = files.map((file) => `'${file}'`).join(", ");
    return (await connection.runAndReadAll(sql.replace("{}", `read_parquet([${list}])`))).getRowObjectsJson();
  } finally {
    connection.closeSync();
  }
}
