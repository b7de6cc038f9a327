import { createHash } from "node:crypto";
import { type S3Response, xmlTexts } from "../../support/bucket/s3-request";
import { useBucket } from "../../support/bucket/server";

const bucket = useBucket();

const minPartSize = 5 * 1024 ** 2;
const [first, last] = [Buffer.alloc(minPartSize, "a"), Buffer.from("the end")];
const etagOf = (response: S3Response) => response.headers.get("etag") ?? "";

async function startUpload(key: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await bucket.send("POST", `/exports/${key}`, { query: { uploads: "" }, headers });
  expect(response.status).toBe(200);
  return xmlTexts(response.text, "UploadId")[0] ?? "";
}

const putPart = (key: string, uploadId: string, number: number | string, body: Buffer) =>
  bucket.send("PUT", `/exports/${key}`, { query: { uploadId, partNumber: String(number) }, body });

function complete(key: string, uploadId: string, parts: [number, string][], headers: Record<string, string> = {}) {
  const elements = parts.map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
  const body = `<CompleteMultipartUpload>${elements.join("")}</CompleteMultipartUpload>`;
  return bucket.send("POST", `/exports/${key}`, { query: { uploadId }, body, headers });
}

test("parts in any order become one object, which is not visible before completion", async () => {
  const id = await startUpload("whole", { "content-type": "application/parquet" });
  const lastPart = await putPart("whole", id, 7, last);
  const firstPart = await putPart("whole", id, 2, first);
  expect(await bucket.send("GET", "/exports/whole")).toMatchObject({ status: 404, code: "NoSuchKey" });
  const completed = await complete("whole", id, [
    [2, etagOf(firstPart)],
    [7, etagOf(lastPart)],
  ]);
  const md5 = (bytes: Buffer) => createHash("md5").update(bytes).digest();
  const etag = `${md5(Buffer.concat([md5(first), md5(last)])).toString("hex")}-2`;
  expect(xmlTexts(completed.text, "ETag")).toEqual([`&quot;${etag}&quot;`]);
  const object = await bucket.send("GET", "/exports/whole");
  expect(object.bytes.equals(Buffer.concat([first, last]))).toBe(true);
  expect([etagOf(object), object.headers.get("content-type")]).toEqual([`"${etag}"`, "application/parquet"]);
  expect(await complete("whole", id, [[2, etagOf(firstPart)]])).toMatchObject({ status: 404, code: "NoSuchUpload" });
});

test("a part that is sent again replaces the previous one and its file", async () => {
  const before = bucket.files().length;
  const id = await startUpload("again");
  const original = await putPart("again", id, 1, Buffer.from("old"));
  const replacement = await putPart("again", id, 1, Buffer.from("new"));
  expect(bucket.files()).toHaveLength(before + 1);
  expect(await complete("again", id, [[1, etagOf(original)]])).toMatchObject({ status: 400, code: "InvalidPart" });
  expect((await complete("again", id, [[1, etagOf(replacement)]])).status).toBe(200);
  expect((await bucket.send("GET", "/exports/again")).text).toBe("new");
  expect(bucket.files()).toHaveLength(before + 1);
});

test("an aborted upload leaves nothing", async () => {
  const before = bucket.files().length;
  const id = await startUpload("aborted");
  await putPart("aborted", id, 1, last);
  const abort = () => bucket.send("DELETE", "/exports/aborted", { query: { uploadId: id } });
  expect((await abort()).status).toBe(204);
  expect(await abort()).toMatchObject({ status: 404, code: "NoSuchUpload" });
  expect(await putPart("aborted", id, 2, last)).toMatchObject({ status: 404, code: "NoSuchUpload" });
  expect(bucket.files()).toHaveLength(before);
});

