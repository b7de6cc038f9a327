import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chunkedBody,
  readResponse,
  type SigningOptions,
  sendHead,
  sendRequest,
  sign,
  signUrl,
} from "../../support/bucket/s3-request";
import { useBucket } from "../../support/bucket/server";

const bucket = useBucket();

const content = Buffer.from("123456789".repeat(20_000));
/** The checksum of "123456789". */
const crc32 = Buffer.from("cbf43926", "hex").toString("base64");

type Signed = ReturnType<typeof sign>;

/** Puts an object, with another body than the signed one, and expects that a rejected one leaves no file. */
async function put(signing: SigningOptions, bodyOf = (signed: Signed): Signed["body"] => signed.body) {
  const before = bucket.files().length;
  const signed = sign(bucket.url, bucket.key, "PUT", "/exports/body", signing);
  const response = await sendRequest({ ...signed, body: bodyOf(signed) });
  if (response.status !== 200) expect(bucket.files()).toHaveLength(before);
  return response;
}

async function readObject(): Promise<Buffer> {
  return (await bucket.send("GET", "/exports/body")).bytes;
}

test("a body may be unsigned, and a signed one must match its signature", async () => {
  expect((await put({ body: content })).status).toBe(200);
  expect((await readObject()).equals(content)).toBe(true);
  expect((await put({ body: "not signed", payload: "UNSIGNED-PAYLOAD" })).status).toBe(200);
  const forged = await put({ body: "signed" }, () => Buffer.from("forged"));
  expect(forged).toMatchObject({ status: 400, code: "XAmzContentSHA256Mismatch" });
  expect((await readObject()).toString()).toBe("not signed");
  expect(await put({ body: "x", payload: "whatever" })).toMatchObject({ status: 400, code: "InvalidArgument" });
});

