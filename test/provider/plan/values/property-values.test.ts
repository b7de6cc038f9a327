import { runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import { forAll } from "../../../../emulator/test/support/for-all";
import {
  containsUnknown,
  InitError,
  markSecrets,
  omitUnknowns,
  serialize,
  UNKNOWN,
} from "../../../../provider/plan/property-values";
import { decryptSecrets } from "../../../support/hosts/resource-host";

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

it("The constants equal those of the Pulumi SDK", () => {
  expect(UNKNOWN).toBe(runtime.unknownValue);
  expect(markSecrets({ key: "k" }, ["key"])).toEqual({ key: secret("k") });
});

describe("Serialized properties", () => {
  it("contain no undefined, no top-level null and no Date, and do not change when serialized again", () => {
    const bad = (value: unknown): boolean => {
      if (value instanceof Date || value === undefined) return true;
      return typeof value === "object" && value !== null && Object.values(value).some(bad);
    };
    forAll(fc.dictionary(fc.string(), rough, { noNullPrototype: true }), (properties) => {
      const serialized = serialize(properties);
      expect(bad(serialized)).toBe(false);
      expect(Object.values(serialized)).not.toContain(null);
      expect(serialize(serialized)).toEqual(serialized);
    });
  });

  it("are otherwise unchanged: list lengths, empty values and nested nulls stay", () => {
    const properties = { a: [1, undefined, null], b: { c: "", d: 0, e: false, f: {}, g: [], h: null }, i: null };
    expect(serialize(properties)).toEqual({ a: [1, null, null], b: { c: "", d: 0, e: false, f: {}, g: [], h: null } });
    expect(serialize({ at: new Date("2026-03-01T00:00:00Z") })).toEqual({ at: "2026-03-01T00:00:00.000Z" });
    // The engine refuses half of a character, and with it the response.
    expect(serialize({ a: { "k\udc00": ["x\ud83d"] } })).toEqual({ a: { "k\ufffd": ["x\ufffd"] } });
  });
});

describe("Secrets", () => {
  it("that are absent, unknown or already marked stay unchanged", () => {
    for (const one of [{}, { secrets: undefined }, { secrets: runtime.unknownValue }, { secrets: secret({ A: "1" }) }])
      expect(markSecrets(one, ["secrets.*"])).toEqual(one);
  });

  it("survive serialization, and the original properties are not changed", () => {
    forAll(fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }), (secrets) => {
      const properties = { secrets };
      const before = structuredClone(properties);
      expect(decryptSecrets(markSecrets(properties, ["secrets.*"]))).toEqual(before);
      expect(properties).toEqual(before);
    });
  });

  it("of a large map are marked in one pass, whether one path or each key names them", () => {
    const names = Array.from({ length: 500 }, (_, index) => `KEY_${index}`);
    const values = Object.fromEntries(names.map((name) => [name, "x"]));
    for (const paths of [["secrets.*"], names.map((name) => `secrets.${name}`)]) {
      let passes = 0;
      const secrets = new Proxy(values, {
        ownKeys: (target) => {
          passes++;
          return Reflect.ownKeys(target);
        },
      });
      expect(markSecrets({ secrets }, paths).secrets).toEqual(
        Object.fromEntries(names.map((name) => [name, secret("x")])),
      );
      expect(passes).toBe(1);
    }
  });

  it("are marked one by one, so that previews name the changed key, and as a whole if a path contains another", () => {
    const properties = { secrets: { A: "1", B: ["2"] }, list: [{ a: 1 }, "b"], other: ["c"] };
    for (const paths of [
      ["secrets", "secrets.A"],
      ["secrets.A", "secrets"],
    ])
      expect(markSecrets(properties, paths)).toEqual({ ...properties, secrets: secret(properties.secrets) });
    const paths = ["secrets.A", "secrets.*", "list.0.a", "other.length", "absent.a"];
    expect(markSecrets(properties, paths)).toEqual({
      secrets: { A: secret("1"), B: secret(["2"]) },
      list: [{ a: secret(1) }, "b"],
      other: secret(["c"]),
    });
  });
});

describe("An unknown", () => {
  it("is detected at any depth and of any type", () => {
    const all = [runtime.unknownValue, "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "3eeb2bf0-c639-47a8-9e75-3b44932eb421"];
    for (const unknown of all) {
      for (const value of [unknown, [1, unknown], { a: { b: [{ c: unknown }] } }])
        expect(containsUnknown(value)).toBe(true);
    }
  });

  it("is omitted with the property that contains it", () => {
    expect(omitUnknowns({ a: 1, b: UNKNOWN, c: { d: [UNKNOWN] }, e: { f: "x" } })).toEqual({ a: 1, e: { f: "x" } });
  });

  it("is not confused with similar strings", () => {
    for (const value of [undefined, null, 1, "", `x${runtime.unknownValue}`, { [runtime.unknownValue]: 1 }, []]) {
      expect(containsUnknown(value)).toBe(false);
    }
  });
});

it("An InitError contains what the engine requires to keep the resource", () => {
  const outputs = { properties: { name: "a" }, facts: { provider: "p" } };
  expect(new InitError("id-1", outputs, "it failed")).toMatchObject({
    ...{ name: "InitError", id: "id-1", outputs, reasons: ["it failed"] },
  });
});
