import fc from "fast-check";
import { xmlTexts } from "../../support/bucket/s3-request";
import { useBucket } from "../../support/bucket/server";

const bucket = useBucket(beforeEach, afterEach);

/**
 * Keys of few characters, so that prefixes and delimiters overlap; some are multi-byte or need escaping in XML and
 * URLs.
 */
const letter = fc.constantFrom("a", "b", "/", "/", "-", "é", "€", "😀", "&", "<", " ", "+", "%", "\uffff");
const key = fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join(""));
const part = fc.array(letter, { maxLength: 2 }).map((letters) => letters.join(""));

const listCases = fc.record({
  keys: fc.uniqueArray(key, { maxLength: 25 }),
  prefix: part,
  delimiter: fc.constantFrom("", "/", "/", "-", "ab", "€"),
  startAfter: fc.oneof(fc.constant(""), key),
  maxKeys: fc.integer({ min: 1, max: 7 }),
});
type ListCase = typeof listCases extends fc.Arbitrary<infer T> ? T : never;

const sortBytes = (texts: Iterable<string>) =>
  [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** The complete list as the documentation of S3 defines it, without paging. */
function expectedList({ keys, prefix, delimiter, startAfter }: ListCase): { contents: string[]; prefixes: string[] } {
  const matches = keys.filter(
    (key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(startAfter)) > 0,
  );
  const commonPrefix = (key: string) => {
    const rest = key.slice(prefix.length);
    return delimiter !== "" && rest.includes(delimiter) ? prefix + rest.split(delimiter)[0] + delimiter : undefined;
  };
  const prefixes = new Set(matches.flatMap((key) => commonPrefix(key) ?? []));
  // A list that starts after a common prefix excludes all keys below it.
  prefixes.delete(startAfter);
  return {
    contents: sortBytes(matches.filter((key) => commonPrefix(key) === undefined)),
    prefixes: sortBytes(prefixes),
  };
}

interface Pages {
  contents: string[];
  prefixes: string[];
  sizes: number[];
}

const decoded = (xml: string, name: string) => xmlTexts(xml, name).map(decodeURIComponent);

/** Reads all pages; `next` returns the parameters of the following page. */
async function readPages(query: Record<string, string>, next: (xml: string) => Record<string, string>): Promise<Pages> {
  const pages: Pages = { contents: [], prefixes: [], sizes: [] };
  let nextQuery: Record<string, string> = {};
  for (let truncated = true; truncated; ) {
    const all = { ...query, "encoding-type": "url", ...nextQuery };
    const { status, text } = await bucket.send("GET", "/exports", { query: all });
    expect(status).toBe(200);
    const contents = decoded(text, "Key");
    const prefixes = [...text.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/g)].flatMap(([, xml = ""]) =>
      decoded(xml, "Prefix"),
    );
    pages.contents.push(...contents);
    pages.prefixes.push(...prefixes);
    pages.sizes.push(contents.length + prefixes.length);
    truncated = xmlTexts(text, "IsTruncated")[0] === "true";
    nextQuery = truncated ? next(text) : {};
  }
  return pages;
}

function putKeys(keys: readonly string[]): void {
  const { index: objectIndex } = bucket.service;
  for (const { key } of objectIndex.objectsFrom("exports", "", "", 1000)) objectIndex.remove("exports", key);
  for (const [index, key] of keys.entries()) {
    const object = { key, file: `file-${index}`, size: 1, etag: "e", modifiedAt: 0, headers: {}, checksum: undefined };
    objectIndex.put("exports", object);
  }
}

const continued = (xml: string) => ({ "continuation-token": xmlTexts(xml, "NextContinuationToken")[0] ?? "" });

/** Every page except the last is full, and the last one is empty only if it is the only one. */
function expectPages({ contents, prefixes, sizes }: Pages, listCase: ListCase): void {
  expect({ contents, prefixes }).toEqual(expectedList(listCase));
  expect(sizes.slice(0, -1).filter((size) => size !== listCase.maxKeys)).toEqual([]);
  if (sizes.length > 1) expect(sizes.at(-1)).toBeGreaterThan(0);
}

test("version 2 of a list returns every key and common prefix once, for every page size", async () => {
  const property = fc.asyncProperty(listCases, async (listCase) => {
    putKeys(listCase.keys);
    const { prefix, delimiter, startAfter, maxKeys } = listCase;
    const query = { "list-type": "2", prefix, delimiter, "start-after": startAfter, "max-keys": String(maxKeys) };
    expectPages(await readPages(query, continued), listCase);
  });
  await fc.assert(property, { numRuns: 150 });
});

test("version 1 of a list returns them once as well, continuing at the marker", async () => {
  const property = fc.asyncProperty(listCases, async (listCase) => {
    putKeys(listCase.keys);
    const { prefix, delimiter, startAfter, maxKeys } = listCase;
    const query = { prefix, delimiter, marker: startAfter, "max-keys": String(maxKeys) };
    const next = (xml: string) => ({ marker: (decoded(xml, "NextMarker")[0] || decoded(xml, "Key").at(-1)) ?? "" });
    expectPages(await readPages(query, next), listCase);
  });
  await fc.assert(property, { numRuns: 100 });
});

test("a page has at most a thousand entries, even in a larger bucket", async () => {
  putKeys(Array.from({ length: 2500 }, (_, index) => `k${String(index).padStart(5, "0")}`));
  expect((await readPages({ "list-type": "2", "max-keys": "5000" }, continued)).sizes).toEqual([1000, 1000, 500]);
});

test("an entry contains its size, ETag, time and owner, and the page its parameters", async () => {
  await bucket.send("PUT", "/exports/dir/one & two", { body: "12345" });
  const query = { "list-type": "2", prefix: "dir/", "fetch-owner": "true", "max-keys": "10" };
  const { text } = await bucket.send("GET", "/exports", { query });
  for (const piece of [
    "<Name>exports</Name><Prefix>dir/</Prefix><MaxKeys>10</MaxKeys><KeyCount>1</KeyCount>",
    "<IsTruncated>false</IsTruncated>",
    "<Key>dir/one &amp; two</Key>",
    "<ETag>&quot;827ccb0eea8a706c4c34a16891f84e7b&quot;</ETag><Size>5</Size><StorageClass>STANDARD</StorageClass>",
    "<Owner><ID>emulator</ID>",
  ])
    expect(text).toContain(piece);
  expect(xmlTexts(text, "LastModified")[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("an empty page is the last one, and an invalid number or token is rejected", async () => {
  putKeys(["a", "b"]);
  const list = (query: Record<string, string>) =>
    bucket.send("GET", "/exports", { query: { "list-type": "2", ...query } });
  const none = await list({ "max-keys": "0" });
  expect([xmlTexts(none.text, "Key"), xmlTexts(none.text, "IsTruncated")]).toEqual([[], ["false"]]);
  for (const wrong of ["max-keys=-1", "max-keys=x", "continuation-token=x", "encoding-type=x"]) {
    const [name = "", value = ""] = wrong.split("=");
    expect(await list({ [name]: value })).toMatchObject({ status: 400, code: "InvalidArgument" });
  }
});
