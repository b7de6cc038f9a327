import type { IncomingMessage, ServerResponse } from "node:http";
import { BucketError, S3Client, type S3Target } from "../../../src/bulk-export/s3/client";
import { explainBucketError, probeDestination } from "../../../src/bulk-export/s3/probe";
import { closeServers, serve } from "../../support/bucket/http-server";
import { xmlTexts } from "../../support/bucket/s3-request";
import { type LocalBucket, useBucket } from "../../support/bucket/server";

const bucket = useBucket();

const target: LocalBucket["target"] = (change) => bucket.target(change);
const keys = async () => xmlTexts((await bucket.send("GET", "/exports")).text, "Key");

async function probeError(change: Partial<S3Target>): Promise<BucketError> {
  const error = await probeDestination(target(change), "p").catch((error) => error);
  expect(error).toBeInstanceOf(BucketError);
  return error;
}

// @covers 4C.POST /api/v1/bulk-exports/destinations:probe
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

const mismatch = "The secret access key does not belong to the access Key ID: the signature does not match";
const unresolved = "the host of http://no-such-host.invalid could not be resolved";
test.each<[Partial<S3Target>, code: string, message: string]>([
  [{ secretAccessKey: "wrong" }, "SignatureDoesNotMatch", mismatch],
  [{ accessKeyId: "UNKNOWN" }, "InvalidAccessKeyId", "The access Key ID you provided does not exist"],
  [{ bucketName: "missing-bucket" }, "NoSuchBucket", "Bucket is not valid: it does not exist"],
  [{ bucketName: "a/b" }, "InvalidBucketName", 'Bucket is not valid: "a/b" is not a valid bucket name'],
  [{ endpointUrl: "store" }, "InvalidEndpoint", 'Invalid endpoint: "store" is not a URL'],
  [{ endpointUrl: "ftp://store" }, "InvalidEndpoint", 'Invalid endpoint: "ftp://store" is not http or https'],
  [{ endpointUrl: "http://no-such-host.invalid" }, "UnknownHost", `Invalid endpoint: ${unresolved}`],
])("a probe with %j returns the cause", async (change, code, message) => {
  const error = await probeError(change);
  expect([error.code, explainBucketError(error)]).toEqual([code, message]);
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
  closeServers();
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