describe("chunks", () => {
  const chunks = [content.subarray(0, 65_536), content.subarray(65_536, 100_001), content.subarray(100_001)];
  const streaming = (payload: string, headers: Record<string, string> = {}): SigningOptions => ({
    payload,
    headers: { "content-encoding": "aws-chunked", "x-amz-decoded-content-length": String(content.length), ...headers },
  });
  const sha256 = createHash("sha256").update(content).digest("base64");
  const trailer = { "x-amz-checksum-sha256": sha256 };

  test("that are signed are stored, and a changed byte is rejected", async () => {
    const signing = streaming("STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
    expect((await put(signing, (signed) => chunkedBody(chunks, {}, signed))).status).toBe(200);
    expect((await readObject()).equals(content)).toBe(true);
    expect((await bucket.send("HEAD", "/exports/body")).headers.get("content-encoding")).toBeNull();
    const forged = await put(signing, (signed) => chunkedBody(chunks, {}, signed).fill(0, 70_000, 70_001));
    expect(forged).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
  });

  test("may end with signed trailers", async () => {
    const signing = streaming("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", {
      "x-amz-trailer": "x-amz-checksum-sha256",
    });
    const response = await put(signing, (signed) => chunkedBody(chunks, trailer, signed));
    expect(response.status).toBe(200);
    expect(response.headers.get("x-amz-checksum-sha256")).toBe(sha256);
    const forged = await put(signing, (signed) => {
      const body = chunkedBody(chunks, trailer, signed).toString("latin1");
      return Buffer.from(body.replace("checksum-sha256:", "checksum-sha256: x"), "latin1");
    });
    expect(forged).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
  });

  test("may be unsigned with a trailing checksum, which must match", async () => {
    const headers = { "x-amz-trailer": "x-amz-checksum-crc32", "x-amz-decoded-content-length": "9" };
    const signing = streaming("STREAMING-UNSIGNED-PAYLOAD-TRAILER", headers);
    const digits = [Buffer.from("1234"), Buffer.from("56789")];
    expect((await put(signing, () => chunkedBody(digits, { "x-amz-checksum-crc32": crc32 }))).status).toBe(200);
    const object = await bucket.send("GET", "/exports/body", { headers: { "x-amz-checksum-mode": "ENABLED" } });
    expect([object.text, object.headers.get("x-amz-checksum-crc32")]).toEqual(["123456789", crc32]);
    for (const trailers of [{ "x-amz-checksum-crc32": "AAAAAA==" }, {}] as Record<string, string>[]) {
      expect(await put(signing, () => chunkedBody(digits, trailers))).toMatchObject({ status: 400, code: "BadDigest" });
    }
  });

  test.each([
    ["end early", (body: Buffer) => body.subarray(0, 100_000)],
    ["have no size", () => Buffer.from("what?\r\n")],
    ["are longer than declared", () => Buffer.from("1\r\nab\r\n0\r\n\r\n")],
    ["are shorter than declared", () => Buffer.from("1\r\na\r\n0\r\n\r\n")],
    ["have a line that never ends", () => Buffer.alloc(100_000, "1")],
  ])("that %s are rejected", async (_, corrupt) => {
    const signing = streaming("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    const response = await put(signing, () => corrupt(chunkedBody(chunks, {})));
    expect(response).toMatchObject({ status: 400, code: "IncompleteBody" });
  });

  test("that are invalid are rejected before the body is complete", async () => {
    const signing = streaming("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    const body = Buffer.concat([Buffer.from("what?\r\n"), Buffer.alloc(32 * 1024 ** 2)]);
    expect(await put(signing, () => body)).toMatchObject({ status: 400, code: "IncompleteBody" });
  });
});

test("a key list that is too long is rejected before the body is complete", async () => {
  const headers = { "content-md5": createHash("md5").digest("base64") };
  const body = Buffer.alloc(32 * 1024 ** 2, " ");
  const response = await bucket.send("POST", "/exports", { query: { delete: "" }, headers, body });
  expect(response).toMatchObject({ status: 400, code: "MalformedXML" });
});

test("a checksum in a header must match", async () => {
  const digits = "123456789";
  expect((await put({ body: digits, headers: { "x-amz-checksum-crc32": crc32 } })).status).toBe(200);
  const md5 = createHash("md5").update("other").digest("base64");
  for (const headers of [{ "x-amz-checksum-crc32": "AAAAAA==" }, { "content-md5": md5 }] as Record<string, string>[])
    expect(await put({ body: digits, headers })).toMatchObject({ status: 400, code: "BadDigest" });
  expect(await put({ body: digits, headers: { "content-md5": "xx" } })).toMatchObject({ code: "InvalidDigest" });
});

test("a writer that disconnects leaves neither an object nor a file", async () => {
  const before = bucket.files().length;
  const socket = sendHead(sign(bucket.url, bucket.key, "PUT", "/exports/half", { body: content }));
  socket.write(content.subarray(0, 90_000));
  await waitFor(() => bucket.files().length === before + 1);
  socket.destroy();
  await once(socket, "close");
  await waitFor(() => bucket.files().length === before);
  expect(await bucket.send("GET", "/exports/half")).toMatchObject({ code: "NoSuchKey" });
});

/** Waits until a condition is true, for at most five seconds. */
async function waitFor(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!condition() && Date.now() < deadline) await new Promise((next) => setImmediate(next));
  expect(condition()).toBe(true);
}

describe("an unauthorized request", () => {
  const sendWith = (change: Partial<typeof bucket.key>, signing: SigningOptions = {}) =>
    sendRequest(sign(bucket.url, { ...bucket.key, ...change }, "GET", "/exports", signing));

  test("is rejected for a wrong access key, secret or time", async () => {
    expect(await sendWith({ accessKeyId: "UNKNOWN" })).toMatchObject({ status: 403, code: "InvalidAccessKeyId" });
    expect(await sendWith({ secretAccessKey: "wrong" })).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    for (const at of [minutes(-16), minutes(16)])
      expect(await sendWith({}, { at })).toMatchObject({ status: 403, code: "RequestTimeTooSkewed" });
    expect((await sendWith({}, { at: minutes(-14) })).status).toBe(200);
  });

  test("is rejected without a signature, with an older version, and with unsigned headers", async () => {
    const plain = async (headers: Record<string, string>) =>
      readResponse(await fetch(`${bucket.url}/exports`, { headers }));
    expect(await plain({})).toMatchObject({ status: 403, code: "AccessDenied" });
    expect(await plain({ authorization: "AWS key:signature" })).toMatchObject({ status: 400, code: "InvalidRequest" });
    const times = { "x-amz-content-sha256": "UNSIGNED-PAYLOAD", "x-amz-date": "20260101T000000Z" };
    const malformed = await plain({ authorization: "AWS4-HMAC-SHA256 Credential=x", ...times });
    expect(malformed).toMatchObject({ status: 400, code: "AuthorizationHeaderMalformed" });
    const unsigned = await sendWith({}, { unsigned: { "x-amz-meta-a": "b" } });
    expect(unsigned).toMatchObject({ status: 403, code: "AccessDenied" });
  });

  test("is rejected if its URL was modified or has expired", async () => {
    await bucket.send("PUT", "/exports/by url", { body: "x" });
    const read = async (url: string) => readResponse(await fetch(url));
    const url = signUrl(bucket.url, bucket.key, "GET", "/exports/by url", 60);
    expect((await read(url)).text).toBe("x");
    expect(await read(url.replace("by%20url", "ten"))).toMatchObject({ code: "SignatureDoesNotMatch" });
    const expiredUrl = signUrl(bucket.url, bucket.key, "GET", "/exports/by url", 60, new Date(Date.now() - 61_000));
    const text = expect.stringContaining("Request has expired");
    expect(await read(expiredUrl)).toMatchObject({ status: 403, code: "AccessDenied", text });
    const tooLong = await read(signUrl(bucket.url, bucket.key, "GET", "/exports/by url", 604_801));
    expect(tooLong).toMatchObject({ status: 400, code: "AuthorizationQueryParametersError" });
  });

  test("is rejected while it still sends a large body", async () => {
    const wrong = { ...bucket.key, secretAccessKey: "wrong" };
    const body = Buffer.alloc(32 * 1024 ** 2);
    const response = await sendRequest(sign(bucket.url, wrong, "PUT", "/exports/large", { body }));
    expect(response).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
  });
});
