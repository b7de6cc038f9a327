/** check as the engine calls it: without an API key and without a server. */
import { runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import type { PropertyMap } from "../../../provider/schema/schema";
import { partiallyUnknownInputs, validInputs } from "../../support/arbitraries/deployment-inputs";
import { TestClock } from "../../support/clock";
import { dockerDeployment } from "../../support/deployments/inputs";
import { CheckError, decryptSecrets, Stack } from "../../support/stack";

const offline = (options = {}) => new Stack({ clock: new TestClock(), url: "https://control.example" }, options);

describe("check", () => {
  it("returns the declared inputs unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(validInputs, async (declared) => {
        const checked = await offline().check(declared);
        const visible = Object.fromEntries(Object.entries(checked).filter(([key]) => !key.startsWith("__")));
        expect(visible).toEqual(declared);
      }),
      { numRuns: 50 },
    );
  });

  it("is idempotent", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          validInputs,
          partiallyUnknownInputs.map(({ inputs }) => inputs),
        ),
        async (declared) => {
          const host = offline().host();
          const once = await host.check({}, declared);
          const twice = await host.check({}, decryptSecrets(once.inputs));
          expect(twice).toEqual(once);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("reports an object without a text in place of a URL", async () => {
    const { failures } = await offline({ kind: "Thread" })
      .host()
      .check({}, { deploymentUrl: { toString: "" } });
    expect(failures).toMatchObject([{ reason: expect.stringContaining("deploymentUrl must be a string") }]);
  });

  it("marks each secret separately, so that none reaches state in plain text", async () => {
    const { inputs } = await offline()
      .host()
      .check({}, dockerDeployment({ secrets: { A: "s3cr3t-1", B: "s3cr3t-2" } }));
    expect(Object.keys(inputs.secrets)).toEqual(["A", "B"]);
    for (const value of Object.values<PropertyMap>(inputs.secrets)) {
      expect(value[runtime.specialSigKey]).toBe(runtime.specialSecretSig);
    }
  });

  it("names no property in a failure, because the engine would print its value", async () => {
    const failuresOf = async (properties: PropertyMap) => (await offline().host().check({}, properties)).failures;
    expect(await failuresOf(dockerDeployment({ name: "" }))).toEqual([
      { property: "", reason: "name must not be empty." },
    ]);
    const folder = { ...dockerDeployment({ source: "internal_source" }), sourcePath: "", sourceRevisionConfig: {} };
    expect(await failuresOf(folder)).toContainEqual({ property: "", reason: "sourcePath must not be empty." });
    const { source: _, ...sourceless } = dockerDeployment();
    const { sourceRevisionConfig: __, ...incomplete } = dockerDeployment();
    for (const [properties, path] of [
      [sourceless, "source"],
      [incomplete, "sourceRevisionConfig"],
    ] as const)
      expect(await failuresOf(properties)).toEqual([
        { property: "", reason: expect.stringMatching(new RegExp(`^${path} `)) },
      ]);
    for (const properties of [
      dockerDeployment({ secrets: "s3cr3t" }),
      dockerDeployment({ secrets: { A: 1 } }),
      dockerDeployment({ secret: { A: "s3cr3t" } }),
    ]) {
      expect(await failuresOf(properties)).toEqual([{ property: "", reason: expect.stringMatching(/^secret/) }]);
    }
  });

  it("never shows a secret in a failure or on a row", async () => {
    const value = fc.constantFrom<unknown>("S3CR3T", ["S3CR3T"], { a: "S3CR3T" }, 7);
    const name = fc.oneof(fc.constantFrom("", "PULUMI_RESOURCE", "PATH", "a.b"), fc.string({ maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { noNullPrototype: true }), async (secrets) => {
        const stack = offline();
        const { failures } = await stack
          .host()
          .check({}, dockerDeployment({ secrets, secretReferences: { PATH: {} } }));
        expect(JSON.stringify([failures, stack.messages])).not.toContain("S3CR3T");
      }),
      { numRuns: 50 },
    );
  });

  it("shows a warning on the row and accepts the resource", async () => {
    const stack = offline();
    await stack.check(dockerDeployment({ name: "My_Agent" }));
    expect(stack.messages).toEqual([expect.stringMatching(/^warn: name: "My_Agent"/)]);
  });

  it("rejects invalid settings before anything is planned", async () => {
    const stack = offline({ config: { resumeWithin: "soon" } });
    await expect(stack.check(dockerDeployment())).rejects.toThrow("resumeWithin");
  });

  it("fails for an invalid field, and then nothing is created", async () => {
    const stack = offline();
    await expect(stack.up(dockerDeployment({ nmae: "x" }))).rejects.toBeInstanceOf(CheckError);
    expect(stack.state).toBeUndefined();
  });
});

describe("Internal inputs", () => {
  const internal = async (stack: Stack, olds: PropertyMap, news: PropertyMap) => {
    const { inputs } = await stack.host().check(olds, news);
    return Object.fromEntries(Object.entries(inputs as PropertyMap).filter(([key]) => key.startsWith("__")));
  };
  const common = { __provider: "p", __organization: "acme" };

  it("that no update uses stay unchanged, so that no preview lists them", async () => {
    const stack = offline();
    const olds = { ...dockerDeployment(), ...common, __urn: "old", __timeouts: { create: "1m" }, __import: "id" };
    const news = { ...dockerDeployment(), ...common, __urn: "moved" };
    expect(await internal(stack, olds, news)).toEqual({
      ...common,
      __urn: "moved",
      __timeouts: { create: "1m" },
      __import: "id",
    });
    const added = { ...news, __timeouts: { create: "2m" }, __import: "id", __secretInputs: ["name"] };
    const before = { ...dockerDeployment(), ...common, __urn: "moved" };
    expect(await internal(stack, before, added)).toEqual({ ...common, __urn: "moved" });
  });

  it("of a new resource reach its create, except for the names of secret inputs", async () => {
    const news = { ...dockerDeployment(), ...common, __urn: "u", __timeouts: { create: "2m" }, __import: "id" };
    expect(await internal(offline(), {}, { ...news, __secretInputs: ["name"] })).toEqual({
      ...common,
      __urn: "u",
      __timeouts: { create: "2m" },
      __import: "id",
    });
  });
});
