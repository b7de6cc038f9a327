import { inputFacts, joinFacts, keptFacts, recordedFacts, splitFacts } from "../../../provider/plan/facts";

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

it("An update keeps what is recorded of the object, and inputs contain what the program provides", () => {
  const request = { provider: "p", urn: "u", organization: "acme", timeouts: { create: "1m" } };
  const kept = { owner: "me", routes: ["threads-patch"], notReturned: ["secrets"] };
  const facts = { ...request, ...kept, schema: 1, unready: true, secretInputs: [] };
  expect(keptFacts(facts)).toStrictEqual(kept);
  expect(inputFacts(facts)).toStrictEqual(request);
});