test("an invalid completion is rejected, and the upload stays open", async () => {
  const id = await startUpload("unfit");
  const [one, two] = [etagOf(await putPart("unfit", id, 1, last)), etagOf(await putPart("unfit", id, 2, last))];
  expect(await complete("unfit", id, [])).toMatchObject({ status: 400, code: "MalformedXML" });
  const parts: [number, string][] = [[1, one], ...[[2, two] as [number, string]]];
  expect(await complete("unfit", id, parts.toReversed())).toMatchObject({ status: 400, code: "InvalidPartOrder" });
  expect(await complete("unfit", id, [[3, one]])).toMatchObject({ status: 400, code: "InvalidPart" });
  const small = await complete("unfit", id, parts);
  expect(small).toMatchObject({ status: 400, code: "EntityTooSmall" });
  expect(xmlTexts(small.text, "ProposedSize")).toEqual([String(last.length)]);
  for (const number of [0, 10_001, "x"])
    expect(await putPart("unfit", id, number, last)).toMatchObject({ status: 400, code: "InvalidArgument" });
  expect((await complete("unfit", id, [[1, one]])).status).toBe(200);
});

test("an upload belongs to its key, and its completion honors the conditions of a write", async () => {
  const id = await startUpload("mine");
  expect(await putPart("yours", id, 1, last)).toMatchObject({ code: "NoSuchUpload" });
  const etag = etagOf(await putPart("mine", id, 1, last));
  await bucket.send("PUT", "/exports/mine", { body: "faster" });
  const completion = await complete("mine", id, [[1, etag]], { "if-none-match": "*" });
  expect(completion).toMatchObject({ status: 412, code: "PreconditionFailed" });
  expect((await bucket.send("GET", "/exports/mine")).text).toBe("faster");
});

test("a part may be copied from an object, whole or in part", async () => {
  await bucket.send("PUT", "/exports/source", { body: "0123456789" });
  const id = await startUpload("copied");
  const query = { uploadId: id, partNumber: "1" };
  const headers = { "x-amz-copy-source": "/exports/source", "x-amz-copy-source-range": "bytes=2-4" };
  const etag = xmlTexts((await bucket.send("PUT", "/exports/copied", { query, headers })).text, "ETag")[0] ?? "";
  expect((await complete("copied", id, [[1, etag]])).status).toBe(200);
  expect((await bucket.send("GET", "/exports/copied")).text).toBe("234");
});

test("parts and uploads in progress are listed in pages", async () => {
  await bucket.send("PUT", "/lists");
  const ids: string[] = [];
  for (const key of ["a", "a", "dir/b", "dir/c", "e"]) {
    const response = await bucket.send("POST", `/lists/${key}`, { query: { uploads: "" } });
    ids.push(xmlTexts(response.text, "UploadId")[0] ?? "");
  }
  const uploadId = ids[0] ?? "";
  for (const partNumber of ["3", "1", "2"])
    await bucket.send("PUT", "/lists/a", { query: { uploadId, partNumber }, body: partNumber });
  const parts = (query: Record<string, string>) => bucket.send("GET", "/lists/a", { query: { uploadId, ...query } });
  const page = await parts({ "max-parts": "2" });
  expect([xmlTexts(page.text, "PartNumber"), xmlTexts(page.text, "IsTruncated")]).toEqual([["1", "2"], ["true"]]);
  const rest = await parts({ "part-number-marker": "2" });
  expect([xmlTexts(rest.text, "PartNumber"), xmlTexts(rest.text, "IsTruncated")]).toEqual([["3"], ["false"]]);

  const entries: string[] = [];
  let markers: Record<string, string> = {};
  for (let hasMore = true; hasMore; ) {
    const query = { uploads: "", delimiter: "/", "max-uploads": "1", ...markers };
    const { text } = await bucket.send("GET", "/lists", { query });
    // The request's own (empty) prefix comes first.
    entries.push(...xmlTexts(text, "UploadId"), ...xmlTexts(text, "Prefix").slice(1));
    hasMore = xmlTexts(text, "IsTruncated")[0] === "true";
    const [key = "", id = ""] = [...xmlTexts(text, "NextKeyMarker"), ...xmlTexts(text, "NextUploadIdMarker")];
    markers = { "key-marker": key, ...(id && { "upload-id-marker": id }) };
  }
  expect(entries.slice(0, 2).sort()).toEqual(ids.slice(0, 2).sort());
  expect(entries.slice(2)).toEqual(["dir/", ids[4]]);
});
