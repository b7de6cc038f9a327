/** Random signed requests to the bucket: rejected with an S3 error, or executed. */
import fc from "fast-check";
import { routes } from "../../src/bucket/routes";
import { startEmulator } from "../../src/index";
import { readResponse, type S3Response, sendRequest, sign, signUrl, xmlTexts } from "../support/bucket/s3-request";

/** Runs per route: more with FUZZ_RUNS. */
const RUNS = Math.ceil(1.5 * Number(process.env.FUZZ_RUNS ?? 1));
const SEED = Number(process.env.FUZZ_SEED ?? 1);

const BUCKETS = ["exports", "other", "a", "UPPER", "..", "x".repeat(70), "__proto__", "a b"];
const KEYS = [
  ...["kept", "folder/kept", "folder/", "", " ", "../kept", "a//b", "%", "ü/日本", "a\u0001"],
  ...["k".repeat(1024), "k".repeat(1025)],
];
const NUMBERS = ["0", "1", "2", "10001", "-1", "1.5", "1e9", "NaN", "", "x"];
const PARAMETERS: Record<string, readonly string[]> = {
  ...{ uploads: ["", "x"], delete: ["", "x"], location: [""], versioning: [""], acl: [""], versionId: ["null"] },
  ...{ "list-type": ["2", "1", ""], "max-keys": NUMBERS, "max-parts": NUMBERS, "max-uploads": NUMBERS },
  ...{ prefix: KEYS, delimiter: ["/", "", "//"], "start-after": KEYS, marker: KEYS, "encoding-type": ["url", "x"] },
  ...{ "continuation-token": ["", "x", "a2VwdA=="], "part-number-marker": NUMBERS, partNumber: NUMBERS },
};
const HEADERS: Record<string, readonly string[]> = {
  range: ["bytes=0-1", "bytes=5-1", "bytes=-1", "bytes=0-1,3-4", "bytes=99999999999999999999-", "x"],
  "if-match": ['"x"', "*", ""],
  "if-none-match": ["*", "x"],
  "if-modified-since": ["x", "Thu, 01 Jan 1970 00:00:00 GMT"],
  "x-amz-copy-source": ["exports/kept", "/exports/kept", "exports", "", "%", "other/none?versionId=1", "../x"],
  "x-amz-copy-source-range": ["bytes=0-1", "bytes=1-0", "x"],
  "x-amz-metadata-directive": ["REPLACE", "x"],
  "x-amz-checksum-crc32": ["AAAAAA==", "x"],
  "x-amz-sdk-checksum-algorithm": ["CRC32", "x"],
  "content-md5": ["x", "1B2M2Y8AsgTpgAmY7PhCfg=="],
  "content-encoding": ["aws-chunked", "gzip"],
  "x-amz-decoded-content-length": NUMBERS,
  "x-amz-meta-a": ["", "ü", "x".repeat(5000)],
};
const BODIES = [
  ...["", "text", "<", "<Delete/>", "<Delete><Object><Key>kept</Key></Object></Delete>", "<Delete><Object/></Delete>"],
  "<CompleteMultipartUpload/>",
  "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>",
  "<CompleteMultipartUpload><Part><PartNumber>x</PartNumber><ETag>&#0;&bad;</ETag></Part></CompleteMultipartUpload>",
  ...['<!DOCTYPE a [<!ENTITY e "x">]><Delete>&e;</Delete>', "<a>".repeat(20_000)],
  "5;chunk-signature=x\r\nhello\r\n0\r\n\r\n",
];
const PAYLOADS = ["UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "x"];

const METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"];
const someOf = (values: Record<string, readonly string[]>) =>
  fc
    .dictionary(fc.constantFrom(...Object.keys(values)), fc.nat(), { maxKeys: 2, noNullPrototype: true })
    .map((chosen) =>
      Object.fromEntries(
        Object.entries(chosen).map(([name, at]) => [name, values[name]?.[at % values[name].length] ?? ""]),
      ),
    );

test.each(
  routes.map(
    (route) => [`${route.method} ${route.level} ${route.query.join(" ")} ${route.header ?? ""}`.trim(), route] as const,
  ),
)(
  "the operation %s never fails with an internal error, and the next request succeeds",
  async (_name, route) => {
    const emulator = await startEmulator({ speed: "instant" });
    const { bucket } = emulator;
    const send = (method: string, path: string, options: Parameters<typeof sign>[4] = {}) =>
      sendRequest(sign(bucket.url, bucket, method, path, options));
    await send("PUT", "/exports/kept", { body: "kept" });
    const { text } = await send("POST", "/exports/part", { query: { uploads: "" } });
    const [uploadId = ""] = xmlTexts(text, "UploadId");
    const chosen = {
      bucket: usually(fc.constant("exports"), fc.constantFrom(...BUCKETS)),
      key: usually(fc.constantFrom("kept", "part"), fc.constantFrom(...KEYS)),
      method: usually(fc.constant(route.method), fc.constantFrom(...METHODS)),
      query: usually(fc.constant({}), someOf({ ...PARAMETERS, uploadId: [uploadId, "x", ""] })),
      headers: usually(fc.constant({}), someOf(HEADERS)),
      body: fc.constantFrom(...BODIES),
      payload: usually(fc.constant(undefined), fc.constantFrom(...PAYLOADS)),
    };
    const property = fc.asyncProperty(fc.record(chosen), async ({ method, query, headers, body, payload, ...path }) => {
      const own = Object.fromEntries(route.query.map((name) => [name, name === "uploadId" ? uploadId : "1"]));
      const target = { service: "/", bucket: `/${path.bucket}`, object: `/${path.bucket}/${path.key}` }[route.level];
      const hasBody = !["GET", "HEAD"].includes(method);
      const all = { ...(route.header && { [route.header]: "/exports/kept" }), ...headers };
      const content = { ...(hasBody && { body }), ...(payload && { payload }) };
      expectS3(method, await send(method, target, { query: { ...own, ...query }, headers: ascii(all), ...content }));
      expectS3("GET", await readResponse(await fetch(signUrl(bucket.url, bucket, "GET", target, 60))));
      expect((await send("GET", "/")).status).toBe(200);
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED }).finally(() => emulator.stop());
  },
  120_000,
);

/** A response is a success, or an error with a code of S3 that is not its own failure. */
function expectS3(method: string, { status, code, text }: S3Response): void {
  if (status >= 500 && status !== 501) throw new Error(`status ${status}: ${text}`);
  if (status >= 400 && method !== "HEAD") expect(code).toMatch(/^[A-Z]\w+$/);
}

/** Headers are bytes. */
const ascii = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, "?")]));

const usually = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: other });
