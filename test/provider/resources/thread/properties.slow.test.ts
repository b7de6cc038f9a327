/** Property-based tests of threads. */
import fc from "fast-check";
import { toCanonicalJson } from "../../../../provider/objects/metadata/metadata";
import { deriveThreadId } from "../../../../provider/resources/thread/object";
import type { PropertyMap } from "../../../../provider/schema/schema";

const noProto = { noNullPrototype: true } as const;
const key = fc
  .oneof(
    fc.constantFrom("team", "toString", "a.b/c", "camelCase", "snake_case", "agentgraph_auth_user_id", ""),
    fc.string(),
  )
  .filter((text) => !["__proto__", "pulumi_thread", "graph_id", "vendorgraph_auth_user_id"].includes(text));
const value = fc.jsonValue({ maxDepth: 2 }).filter((part) => !JSON.stringify(part).includes("__proto__"));
const metadata = fc.dictionary(key, value, { maxKeys: 5, ...noProto });
const node = fc.constantFrom("echo", "__input__");
const superstep = fc.record(
  { updates: fc.tuple(fc.record({ values: fc.dictionary(key, value, noProto), asNode: node }, noProto)) },
  noProto,
);
const ttl = fc.record(
  { ttl: fc.integer({ min: 1, max: 9999 }), strategy: fc.constantFrom("delete", "keep_latest") },
  { requiredKeys: ["ttl"], ...noProto },
);
const plain = <T>(arbitrary: fc.Arbitrary<T>) =>
  arbitrary.map((part) => JSON.parse(JSON.stringify(part)) as PropertyMap);
const declaration = plain(
  fc.record(
    {
      metadata: metadata.map((keys) => ({ graph_id: "echo", ...keys })),
      supersteps: fc.array(superstep, { minLength: 1, maxLength: 3 }),
      ttl,
    },
    { requiredKeys: ["metadata"], ...noProto },
  ),
);
/** Inputs that can change in place. */
const change = plain(fc.record({ metadata: metadata.map((keys) => ({ graph_id: "echo", ...keys })) }, noProto));

// @covers 2B.Thread.thread_id
it("the thread ID depends only on the owner, the resource and the immutable inputs, not on the order of keys", () =>
  fc.assert(
    fc.property(declaration, change, (declared, { metadata: other }) => {
      const desired = { deploymentId: "d", ...declared };
      const idOf = (inputs: object, marker = "acme/urn") => deriveThreadId(inputs, { marker });
      const id = idOf(desired);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(idOf(reversed(desired) as object)).toBe(id);
      expect(idOf({ ...desired, metadata: other, ttl: undefined, sensitive: true })).toBe(id);
      for (const change of [{ deploymentId: "e" }, { copyFrom: "f" }, { threadId: "t" }, { deploymentUrl: "u" }]) {
        expect(idOf({ ...desired, ...change })).not.toBe(id);
      }
      expect(idOf(desired, "acme/other")).not.toBe(id);
    }),
  ));

it("toCanonicalJson returns the same text for two values exactly when they are equal, ignoring nulls", () =>
  fc.assert(
    fc.property(value, value, (left, right) => {
      expect(toCanonicalJson(left)).toBe(toCanonicalJson(reversed(left)));
      if (toCanonicalJson(left) === toCanonicalJson(right)) expect(withoutNulls(left)).toEqual(withoutNulls(right));
    }),
  ));

/** Returns the value with the keys of every object in reverse order. */
function reversed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(reversed);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

function withoutNulls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutNulls);
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
}
