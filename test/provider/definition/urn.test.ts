import { parseUrn } from "../../../provider/definition/type-token";

test("A URN is split into the type without parents and a name that may contain the separator", () => {
  expect(parseUrn("urn:pulumi:dev::shop::my:Service$agentgraph:index:Thread::a::b")).toEqual({
    ...{ stack: "dev", project: "shop", type: "agentgraph:index:Thread", name: "a::b" },
  });
});

test("Parts that a text lacks are empty", () => {
  expect(parseUrn("")).toEqual({ stack: "", project: "", type: "", name: "" });
});
