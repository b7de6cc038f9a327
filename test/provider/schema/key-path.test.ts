import { formatPropertyPath } from "../../../plugin/property-path";
import { splitPath } from "../../../provider/schema/schema";
import { parsePropertyPath } from "../../../provider/text/property-path";

test("A path is split at the keys that the values have, which may contain dots", () => {
  const before = { secrets: { "a.b": "1", a: { b: "2" } }, name: "n" };
  expect(splitPath("secrets.a.b", before)).toEqual(["secrets", "a.b"]);
  expect(splitPath("secrets.a.c", before, { secrets: { a: { c: 1 } } })).toEqual(["secrets", "a", "c"]);
  expect(splitPath("sourceConfig.customUrl", before)).toEqual(["sourceConfig", "customUrl"]);
  expect(splitPath("")).toEqual([]);
});

test("The longest key of any of the values wins", () => {
  const both = { a: { "b.c": 1 }, "a.b": { c: 1 } };
  for (const labels of [both, Object.fromEntries(Object.entries(both).reverse())])
    expect(splitPath("labels.a.b.c", { labels })).toEqual(["labels", "a.b", "c"]);
  expect(splitPath("a.b.c", { a: 1 }, { "a.b": {} })).toEqual(["a.b", "c"]);
  expect(splitPath("a.b.c", { "b.c": 1 }, null, "a.b")).toEqual(["a", "b", "c"]);
  expect(splitPath("secrets.a.b", { secrets: "unknown" }, undefined)).toEqual(["secrets", "a", "b"]);
});

test("A path is split without a look at all keys of a map, of which there may be thousands", () => {
  const labels = new Proxy({ "a.b": 1, a: 2 } as Record<string, number>, {
    ownKeys: () => {
      throw new Error("all keys were listed");
    },
  });
  expect(splitPath("labels.a.b", { labels })).toEqual(["labels", "a.b"]);
  expect(splitPath("labels.a.c", { labels })).toEqual(["labels", "a", "c"]);
});

test("Names that every object or list has are not keys of it", () => {
  expect(splitPath("a.constructor.b", { a: {} })).toEqual(["a", "constructor", "b"]);
  expect(splitPath("length.b", { "length.b": 1 }, ["x"])).toEqual(["length.b"]);
  expect(splitPath("a.length.b", { a: ["x"] })).toEqual(["a", "length", "b"]);
});

test("Keys that are not identifiers are quoted in a property path of the engine, which unescapes quotes alone", () => {
  expect(formatPropertyPath(["metadata", "a\\b", "c\\", "d"])).toBe('metadata["a\\b"]');
  const paths = { 'secrets["a.\\"b"]': ["secrets", 'a."b'], '["a\\\\""].b.c': ['a\\"', "b", "c"] };
  for (const [path, keys] of Object.entries(paths))
    expect([formatPropertyPath(keys), parsePropertyPath(path)]).toEqual([path, keys]);
  expect(parsePropertyPath('a[0].b[*]["*"]')).toEqual(["a", "0", "b", "*", "*"]);
});
