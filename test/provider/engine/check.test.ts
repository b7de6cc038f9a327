/** check as the engine calls it: without an API key and without a server. */
import { runtime } from "@pulumi/pulumi";
import type { PropertyMap } from "../../../provider/schema/schema";
import { dockerDeployment } from "../../support/deployments/inputs";
import { offlineStack, type Stack } from "../../support/stack";

describe("check", () => {
  it("reports an object without a text in place of a URL", async () => {
    const { failures } = await offlineStack({ kind: "Thread" })
      .host()
      .check({}, { deploymentUrl: { toString: "" } });
    expect(failures).toMatchObject([{ reason: expect.stringContaining("deploymentUrl must be a string") }]);
  });

  it("marks each secret separately, so that none reaches state in plain text", async () => {
    const { inputs } = await offlineStack()
      .host()
      .check({}, dockerDeployment({ secrets: { A: "s3cr3t-1", B: "s3cr3t-2" } }));
    expect(Object.keys(inputs.secrets)).toEqual(["A", "B"]);
    for (const value of Object.values<PropertyMap>(inputs.secrets)) {
      expect(value[runtime.specialSigKey]).toBe(runtime.specialSecretSig);
    }
  });

  it.each<[PropertyMap, RegExp]>([
    [{ name: "" }, /^name must not be empty\.$/],
    [{ source: undefined }, /^source /],
    [{ sourceRevisionConfig: undefined }, /^sourceRevisionConfig /],
    [{ secrets: "s3cr3t" }, /^secrets /],
    [{ secrets: { A: 1 } }, /^secrets\.A /],
    [{ secret: { A: "s3cr3t" } }, /^secret /],
  ])("names no property in the failure of %j, because the engine would print its value", async (change, reason) => {
    const { failures } = await offlineStack().host().check({}, dockerDeployment(change));
    expect(failures).toEqual([{ property: "", reason: expect.stringMatching(reason) }]);
  });

  it("rejects invalid settings before anything is planned", async () => {
    const stack = offlineStack({ config: { resumeWithin: "soon" } });
    await expect(stack.check(dockerDeployment())).rejects.toThrow("resumeWithin");
  });
});

describe("Internal inputs", () => {
  const internal = async (stack: Stack, olds: PropertyMap, news: PropertyMap) => {
    const { inputs } = await stack.host().check(olds, news);
    return Object.fromEntries(Object.entries(inputs as PropertyMap).filter(([key]) => key.startsWith("__")));
  };
  const common = { __provider: "p", __organization: "acme" };

  it("that no update uses stay unchanged, so that no preview lists them", async () => {
    const stack = offlineStack();
    const olds = { ...dockerDeployment(), ...common, __urn: "old", __timeouts: { create: "1m" }, __import: "id" };
    const news = { ...dockerDeployment(), ...common, __urn: "moved" };
    expect(await internal(stack, olds, news)).toEqual({
      ...common,
      ...{ __urn: "moved", __timeouts: { create: "1m" }, __import: "id" },
    });
    const added = { ...news, __timeouts: { create: "2m" }, __import: "id", __secretInputs: ["name"] };
    const before = { ...dockerDeployment(), ...common, __urn: "moved" };
    expect(await internal(stack, before, added)).toEqual({ ...common, __urn: "moved" });
  });

  it("of a new resource reach its create, except for the names of secret inputs", async () => {
    const news = { ...dockerDeployment(), ...common, __urn: "u", __timeouts: { create: "2m" }, __import: "id" };
    expect(await internal(offlineStack(), {}, { ...news, __secretInputs: ["name"] })).toEqual({
      ...common,
      ...{ __urn: "u", __timeouts: { create: "2m" }, __import: "id" },
    });
  });
});
