import fc from "fast-check";
import { markerOf, parseMarker, sameStack } from "../provider/ownership";

const urn = (stack: string, project: string, name = "agent") =>
  `urn:pulumi:${stack}::${project}::pulumi-nodejs:dynamic/agentgraph:Deployment::${name}`;

it("a marker names owner, stack, project and resource, and is read back", () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9._-]+$/);
  fc.assert(
    fc.property(word, word, word, fc.string({ minLength: 1 }), (owner, stack, project, name) => {
      expect(parseMarker(markerOf(owner, urn(stack, project, name)))).toEqual({
        owner,
        stack,
        project,
        resource: `pulumi-nodejs:dynamic/agentgraph:Deployment::${name}`,
        urn: urn(stack, project, name),
      });
    }),
  );
});

it.each(["", "acme", "acme/urn:pulumi:dev", "urn:pulumi:dev::shop::t::n", "a secret of somebody"])(
  "%p is no marker",
  (text) => {
    expect(parseMarker(text)).toBeUndefined();
  },
);

describe("two markers are of the same stack", () => {
  const here = markerOf("acme", urn("dev", "shop"));
  it("when only the resource differs", () => {
    expect(sameStack(here, markerOf("acme", urn("dev", "shop", "other")))).toBe(true);
  });

  it.each([
    ["owner", markerOf("rivals", urn("dev", "shop"))],
    ["stack", markerOf("acme", urn("prod", "shop"))],
    ["project", markerOf("acme", urn("dev", "bank"))],
    ["form", "something else"],
  ])("but not when the %s differs", (_what, other) => {
    expect(sameStack(here, other)).toBe(false);
    expect(sameStack(other, here)).toBe(false);
  });
});
