import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { objectUrl } from "../../../src/bulk-export/s3/address";
import { BucketError, S3Client, type S3Target } from "../../../src/bulk-export/s3/client";
import { explainBucketError, probeDestination } from "../../../src/bulk-export/s3/probe";
import { xmlTexts } from "../../support/bucket/s3-request";
import { type LocalBucket, startBucket } from "../../support/bucket/server";

let bucket: LocalBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.stop());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const target = (change: Partial<S3Target> = {}): S3Target => ({
  bucketName: "exports",
  endpointUrl: bucket.url,
  addressingStyle: "auto",
  ...bucket.key,
  ...change,
});

const keys = async () => xmlTexts((await bucket.send("GET", "/exports")).text, "Key");

async function probeError(change: Partial<S3Target>): Promise<BucketError> {
  const error = await probeDestination(target(change), "p").catch((error) => error);
  expect(error).toBeInstanceOf(BucketError);
  return error;
}

/** Starts a server that is not an object store, and returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

describe("the URL of an object", () => {
  const at = (change: Partial<S3Target>, key = "dir/a b+c") =>
    objectUrl(target({ endpointUrl: undefined, ...change }), key).href;

  // @covers 2C.Destination.config:place
  test.each<[string, Partial<S3Target>, string]>([
    ["has the bucket in the host of the cloud store", {}, "https://exports.s3.us-east-1.amazonaws.com/dir/a%20b%2Bc"],
    ["has the region in the host", { region: "eu-west-1" }, "https://exports.s3.eu-west-1.amazonaws.com/dir/a%20b%2Bc"],
    [
      "has the bucket in the path with the addressing style path",
      { addressingStyle: "path" },
      "https://s3.us-east-1.amazonaws.com/exports/dir/a%20b%2Bc",
    ],
    [
      "has a bucket with dots in the path",
      { bucketName: "a.b.c" },
      "https://s3.us-east-1.amazonaws.com/a.b.c/dir/a%20b%2Bc",
    ],
    [
      "has the bucket in the path of an endpoint",
      { endpointUrl: "https://store.example/" },
      "https://store.example/exports/dir/a%20b%2Bc",
    ],
    [
      "has the bucket in the host of an endpoint with the addressing style virtual",
      { endpointUrl: "https://store.example", addressingStyle: "virtual" },
      "https://exports.store.example/dir/a%20b%2Bc",
    ],
    [
      "never has the bucket before an IP address",
      { endpointUrl: "http://[::1]:9000", addressingStyle: "virtual" },
      "http://[::1]:9000/exports/dir/a%20b%2Bc",
    ],
    [
      "is below the path of the endpoint",
      { endpointUrl: "http://store.example:1/s3/" },
      "http://store.example:1/s3/exports/dir/a%20b%2Bc",
    ],
  ])("%s", (_, change, url) => {
    expect(at(change)).toBe(url);
  });

  test("rejects keys and bucket names that lead to another object", () => {
    for (const key of ["a/../b", "./a", ".."])
      expect(() => at({}, key)).toThrow(expect.objectContaining({ code: "InvalidURI" }));
    for (const bucketName of ["a/b", "..", "a b", "", "a@b"]) {
      expect(() => at({ bucketName })).toThrow(expect.objectContaining({ code: "InvalidBucketName" }));
    }
  });
});

test("a probe writes and deletes an object below the prefix, and does not need permission to delete", async () => {
  await probeDestination(target(), "/some/prefix/");
  expect(await keys()).toEqual([]);
  const requests: string[] = [];
  const endpointUrl = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    if (request.method === "PUT") response.setHeader("etag", '"x"').end();
    else response.writeHead(403).end("<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>");
  });
  await probeDestination(target({ endpointUrl }), "/some/prefix/");
  expect(requests[0]).toMatch(/^PUT \/exports\/some\/prefix\/tmp\/[0-9a-f-]{36}\.txt$/);
  expect(requests[1]).toBe(requests[0]?.replace("PUT", "DELETE"));
});

test.each<[string, Partial<S3Target>, string, string]>([
  [
    "a wrong secret",
    { secretAccessKey: "wrong" },
    "SignatureDoesNotMatch",
    "The secret access key does not belong to the access Key ID: the signature does not match",
  ],
  ["an unknown key", { accessKeyId: "UNKNOWN" }, "InvalidAccessKeyId", "The access Key ID you provided does not exist"],
  ["a missing bucket", { bucketName: "missing-bucket" }, "NoSuchBucket", "Bucket is not valid: it does not exist"],
  [
    "an invalid bucket name",
    { bucketName: "a/b" },
    "InvalidBucketName",
    'Bucket is not valid: "a/b" is not a valid bucket name',
  ],
  [
    "an endpoint that is not a URL",
    { endpointUrl: "store.example" },
    "InvalidEndpoint",
    'Invalid endpoint: "store.example" is not a URL',
  ],
  [
    "an endpoint with another protocol",
    { endpointUrl: "ftp://store.example" },
    "InvalidEndpoint",
    'Invalid endpoint: "ftp://store.example" is not http or https',
  ],
  [
    "an unknown host",
    { endpointUrl: "http://no-such-host.invalid" },
    "UnknownHost",
    "Invalid endpoint: the host of http://no-such-host.invalid could not be resolved",
  ],
])("a probe with %s returns the cause", async (_, change, code, message) => {
  const error = await probeError(change);
  expect(error.code).toBe(code);
  expect(explainBucketError(error)).toBe(message);
});

test("an endpoint with credentials is rejected without repeating them", async () => {
  const error = await probeError({ endpointUrl: "https://user:hidden@store.example" });
  expect(error).toMatchObject({ code: "InvalidEndpoint" });
  expect(explainBucketError(error)).not.toContain("hidden");
});

test("a refused connection and a timeout have different errors", async () => {
  const endpointUrl = await serve(() => {});
  const slow = new S3Client(target({ endpointUrl }), { timeoutMs: 50 }).put("k", Buffer.from("x"));
  await expect(slow).rejects.toMatchObject({
    code: "Timeout",
    status: 0,
    message: `${endpointUrl} did not respond in time`,
  });
  servers.splice(0).forEach((server) => {
    server.closeAllConnections();
    server.close();
  });
  const error = await probeError({ endpointUrl });
  expect(explainBucketError(error)).toBe(
    `Could not connect to the endpoint: ${endpointUrl} could not be reached: the connection was refused`,
  );
});

test.each<[string, (request: IncomingMessage, response: ServerResponse) => void, string]>([
  ["returns 200 to any request", (_, response) => response.end("<html>Welcome</html>"), "InvalidAnswer"],
  ["returns 404 with HTML", (_, response) => response.writeHead(404).end("<html>Not Found</html>"), "InvalidAnswer"],
  ["redirects", (_, response) => response.writeHead(302, { location: "/login" }).end(), "InvalidAnswer"],
  ["returns 403 without a body", (_, response) => response.writeHead(403).end(), "AccessDenied"],
])("a web server that %s is not accepted as a bucket", async (_, respond, code) => {
  const endpointUrl = await serve((request, response) => {
    request.resume();
    respond(request, response);
  });
  expect((await probeError({ endpointUrl })).code).toBe(code);
});

test("a session token is signed and sent", async () => {
  let sentHeaders: IncomingMessage["headers"] = {};
  const endpointUrl = await serve((request, response) => {
    sentHeaders = request.headers;
    request.resume();
    response.setHeader("etag", '"x"').end();
  });
  await new S3Client(target({ endpointUrl, sessionToken: "a-token" })).put("k", Buffer.from("x"));
  expect(sentHeaders["x-amz-security-token"]).toBe("a-token");
  expect(sentHeaders.authorization).toContain("x-amz-security-token");
  await new S3Client(target({ sessionToken: "a-token" })).put("with-token", Buffer.from("x"));
  await new S3Client(target({ sessionToken: "a-token" })).delete("with-token");
});

describe("an upload in parts", () => {
  const part = Buffer.alloc(5 * 1024 ** 2, "p");

  test("becomes one object when it is completed", async () => {
    const upload = await new S3Client(target()).startMultipartUpload("multi/part");
    await upload.uploadPart(part);
    await upload.uploadPart(Buffer.from("end"));
    expect(await keys()).toEqual([]);
    await upload.complete();
    expect(
      (await bucket.send("GET", "/exports/multi/part")).bytes.equals(Buffer.concat([part, Buffer.from("end")])),
    ).toBe(true);
    await new S3Client(target()).delete("multi/part");
  });

  test("can be aborted after its signal, which ends pending requests with its reason", async () => {
    const controller = new AbortController();
    const upload = await new S3Client(target(), { signal: controller.signal }).startMultipartUpload("given-up");
    await upload.uploadPart(part);
    const reason = new Error("canceled");
    const next = upload.uploadPart(part);
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    await upload.abort();
    const { text } = await bucket.send("GET", "/exports", { query: { uploads: "" } });
    expect(xmlTexts(text, "UploadId")).toEqual([]);
  });

  test("fails if the store reports an error after it started to respond", async () => {
    const endpointUrl = await serve((request, response) => {
      request.resume();
      const { searchParams } = new URL(request.url ?? "", "http://x");
      if (searchParams.has("uploads")) response.end("<R><UploadId>1</UploadId></R>");
      else if (request.method === "PUT") response.setHeader("etag", '"x"').end();
      else response.end("  <Error><Code>InternalError</Code><Message>Try again</Message></Error>");
    });
    const upload = await new S3Client(target({ endpointUrl })).startMultipartUpload("k");
    await upload.uploadPart(Buffer.from("x"));
    await expect(upload.complete()).rejects.toMatchObject({ code: "InternalError", message: "Try again" });
  });

  test("of 64 MiB keeps at most a few parts in memory", async () => {
    const script = `
      const { S3Client } = require(${JSON.stringify(join(__dirname, "../../../dist/bulk-export/s3/client.js"))});
      (async () => {
        const upload = await new S3Client(${JSON.stringify(target())}).startMultipartUpload("large");
        let peak = 0;
        for (let part = 0; part < 8; part++) {
          await upload.uploadPart(Buffer.alloc(8 * 1024 ** 2, part));
          // The first collection finds unreferenced buffers, and the second one frees them.
          gc();
          gc();
          peak = Math.max(peak, process.memoryUsage().arrayBuffers);
        }
        await upload.complete();
        console.log(peak);
      })();`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", "-e", script]);
    expect(Number(stdout) / 1024 ** 2).toBeLessThan(4 * 8);
    expect((await bucket.send("HEAD", "/exports/large")).headers.get("content-length")).toBe(String(64 * 1024 ** 2));
  });
});
