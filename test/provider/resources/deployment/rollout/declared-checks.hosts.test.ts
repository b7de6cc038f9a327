/**
 * The checks that a Deployment declares: how previews announce them, and which are rejected before anything is sent.
 */
import { UNKNOWN } from "../../../../../provider/plan/property-values";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { startPlatform } from "../../../../support/platform";
import { Stack } from "../../../../support/stack";

const check = { http: { path: "/info" }, attempts: 1 };
const declare = (tag: string, change: PropertyMap = {}) =>
  dockerDeployment({ ...withImage(tag), verify: [check], ...change });

describe("the checks of a Deployment", () => {
  it("are announced with their number, also where parts of them are unknown", async () => {
    const { stack } = await createDeployment(declare("1"));
    const unknown = { http: { path: "/info", expect: { contains: UNKNOWN } } };
    await stack.diff(declare("2", { verify: [check, unknown] }));
    expect(stack.messages.at(-1)).toBe("info: new revision: imageUri 1 -> 2; then 2 checks, which changed");
    await stack.diff(declare("2", { verify: UNKNOWN }));
    expect(stack.messages.at(-1)).toBe("info: new revision: imageUri 1 -> 2; checks the live revision: verify");
  });

  it.each<[string, PropertyMap, RegExp]>([
    ["two kinds in one", { verify: [{ ...check, conversations: {} }] }, /verify\[0\] has http and conversations/],
    ["no kind", { verify: [{ name: "x" }] }, /verify\[0\] has none of http/],
    ["waitFor none", { verify: [check], waitFor: "none" }, /waitFor cannot be none with verify/],
    ["a duration without a unit", { verify: [{ ...check, timeout: "30" }] }, /must be a duration such as/],
    ["a path of another server", { verify: [{ http: { path: "//evil.example/" } }] }, /must begin with one slash/],
    ["a bad pattern", { verify: [{ http: { path: "/", expect: { matches: "(" } } }] }, /must be a regular expression/],
    [
      "a dataset that is missing",
      { verify: [{ dataset: { path: "missing.jsonl" } }] },
      /The dataset missing\.jsonl could not be read \(ENOENT\)/,
    ],
  ])("are rejected before anything is sent with %s", async (_what, change, message) => {
    const platform = await startPlatform();
    await expect(new Stack(platform).up(dockerDeployment(change))).rejects.toThrow(message);
    expect(platform.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
  });
});
