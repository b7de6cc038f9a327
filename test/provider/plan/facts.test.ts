import { inputFacts, joinFacts, recordedFacts, splitFacts } from "../../../provider/plan/facts";

it("Facts are the properties whose names begin with two underscores", () => {
  const stored = { name: "a", _odd: 1, __urn: "u", __provider: "p" };
  expect(splitFacts(stored)).toEqual({ properties: { name: "a", _odd: 1 }, facts: { urn: "u", provider: "p" } });
  expect(joinFacts(splitFacts(stored))).toEqual(stored);
});

const URN = "urn:pulumi:dev::shop::t::agent";
const written = { organization: "acme", owner: `acme/${URN}`, urn: URN };

it("State omits the URN in the ownership marker and the workspace in the outputs, and a call gets both back", () => {
  const data = { properties: { tenantId: "w" }, facts: { ...written, server: { origin: "https://a", tenant: "w" } } };
  const stored = { tenantId: "w", __organization: "acme", __owner: `acme/${URN}`, __server: { origin: "https://a" } };
  expect(joinFacts(data)).toStrictEqual(stored);
  expect(splitFacts(stored)).toEqual(data);
});

it.each([
  ["the marker names another resource", { ...written, owner: "acme/urn:pulumi:dev::shop::t::other" }],
  ["the setting ownerId determines the owner", { ...written, owner: `team/${URN}` }],
  ["there is no marker", { organization: "acme", urn: URN }],
  ["the organization is unknown, as of an adopted object", { owner: `acme/${URN}` }],
  ["the server has no workspace, as in an earlier version", { ...written, server: { origin: "https://a" } }],
  ["the workspace is that of the settings", { server: { origin: "https://a", tenant: "w" } }],
])("State keeps the facts as they are when %s", (_when, facts) => {
  expect(splitFacts(joinFacts({ properties: {}, facts }))).toEqual({ properties: {}, facts });
});

it("The URN and the workspace that an earlier version stored are those of state", () => {
  const stored = { tenantId: "w", __organization: "acme", __owner: `acme/${URN}`, __urn: "urn:old" };
  expect(splitFacts(stored).facts).toEqual({ organization: "acme", owner: `acme/${URN}`, urn: "urn:old" });
  const server = { origin: "https://a", tenant: "before" };
  expect(splitFacts({ tenantId: "w", __server: server }).facts).toEqual({ server });
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

it("Inputs contain what the program provides", () => {
  const request = { provider: "p", urn: "u", organization: "acme", timeouts: { create: "1m" } };
  expect(inputFacts({ ...request, owner: "me", schema: 1, unready: true, secretInputs: [] })).toStrictEqual(request);
});
