import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance, type Json } from "@duckdb/node-api";
import { AwsClient } from "aws4fetch";
import type { Emulator } from "../../../src/index";
import type { RunBody, TracingClient } from "../bulk-export/exports";
import { newFolder } from "../folder";

type Bucket = Emulator["bucket"];

/** Sends a signed request to the emulator's bucket server. */
export async function sendSigned({ url, ...key }: Bucket, method: string, path: string): Promise<Response> {
  return await new AwsClient({ ...key, service: "s3", region: "us-east-1" }).fetch(`${url}/${path}`, { method });
}

/** Returns the keys of all objects of a bucket. */
export async function listKeys(bucket: Bucket, name = "exports"): Promise<string[]> {
  const text = await (await sendSigned(bucket, "GET", `${name}?list-type=2`)).text();
  return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => String(match[1]));
}

/** Returns the body of a destination in the emulator's bucket. */
export function destinationBody(bucket: Bucket, config: object = {}, credentials: object = {}) {
  const { url, accessKeyId, secretAccessKey } = bucket;
  return {
    destination_type: "s3",
    display_name: "My bucket",
    config: { bucket_name: "exports", prefix: "traces", endpoint_url: url, ...config },
    credentials: { access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...credentials },
  };
}

/** Creates a destination in the emulator's bucket and returns its ID. */
export async function createDestination(tracing: TracingClient, config: object = {}): Promise<string> {
  const path = "/api/v1/bulk-exports/destinations";
  const response = await tracing.post(path, destinationBody(tracing.client.emulator.bucket, config));
  expect(response).toMatchObject({ status: 200 });
  return response.body.id;
}

/** Downloads the files of runs to a temporary folder and returns their paths. */
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

/** Queries Parquet files with DuckDB, an independent reader; `{}` in the SQL represents the files. */
export async function queryParquet(files: readonly string[], sql: string): Promise<Record<string, Json>[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    const list = files.map((file) => `'${file}'`).join(", ");
    return (await connection.runAndReadAll(sql.replace("{}", `read_parquet([${list}])`))).getRowObjectsJson();
  } finally {
    connection.closeSync();
  }
}
