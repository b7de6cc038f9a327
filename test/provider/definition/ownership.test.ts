import fc from "fast-check";
import { forAll } from "../../../emulator/test/support/for-all";
import {
  aliasesOption,
  canonicalMarker,
  isSameMarker,
  isSameStack,
  ownershipMarker,
  parseMarker,
} from "../../../provider/definition/ownership";

const urn = (stack: string, project: string, name = "agent") =>
  `urn:pulumi:${stack}::${project}::pulumi-nodejs:dynamic/agentgraph:Deployment::${name}`;

it("An ownership marker contains owner, stack, project and resource, and parses back", () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9._-]+$/);
  forAll(word, word, word, fc.string({ minLength: 1 }), (owner, stack, project, name) => {
    expect(parseMarker(ownershipMarker(owner, urn(stack, project, name)))).toEqual({
      ...{ owner, stack, project, resource: `pulumi-nodejs:dynamic/agentgraph:Deployment::${name}` },
      urn: urn(stack, project, name),
    });
  });
});

it.each(["", "acme", "acme/urn:pulumi:dev", "urn:pulumi:dev::shop::t::n", "a secret of another owner"])(
  "%p is not an ownership marker",
  (text) => {
    expect(parseMarker(text)).toBeUndefined();
  },
);

describe("Two ownership markers belong to the same stack", () => {
  const here = ownershipMarker("acme", urn("dev", "shop"));
  it("when only the resource differs", () => {
    expect(isSameStack(here, ownershipMarker("acme", urn("dev", "shop", "other")))).toBe(true);
  });

  it.each([
    ["owner", ownershipMarker("rivals", urn("dev", "shop"))],
    ["stack", ownershipMarker("acme", urn("prod", "shop"))],
    ["project", ownershipMarker("acme", urn("dev", "bank"))],
    ["form", "something else"],
  ])("but not when the %s differs", (_what, other) => {
    expect(isSameStack(here, other)).toBe(false);
    expect(isSameStack(other, here)).toBe(false);
  });
});

const DYNAMIC = "pulumi-nodejs:dynamic/agentgraph:Deployment";
const NATIVE = "agentgraph:index:Deployment";

describe("An ownership marker of the native provider", () => {
  const marker = (resource: string) => `acme/urn:pulumi:dev::shop::${resource}`;
  it.each([
    [`${NATIVE}::agent`, `${DYNAMIC}::agent`],
    [`my:c:F$${NATIVE}$agentgraph:index:Thread::t`, `my:c:F$${DYNAMIC}$pulumi-nodejs:dynamic/agentgraph:Thread::t`],
    [`${NATIVE}::agentgraph:index:x::y`, `${DYNAMIC}::agentgraph:index:x::y`],
  ])("%s equals that of the dynamic resource", (native, dynamic) => {
    expect(canonicalMarker(marker(native))).toBe(marker(dynamic));
    expect(isSameMarker(marker(native), marker(dynamic))).toBe(true);
  });

  it("differs from that of another resource", () => {
    expect(isSameMarker(marker(`${NATIVE}::agent`), marker(`${DYNAMIC}::other`))).toBe(false);
    expect(isSameMarker(marker(`${NATIVE}::agent`), marker("other:index:Deployment::agent"))).toBe(false);
    expect(canonicalMarker("no marker")).toBe("no marker");
  });
});

describe("The aliases option of a moved resource", () => {
  const urn = (rest: string) => `acme/urn:pulumi:dev::shop::${rest}`;
  it.each([
    ["D::old", "D::new", 'aliases: [{ name: "old" }]'],
    ["my:c:Fleet$D::old", "my:c:Fleet$D::new", 'aliases: [{ name: "old" }]'],
    ["D::agent", "my:c:Fleet$D::agent", "aliases: [{ parent: pulumi.rootStackResource }]"],
    ["D::old", "my:c:Fleet$D::new", 'aliases: [{ name: "old", parent: pulumi.rootStackResource }]'],
    [`${DYNAMIC}::agent`, `${NATIVE}::agent`, `aliases: [{ type: "${DYNAMIC}" }]`],
    [`my:c:Fleet$${DYNAMIC}::old`, `my:c:Fleet$${NATIVE}::new`, `aliases: [{ type: "${DYNAMIC}", name: "old" }]`],
    ["my:c:Fleet$D::agent", "D::agent", 'aliases: ["urn:pulumi:dev::shop::my:c:Fleet$D::agent"]'],
  ])("from %s to %s is ready to paste", (before, now, line) => {
    expect(aliasesOption(urn(before), urn(now))).toBe(line);
  });
});
