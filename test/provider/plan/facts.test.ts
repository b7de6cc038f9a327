import { joinFacts, recordedFacts, splitFacts } from "../../../provider/plan/facts";

it("Facts are the properties whose names begin with two underscores", () => {
  const stored = { name: "a", _odd: 1, __urn: "u", __provider: "p" };
  expect(splitFacts(stored)).toEqual({ properties: { name: "a", _odd: 1 }, facts: { urn: "u", provider: "p" } });
  expect(joinFacts(splitFacts(stored))).toEqual(stored);
});

it("Facts without a value are not stored, since the engine rejects undefined values", () => {
  expect(joinFacts({ properties: {}, facts: { owner: undefined, unready: true } as never })).toStrictEqual({
    __unready: true,
  });
});

it("The state of the native provider contains no fact of a request", () => {
  expect(recordedFacts({ urn: "u", timeouts: {}, secretInputs: [], external: true, schema: 1, owner: "me" })).toEqual({
    schema: 1,
    owner: "me",
  });
});
