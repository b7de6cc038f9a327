/** What holds for every thread, with generated ones. */
import fc from "fast-check";
import { threadShape } from "../../../../provider/api/agent-server/schemas";
import { CaseMapper } from "../../../../provider/api/case-mapper";
import { deriveThreadId, toCanonicalJson, uuidV5 } from "../../../../provider/resources/thread/identity";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { heldBy } from "../../../support/stack";
import { type Agents, startAgents } from "../../../support/threads";

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
/** What can change in place. */
const change = plain(fc.record({ metadata: metadata.map((keys) => ({ graph_id: "echo", ...keys })) }, noProto));

// @covers 2B.Thread.metadata
it("metadata, steps and ttl come back from the wire as they went, in the vendor's words too", () =>
  fc.assert(
    fc.property(declaration, (declared) => {
      const wire = new CaseMapper({ githost: "gitplace", agentgraph: "vendorgraph" });
      const sent = JSON.parse(JSON.stringify(wire.encode(threadShape, declared)));
      expect(wire.decode(threadShape, sent)).toEqual(declared);
      const { agentgraph_auth_user_id: owner, ...rest } = declared.metadata as PropertyMap;
      expect(sent.metadata).toEqual(owner === undefined ? rest : { ...rest, vendorgraph_auth_user_id: owner });
    }),
  ));

it("a UUID of version 5 is that of RFC 9562, appendix A.4", () => {
  const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  expect(uuidV5(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

// @covers 2B.Thread.thread_id
it("the id follows from owner, resource and fixed inputs alone, whatever the order of keys", () =>
  fc.assert(
    fc.property(declaration, change, (declared, { metadata: other }) => {
      const wanted = { deploymentId: "d", ...declared };
      const idOf = (inputs: object, marker = "acme/urn") => deriveThreadId(inputs, { marker });
      const id = idOf(wanted);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(idOf(reversed(wanted) as object)).toBe(id);
      expect(idOf({ ...wanted, metadata: other, ttl: undefined, sensitive: true })).toBe(id);
      for (const change of [{ deploymentId: "e" }, { copyFrom: "f" }, { threadId: "t" }, { deploymentUrl: "u" }]) {
        expect(idOf({ ...wanted, ...change })).not.toBe(id);
      }
      expect(idOf(wanted, "acme/other")).not.toBe(id);
    }),
  ));

it("two values have one text exactly when they are equal, null and absent being one", () =>
  fc.assert(
    fc.property(value, value, (left, right) => {
      expect(toCanonicalJson(left)).toBe(toCanonicalJson(reversed(left)));
      if (toCanonicalJson(left) === toCanonicalJson(right)) expect(withoutNulls(left)).toEqual(withoutNulls(right));
    }),
  ));

/** Null where there is none: `toString` is in every object. */
const at = (bag: PropertyMap, name: string) => (Object.hasOwn(bag, name) ? bag[name] : null);

/** The same with the keys of every object in the opposite order. */
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
  const kept = Object.entries(part).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]));
}

describe("a thread", () => {
  let agents: Agents;
  let number = 0;
  beforeEach(async () => {
    agents = await startAgents();
  });

  it(
    "is clean after a create and after a change, holds what is declared, and what others added stays",
    () =>
      fc.assert(
        fc.asyncProperty(declaration, change, async (declared, changed) => {
          const stack = agents.stack({ name: `session-${number++}` });
          const before = agents.thread(declared);
          await stack.up(before);
          const { id } = heldBy(stack);
          await agents.ask("PATCH", `/threads/${id}`, { metadata: { "of somebody else": [1] } });
          for (const wanted of [before, { ...before, ...changed }]) {
            await stack.up(wanted);
            expect(heldBy(stack).id).toBe(id);
            expect(await stack.up(wanted)).toBe("same");
            expect(await stack.refresh()).toBe("same");
            expect(await stack.up(wanted)).toBe("same");
            const held = (await agents.one(id)).metadata;
            expect(held).toMatchObject({ "of somebody else": [1] });
            const keys = Object.keys({ ...(before.metadata as PropertyMap), ...(wanted.metadata as PropertyMap) });
            for (const name of keys) expect(at(held, name)).toEqual(at(wanted.metadata as PropertyMap, name));
          }
          await stack.destroy();
        }),
        { numRuns: 40 },
      ),
    60_000,
  );
});
