import { runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import {
  containsUnknown,
  InitError,
  markSecrets,
  serialize,
  splitInternal,
  UNKNOWN,
} from "../../../provider/plan/property-values";
import { inClear } from "../../support/stack";

const SIGNATURE = runtime.specialSigKey;
const secret = (value: unknown) => ({ [SIGNATURE]: runtime.specialSecretSig, value });

const rough = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(undefined, null, 0, "", false, new Date(0)),
    fc.string(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

it("the constants of the wire are those of the SDK of Pulumi", () => {
  expect(UNKNOWN).toBe(runtime.unknownValue);
  expect(markSecrets({ key: "k" }, ["key"])).toEqual({ key: secret("k") });
});

describe("a bag on its way to the engine", () => {
  it("holds undefined nowhere, null at the top never, and no Date, whatever it held", () => {
    const bad = (value: unknown): boolean => {
      if (value instanceof Date || value === undefined) return true;
      return typeof value === "object" && value !== null && Object.values(value).some(bad);
    };
    fc.assert(
      fc.property(fc.dictionary(fc.string(), rough, { noNullPrototype: true }), (bag) => {
        expect(bad(serialize(bag))).toBe(false);
        expect(Object.values(serialize(bag))).not.toContain(null);
      }),
    );
  });

  it("is otherwise as it was: lists keep their length, empty values stay, and so does a null that a user wrote", () => {
    const bag = { a: [1, undefined, null], b: { c: "", d: 0, e: false, f: {}, g: [], h: null }, i: undefined, j: null };
    expect(serialize(bag)).toEqual({ a: [1, null, null], b: { c: "", d: 0, e: false, f: {}, g: [], h: null } });
    expect(serialize({ at: new Date("2026-03-01T00:00:00Z") })).toEqual({ at: "2026-03-01T00:00:00.000Z" });
  });

  it("does not change by being sent twice", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), rough, { noNullPrototype: true }), (bag) => {
        expect(serialize(serialize(bag))).toEqual(serialize(bag));
      }),
    );
  });
});

describe("secrets", () => {
  it("of a map are wrapped one by one, so that the key that changed has a name", () => {
    expect(markSecrets({ name: "a", secrets: { A: "1", B: "2" } }, ["secrets.*"])).toEqual({
      name: "a",
      secrets: { A: secret("1"), B: secret("2") },
    });
  });

  it("deep inside are wrapped alone", () => {
    const bag = { credentials: { id: "i", key: "k" }, name: "n" };
    expect(markSecrets(bag, ["credentials.key"])).toEqual({ credentials: { id: "i", key: secret("k") }, name: "n" });
  });

  it("that are absent, not known as a whole, or wrapped already stay as they are", () => {
    for (const bag of [
      {},
      { secrets: undefined },
      { secrets: runtime.unknownValue },
      { secrets: secret({ A: "1" }) },
    ]) {
      expect(markSecrets(bag, ["secrets.*"])).toEqual(bag);
    }
  });

  it("come back as they were, and the bag that was marked is not changed", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }), (secrets) => {
        const bag = { secrets };
        const before = structuredClone(bag);
        expect(inClear(markSecrets(bag, ["secrets.*"]))).toEqual(before);
        expect(bag).toEqual(before);
      }),
    );
  });

  it("leave no value of a map unwrapped", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }), (secrets) => {
        const marked = markSecrets({ secrets }, ["secrets.*"]).secrets as Record<string, object>;
        for (const value of Object.values(marked)) expect(value).toHaveProperty([SIGNATURE]);
      }),
    );
  });
});

describe("an unknown", () => {
  it("is seen at any depth, whatever its type", () => {
    const words = [
      runtime.unknownValue,
      "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
      "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    ];
    for (const unknown of words) {
      for (const value of [unknown, [1, unknown], { a: { b: [{ c: unknown }] } }])
        expect(containsUnknown(value)).toBe(true);
    }
  });

  it("is not what merely looks like one", () => {
    for (const value of [undefined, null, 1, "", `x${runtime.unknownValue}`, { [runtime.unknownValue]: 1 }, []]) {
      expect(containsUnknown(value)).toBe(false);
    }
  });
});

it("hidden keys are those that begin with two underscores", () => {
  expect(splitInternal({ name: "a", _odd: 1, __urn: "u", __provider: "p" })).toEqual({
    properties: { name: "a", _odd: 1 },
    internal: { __urn: "u", __provider: "p" },
  });
});

it("an init error carries what the engine needs to keep the resource", () => {
  const error = new InitError("id-1", { __provider: "p", name: "a" }, "it failed");
  expect(error).toMatchObject({ id: "id-1", properties: { __provider: "p", name: "a" }, reasons: ["it failed"] });
});
