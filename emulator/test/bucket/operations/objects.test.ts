import { createHash } from "node:crypto";
import { xmlTexts } from "../../support/bucket/s3-request";
import { type LocalBucket, useBucket } from "../../support/bucket/server";

const bucket = useBucket();
const send: LocalBucket["send"] = (...request) => bucket.send(...request);

const md5 = (text: string) => createHash("md5").update(text).digest("hex");

test("an object is read as it was written, with its type, metadata and ETag", async () => {
  const headers = { "content-type": "text/plain", "x-amz-meta-made-by": "a test", "cache-control": "no-store" };
  const put = await send("PUT", "/exports/a b/+(x)'!*~/ü€/😀?&=#%.txt", { headers, body: "hello" });
  expect(put).toMatchObject({ status: 200, text: "" });
  expect(put.headers.get("etag")).toBe(`"${md5("hello")}"`);
  const object = await send("GET", "/exports/a b/+(x)'!*~/ü€/😀?&=#%.txt");
  expect(object).toMatchObject({ status: 200, text: "hello" });
  expect(Object.fromEntries(object.headers)).toMatchObject({
    ...headers,
    etag: `"${md5("hello")}"`,
    "content-length": "5",
    "accept-ranges": "bytes",
    "last-modified": expect.stringMatching(/ GMT$/),
  });
});

test("HEAD returns the headers of GET without content, and errors without a body", async () => {
  await send("PUT", "/exports/head", { body: "12345" });
  const head = await send("HEAD", "/exports/head");
  expect(head).toMatchObject({ status: 200, text: "" });
  expect(head.headers.get("content-length")).toBe("5");
  expect(await send("HEAD", "/exports/nothing")).toMatchObject({ status: 404, text: "" });
});

test("a missing object or bucket returns S3's error", async () => {
  const { status, text, headers } = await send("GET", "/exports/nothing/here");
  expect(status).toBe(404);
  expect(headers.get("content-type")).toBe("application/xml");
  expect(text.replace(/<RequestId>[0-9A-F]{16}<.*/, "")).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code>' +
      "<Message>The specified key does not exist.</Message><Key>nothing/here</Key>",
  );
  const missing = await send("PUT", "/no-such-bucket/key", { body: "x" });
  expect(missing).toMatchObject({ status: 404, code: "NoSuchBucket" });
  expect(xmlTexts(missing.text, "BucketName")).toEqual(["no-such-bucket"]);
});

test.each([
  ["bytes=2-4", 206, "cde", "bytes 2-4/10"],
  ["bytes=7-", 206, "hij", "bytes 7-9/10"],
  ["bytes=-2", 206, "ij", "bytes 8-9/10"],
  ["bytes=-99", 206, "abcdefghij", "bytes 0-9/10"],
  ["bytes=8-99", 206, "ij", "bytes 8-9/10"],
  ["bytes=0-1,3-4", 200, "abcdefghij", null],
  ["bytes=5-2", 200, "abcdefghij", null],
  ["pages=1-2", 200, "abcdefghij", null],
])("a request for the range %s returns %d and %s", async (range, status, text, contentRange) => {
  await send("PUT", "/exports/ten", { body: "abcdefghij" });
  const object = await send("GET", "/exports/ten", { headers: { range } });
  expect(object).toMatchObject({ status, text });
  expect(object.headers.get("content-range")).toBe(contentRange);
});

test("an empty range is rejected with the size of the object", async () => {
  await send("PUT", "/exports/ten", { body: "abcdefghij" });
  await send("PUT", "/exports/none", { body: "" });
  for (const [path, range] of [
    ["ten", "bytes=10-"],
    ["ten", "bytes=-0"],
    ["none", "bytes=0-"],
  ] as const) {
    const rejection = await send("GET", `/exports/${path}`, { headers: { range } });
    expect(rejection).toMatchObject({ status: 416, code: "InvalidRange" });
    expect(xmlTexts(rejection.text, "ActualObjectSize")).toEqual([path === "ten" ? "10" : "0"]);
  }
  expect(await send("GET", "/exports/none")).toMatchObject({ status: 200, text: "" });
});

test("a read honors its conditions", async () => {
  await send("PUT", "/exports/read", { body: "x" });
  const etag = `"${md5("x")}"`;
  const [past, future] = ["Tue, 01 Jan 2019 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"];
  const get = async (headers: Record<string, string>) => (await send("GET", "/exports/read", { headers })).status;
  expect(await get({ "if-match": etag })).toBe(200);
  expect(await get({ "if-match": '"other"' })).toBe(412);
  expect(await get({ "if-none-match": `"other", ${etag}` })).toBe(304);
  expect(await get({ "if-none-match": '"other"' })).toBe(200);
  expect(await get({ "if-modified-since": past })).toBe(200);
  expect(await get({ "if-modified-since": future })).toBe(304);
  expect(await get({ "if-unmodified-since": past })).toBe(412);
  // The ETag takes precedence over the time.
  expect(await get({ "if-match": etag, "if-unmodified-since": past })).toBe(200);
  expect(await get({ "if-none-match": '"other"', "if-modified-since": future })).toBe(200);
});

test("a write honors its conditions", async () => {
  const put = (body: string, headers: Record<string, string>) => send("PUT", "/exports/write", { body, headers });
  expect(await put("0", { "if-match": `"${md5("0")}"` })).toMatchObject({ status: 404, code: "NoSuchKey" });
  expect(await put("1", { "if-none-match": "*" })).toMatchObject({ status: 200 });
  expect(await put("2", { "if-none-match": "*" })).toMatchObject({ status: 412, code: "PreconditionFailed" });
  expect(await put("3", { "if-match": '"other"' })).toMatchObject({ status: 412, code: "PreconditionFailed" });
  expect(await put("4", { "if-match": `"${md5("1")}"` })).toMatchObject({ status: 200 });
  expect((await send("GET", "/exports/write")).text).toBe("4");
});

