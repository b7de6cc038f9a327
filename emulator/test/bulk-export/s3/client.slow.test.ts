import { execFile } from "node:child_process";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { S3Client } from "../../../src/bulk-export/s3/client";
import { serve } from "../../support/bucket/http-server";
import { xmlTexts } from "../../support/bucket/s3-request";
import { type LocalBucket, useBucket } from "../../support/bucket/server";

const bucket = useBucket();

const target: LocalBucket["target"] = (change) => bucket.target(change);

// @covers 2C.Destination.credentials:session
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
  test("can be aborted after its signal, which ends pending requests with its reason", async () => {
    const part = Buffer.alloc(5 * 1024 ** 2, "p");
    const controller = new AbortController();
    const upload = await new S3Client(target(), { signal: controller.signal }).startMultipartUpload("given-up");
    await upload.uploadPart(part);
    const reason = new Error("canceled");
    const next = upload.uploadPart(part);
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    await upload.abort();
    const { text } = await bucket.send("GET", "/exports", { query: { uploads: "" } });
    expect(xmlTexts(text, "Key")).not.toContain("given-up");
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
