/** The IDs that threads are created with: they never change, since another ID would be another thread. */
import { deriveResourceId, toCanonicalJson } from "../../../../provider/objects/metadata/metadata";
import { deriveThreadId } from "../../../../provider/resources/thread/object";

const ctx = { marker: "acme/urn" };
const threadId = "ABCDEF12-1234-4234-8234-123456789ABC";

it.each<[unknown, string]>([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ c: 1, a: 2, b: 3 }, '{"a":2,"b":3,"c":1}'],
  [{ b: null, a: undefined }, "{}"],
  [[1, "x", null, [true]], '[1,"x",null,[true]]'],
  [{ a: [{ c: 1, b: [] }] }, '{"a":[{"b":[],"c":1}]}'],
  [null, "null"],
  [undefined, "null"],
  ["text", '"text"'],
])("the canonical text of %j is %s", (value, expected) => expect(toCanonicalJson(value)).toBe(expected));

it.each<[object, string]>([
  [{ deploymentId: "d" }, "c27e2469-5d07-50ec-b85a-0fe8836253f3"],
  [{ deploymentId: "d", metadata: { team: "a" }, ttl: { ttl: 5 } }, "c27e2469-5d07-50ec-b85a-0fe8836253f3"],
  [{ deploymentUrl: "https://agents.example/a" }, "6f17411b-ce3d-53f9-b61a-b1dc06c54b18"],
  [{ deploymentUrl: "https://AGENTS.example:443/a/" }, "6f17411b-ce3d-53f9-b61a-b1dc06c54b18"],
  [{ deploymentId: "d", threadId }, "2b67b63d-6c19-51c2-af3d-e001203bbcf7"],
  [{ deploymentId: "d", threadId: threadId.toLowerCase() }, "2b67b63d-6c19-51c2-af3d-e001203bbcf7"],
  [{ deploymentId: "d", copyFrom: threadId }, "496b0f67-078c-543a-a336-6c6db331f23a"],
  [{ deploymentId: "d", copyFrom: threadId.toLowerCase() }, "496b0f67-078c-543a-a336-6c6db331f23a"],
])("a thread with %j has the ID %s", (inputs, expected) => expect(deriveThreadId(inputs, ctx)).toBe(expected));

it("the ID of a thread includes its metadata only where the server cannot update them", () => {
  const [before, after] = [{ deploymentId: "d" }, { deploymentId: "d", metadata: { team: "a" } }];
  expect(deriveThreadId(after, ctx, ["metadata"])).not.toBe(deriveThreadId(after, ctx));
  expect(deriveThreadId(before, ctx, ["metadata"])).toBe(deriveThreadId(before, ctx));
});

it("the ID of the resource depends on the owner and the URN alone", () => {
  expect(deriveResourceId(ctx)).toBe("f86510fa-7f69-541e-9947-e3dd35824cea");
  expect(deriveResourceId({ marker: "acme/other" })).not.toBe("f86510fa-7f69-541e-9947-e3dd35824cea");
});