test("only one of four concurrent writers that require a new object succeeds", async () => {
  const headers = { "if-none-match": "*" };
  const all = await Promise.all([1, 2, 3, 4].map((n) => send("PUT", "/exports/race", { body: `${n}`, headers })));
  expect(all.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
});

test("overwriting and deleting leave no old content on disk, and a second deletion succeeds", async () => {
  const before = bucket.files().length;
  for (const body of ["one", "two", "three"]) await send("PUT", "/exports/again", { body });
  expect(bucket.files()).toHaveLength(before + 1);
  expect(await send("DELETE", "/exports/again")).toMatchObject({ status: 204, text: "" });
  expect(await send("DELETE", "/exports/again")).toMatchObject({ status: 204 });
  expect(await send("GET", "/exports/again")).toMatchObject({ code: "NoSuchKey" });
  expect(bucket.files()).toHaveLength(before);
});

test("several objects are deleted in one request, quietly or not, with a checksum of the request", async () => {
  for (const name of ["m1", "m 2", "m<3>"]) await send("PUT", `/exports/${name}`, { body: "x" });
  const remove = (xml: string, headers?: Record<string, string>) =>
    send("POST", "/exports", {
      query: { delete: "" },
      body: xml,
      headers: headers ?? { "content-md5": createHash("md5").update(xml).digest("base64") },
    });
  const keys = (...names: string[]) => names.map((name) => `<Object><Key>${name}</Key></Object>`).join("");
  const verbose = await remove(`<Delete>${keys("m1", "m 2", "never")}</Delete>`);
  expect(xmlTexts(verbose.text, "Key")).toEqual(["m1", "m 2", "never"]);
  expect(xmlTexts((await remove(`<Delete><Quiet>true</Quiet>${keys("m&lt;3&gt;")}</Delete>`)).text, "Key")).toEqual([]);
  for (const name of ["m1", "m 2", "m<3>"]) expect((await send("HEAD", `/exports/${name}`)).status).toBe(404);
  expect(await remove("<Delete></Delete>")).toMatchObject({ status: 400, code: "MalformedXML" });
  expect(await remove(`<Delete>${keys("a")}</Delete>`, {})).toMatchObject({ status: 400, code: "InvalidRequest" });
});

test("a copy has the content and metadata of its source, or new metadata", async () => {
  await send("PUT", "/exports/from/a b", { body: "copied", headers: { "x-amz-meta-who": "source" } });
  const copy = (headers: Record<string, string>, to = "copy") => send("PUT", `/exports/${to}`, { headers });
  const source = { "x-amz-copy-source": "/exports/from/a%20b" };
  expect(xmlTexts((await copy(source)).text, "ETag")).toEqual([`&quot;${md5("copied")}&quot;`]);
  const same = await send("GET", "/exports/copy");
  expect([same.text, same.headers.get("x-amz-meta-who")]).toEqual(["copied", "source"]);
  await copy({ ...source, "x-amz-metadata-directive": "REPLACE", "x-amz-meta-who": "copier" });
  expect((await send("HEAD", "/exports/copy")).headers.get("x-amz-meta-who")).toBe("copier");
  expect(await copy({ "x-amz-copy-source": "exports/missing" })).toMatchObject({ code: "NoSuchKey" });
  expect(await copy(source, "from/a b")).toMatchObject({ status: 400, code: "InvalidRequest" });
  const mismatch = await copy({ ...source, "x-amz-copy-source-if-match": '"other"' });
  expect(mismatch).toMatchObject({ status: 412, code: "PreconditionFailed" });
});

test("buckets are created, read and deleted", async () => {
  expect(await send("PUT", "/made-here")).toMatchObject({ status: 200 });
  expect(await send("PUT", "/made-here")).toMatchObject({ status: 409, code: "BucketAlreadyOwnedByYou" });
  for (const name of ["ab", "Upper", "a..b", "-a-b", "10.0.0.1", "a_b"])
    expect(await send("PUT", `/${name}`)).toMatchObject({ status: 400, code: "InvalidBucketName" });
  expect((await send("HEAD", "/made-here")).status).toBe(200);
  expect(xmlTexts((await send("GET", "/")).text, "Name")).toEqual(["exports", "made-here"]);
  expect((await send("GET", "/made-here", { query: { location: "" } })).text).toContain("<LocationConstraint xmlns");
  await send("PUT", "/made-here/object", { body: "x" });
  expect(await send("DELETE", "/made-here")).toMatchObject({ status: 409, code: "BucketNotEmpty" });
  await send("DELETE", "/made-here/object");
  expect((await send("DELETE", "/made-here")).status).toBe(204);
  expect((await send("HEAD", "/made-here")).status).toBe(404);
});

test("unsupported S3 operations return NotImplemented and never run another operation", async () => {
  await send("PUT", "/exports/plain", { body: "x" });
  for (const name of ["acl", "tagging", "versionId"]) {
    const rejection = await send("PUT", "/exports/plain", { query: { [name]: "" }, body: "y" });
    expect(rejection).toMatchObject({ status: 501, code: "NotImplemented" });
  }
  expect((await send("GET", "/exports/plain")).text).toBe("x");
  expect(await send("PATCH", "/exports/plain")).toMatchObject({ status: 405, code: "MethodNotAllowed" });
  expect(await send("PUT", `/exports/${"k".repeat(1025)}`)).toMatchObject({ status: 400, code: "KeyTooLongError" });
});
