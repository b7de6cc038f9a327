import { once } from "node:events";
import { readdirSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { type Emulator, type EmulatorOptions, startEmulator, UsageError } from "../../src/index";
import { type SigningOptions, sendHead, sendRequest, sign, xmlTexts } from "../support/bucket/s3-request";
import { startCommand } from "../support/cli/command";
import { newFolder } from "../support/folder";

const emulators: Emulator[] = [];

afterEach(async () => {
  for (const emulator of emulators.splice(0)) await emulator.stop();
});

async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  emulators.push(emulator);
  return emulator;
}

const objectFiles = (folder: string) => readdirSync(join(folder, "bucket", "objects"));
const send = ({ bucket }: Emulator, method: string, path: string, signing?: SigningOptions) =>
  sendRequest(sign(bucket.url, bucket, method, path, signing));

test("objects, uploads in progress and the access key survive a restart", async () => {
  const data = newFolder();
  const first = await start({ data });
  await send(first, "PUT", "/exports/kept", { body: "kept" });
  const upload = await send(first, "POST", "/exports/later", { query: { uploads: "" } });
  const uploadId = xmlTexts(upload.text, "UploadId")[0] ?? "";
  const part = await send(first, "PUT", "/exports/later", { query: { uploadId, partNumber: "1" }, body: "part" });
  await first.stop();
  const second = await start({ data });
  expect({ ...second.bucket, url: "" }).toEqual({ ...first.bucket, url: "" });
  expect((await send(second, "GET", "/exports/kept")).text).toBe("kept");
  const parts = `<Part><PartNumber>1</PartNumber><ETag>${part.headers.get("etag")}</ETag></Part>`;
  const body = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`;
  expect((await send(second, "POST", "/exports/later", { query: { uploadId }, body })).status).toBe(200);
  expect((await send(second, "GET", "/exports/later")).text).toBe("part");
});

test("a killed process leaves no partial object, and the next start deletes its partial files", async () => {
  const data = newFolder();
  const key = { accessKeyId: "KILLED", secretAccessKey: "killed-secret" };
  const args = ["--bucket-key", key.accessKeyId, "--bucket-secret", key.secretAccessKey];
  const { bucket: url, kill } = await startCommand("--data", data, ...args);
  await sendRequest(sign(url, key, "PUT", "/exports/whole", { body: "whole" }));
  const body = Buffer.alloc(1024 ** 2);
  sendHead(sign(url, key, "PUT", "/exports/half", { body })).write(body.subarray(0, 300_000));
  while (objectFiles(data).length < 2) await new Promise((next) => setImmediate(next));
  await kill();
  expect(objectFiles(data)).toHaveLength(2);
  const next = await start({ data, bucketKey: key.accessKeyId, bucketSecret: key.secretAccessKey });
  expect(objectFiles(data)).toHaveLength(1);
  expect((await send(next, "GET", "/exports/half")).code).toBe("NoSuchKey");
  expect((await send(next, "GET", "/exports/whole")).text).toBe("whole");
});

test("a reset deletes all objects, also on disk, and every bucket except the first", async () => {
  const data = newFolder();
  const emulator = await start({ data });
  await send(emulator, "PUT", "/other-bucket");
  await send(emulator, "PUT", "/other-bucket/object", { body: "x" });
  await send(emulator, "PUT", "/exports/object", { body: "x" });
  await emulator.reset();
  expect(xmlTexts((await send(emulator, "GET", "/")).text, "Name")).toEqual(["exports"]);
  expect((await send(emulator, "GET", "/exports/object")).code).toBe("NoSuchKey");
  expect(objectFiles(data)).toEqual([]);
});

test("a write to a bucket that is deleted meanwhile stores no object", async () => {
  const data = newFolder();
  const emulator = await start({ data });
  const admin = (method: string, name: string) => fetch(`${emulator.urls.admin}/buckets/${name}`, { method });
  expect((await admin("PUT", "going")).status).toBe(201);
  await send(emulator, "PUT", "/going/before", { body: "x" });
  const { bucket } = emulator;
  const socket = sendHead(sign(bucket.url, bucket, "PUT", "/going/object", { body: "12" }));
  socket.write("1");
  while (objectFiles(data).length < 2) await new Promise((next) => setImmediate(next));
  expect((await admin("DELETE", "going")).status).toBe(204);
  socket.write("2");
  expect(await readText(socket)).toContain("<Code>NoSuchBucket</Code>");
  expect(objectFiles(data)).toEqual([]);
  expect((await admin("DELETE", "going")).status).toBe(404);
  expect((await admin("PUT", "No")).status).toBe(400);
});

test("the admin API counts the objects in buckets", async () => {
  const emulator = await start();
  await send(emulator, "PUT", "/exports/a", { body: "12345" });
  const { buckets } = (await (await fetch(`${emulator.urls.admin}/buckets`)).json()) as { buckets: object[] };
  expect(buckets).toEqual([{ name: "exports", created_at: expect.any(String), objects: 1, bytes: 5 }]);
});

test("a request may name the bucket in the host and only the key in the path", async () => {
  const emulator = await start();
  const { url } = emulator.bucket;
  await send(emulator, "PUT", "/exports/dir/a b", { body: "by path" });
  const signed = sign(url.replace("127.0.0.1", "exports.localhost"), emulator.bucket, "GET", "/dir/a b");
  const request = get(signed.url.replace("exports.localhost", "127.0.0.1"), { headers: signed.headers });
  const [response] = await once(request, "response");
  expect(await readText(response)).toBe("by path");
});

test("a port in use and an invalid access key are usage errors", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const data = newFolder();
  await expect(startEmulator({ data, bucketPort: port })).rejects.toThrow(
    new UsageError(
      `Port ${port} on 127.0.0.1 (the bucket) is already in use. Stop the process that is using it, or choose ` +
        "another port with --bucket-port.",
    ),
  );
  other.close();
  await expect(startEmulator({ data, bucketKey: "a/b" })).rejects.toThrow(UsageError);
  await expect(startEmulator({ data, bucketSecret: "short" })).rejects.toThrow(UsageError);
  // The failed starts have released the data folder.
  await start({ data });
});
