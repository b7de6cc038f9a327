/** The bucket that exports write to, read back by an independent client and an independent reader of Parquet. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AwsClient } from "aws4fetch";

export interface Bucket {
  name: string;
  region: string;
  /** Undefined for the cloud's own store. */
  endpoint?: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Returns the keys of the objects below a prefix. */
export async function listObjects(bucket: Bucket, prefix: string): Promise<string[]> {
  const text = await (await send(bucket, "GET", `?list-type=2&prefix=${encodeURIComponent(prefix)}`)).text();
  return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => String(match[1]));
}

export async function removeObjects(bucket: Bucket, prefix: string): Promise<void> {
  for (const key of await listObjects(bucket, prefix)) await send(bucket, "DELETE", `/${encodePath(key)}`);
}

/** Downloads the Parquet files below a prefix. @returns The number of rows in all of them. */
export async function countRows(bucket: Bucket, keys: readonly string[], folder: string): Promise<number> {
  const files: string[] = [];
  for (const key of keys.filter((key) => key.endsWith(".parquet"))) {
    const file = join(folder, key.replaceAll("..", "_"));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(await (await send(bucket, "GET", `/${encodePath(key)}`)).arrayBuffer()));
    files.push(file);
  }
  if (files.length === 0) return 0;
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    const list = files.map((file) => `'${file.replaceAll("'", "''")}'`).join(", ");
    const result = await connection.runAndReadAll(`SELECT count(*)::INT AS rows FROM read_parquet([${list}])`);
    return Number(result.getRowObjectsJson()[0]?.rows);
  } finally {
    connection.closeSync();
  }
}

async function send({ name, region, endpoint, ...key }: Bucket, method: string, path: string): Promise<Response> {
  const base = endpoint ? `${endpoint.replace(/\/+$/, "")}/${name}` : `https://${name}.s3.${region}.amazonaws.com`;
  const client = new AwsClient({ ...key, service: "s3", region });
  const response = await client.fetch(base + path, { method });
  if (!response.ok) throw new Error(`${method} of the bucket ${name}: ${response.status} ${await response.text()}`);
  return response;
}

const encodePath = (key: string) => key.split("/").map(encodeURIComponent).join("/");
