/**
 * The checks that a Deployment declares: how previews announce them, which are rejected before anything is sent, and
 * what is shown of them.
 */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { countRevisions, createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

const check = { http: { path: "/info" }, attempts: 1 };
const declare = (tag: string, change: PropertyMap = {}) =>
  dockerDeployment({ ...withImage(tag), verify: [check], ...change });

describe("the checks of a Deployment", () => {
  it("are announced, and run without a rollout where only they change", async () => {
    const { platform, stack, id } = await createDeployment(declare("1"));
    const more = declare("1", { verify: [check, { name: "second", http: { path: "/info" } }] });
    await stack.diff(more);
    expect(stack.messages.at(-1)).toBe("info: checks the live revision: verify");
    expect([await stack.up(more), await countRevisions(platform, id)]).toEqual(["update", 1]);
    expect(platform.requests({ path: "/agents/*/info" })).toHaveLength(2);
  });

  it("pass if they take time on this machine, or several requests", async () => {
    const verify = [{ conversations: {} }, { command: { args: [process.execPath, "--version"] } }];
    const { stack } = await createDeployment(declare("1", { verify }));
    expect(stack.messages).toContain("progress: DEPLOYED, 2 checks passed");
  });

  it("are reported without those of their texts that are secret, however short these are", async () => {
    const { stack } = await startDeployment();
    const path = "/threads/7d1a2a52-0f0e-4c1b-9c57-2f5f8ae1d0a4";
    const expectation = { path, expect: { status: 404, contains: "~X9" } };
    const declared = declare("2", { verify: [check, { http: expectation, attempts: 1 }] });
    const secret = { __secretInputs: ["verify.1.http.expect.contains", "verify.1.http.path"] };
    const { message } = await failureOf(stack.up(declared, stack.host(), secret));
    expect(message).toContain("check 2 of 2: http [secret] failed.\n  expected   a text that contains");
    const { failedVerification } = stateOf(stack).outputs;
    const shown = message + stack.messages.join() + JSON.stringify(failedVerification);
    for (const text of ["~X9", path]) expect(shown).not.toContain(text);
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
