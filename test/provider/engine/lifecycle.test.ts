/** check and diff as the engine calls them: pure, without a key and without a service. */
import { runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import { z } from "zod";
import { defineResource } from "../../../provider/definition/definition";
import { definitions } from "../../../provider/definitions";
import { lifecycle } from "../../../provider/engine/dynamic";
import { RunMemory } from "../../../provider/engine/run-memory";
import type { PropertyMap } from "../../../provider/schema/schema";
import { partiallyUnknownInputs, validInputs } from "../../support/arbitraries/deployment-inputs";
import { TestClock } from "../../support/clock";
import { dockerDeployment, withImage } from "../../support/deployments";
import { CheckError, decryptSecrets, Stack } from "../../support/stack";

const offline = (options = {}) => new Stack({ clock: new TestClock(), url: "https://control.example" }, options);
const UNKNOWN = runtime.unknownValue;
const silent = { progress: () => {}, info: () => {}, warn: () => {}, flush: async () => {} };

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

  it("marks each secret separately, so that none reaches state in plain text", async () => {
    const { inputs } = await offline()
      .host()
      .check({}, dockerDeployment({ secrets: { A: "s3cr3t-1", B: "s3cr3t-2" } }));
    expect(Object.keys(inputs.secrets)).toEqual(["A", "B"]);
    for (const value of Object.values<PropertyMap>(inputs.secrets)) {
      expect(value[runtime.specialSigKey]).toBe(runtime.specialSecretSig);
    }
  });

  it("names a property only when the engine may print its value", async () => {
    const failuresOf = async (properties: PropertyMap) => (await offline().host().check({}, properties)).failures;
    expect(await failuresOf(dockerDeployment({ name: "" }))).toMatchObject([{ property: "name" }]);
    const folder = { ...dockerDeployment({ source: "internal_source" }), sourcePath: "", sourceRevisionConfig: {} };
    expect(await failuresOf(folder)).toContainEqual({ property: "sourcePath", reason: "must not be empty." });
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

describe("diff", () => {
  const state = (inputs: PropertyMap): PropertyMap => ({
    ...inputs,
    status: "READY",
    createdAt: "2026",
    __schema: 1,
    __owner: "o",
  });

  it("of unchanged inputs is empty, whatever the outputs and internal properties are", async () => {
    await fc.assert(
      fc.asyncProperty(validInputs, async (inputs) => {
        const diff = await offline()
          .host()
          .diff("id", state(inputs), { ...inputs, __urn: "moved", __timeouts: {} });
        expect(diff).toEqual({ changes: false });
      }),
      { numRuns: 50 },
    );
  });

  it("is symmetric, since a refresh swaps both sides", async () => {
    await fc.assert(
      fc.asyncProperty(validInputs, validInputs, async (left, right) => {
        const host = offline().host();
        const [there, back] = [await host.diff("id", state(left), right), await host.diff("id", state(right), left)];
        expect([back.changes, back.replaces?.toSorted()]).toEqual([there.changes, there.replaces?.toSorted()]);
      }),
      { numRuns: 50 },
    );
  });

  it("never replaces because of an unknown value", async () => {
    await fc.assert(
      fc.asyncProperty(partiallyUnknownInputs, async ({ knownInputs, inputs }) => {
        const { replaces = [] } = await offline().host().diff("id", state(knownInputs), inputs);
        expect(replaces).toEqual([]);
      }),
    );
  });

  it("leaves the details to the engine, so that replaceOnChanges works", async () => {
    const diff = await offline()
      .host()
      .diff("id", state(dockerDeployment()), dockerDeployment(withImage("2")));
    expect(diff.changes).toBeUndefined();
    expect(diff).not.toHaveProperty("detailedDiff");
  });

  it("shows the impact of a change on the row, and nothing during a refresh", async () => {
    const stack = offline();
    const host = stack.host();
    await host.diff("id", state(dockerDeployment()), { ...dockerDeployment(withImage("2")), __urn: stack.urn });
    expect(stack.messages).toEqual([]);
    await host.check({}, { ...dockerDeployment(withImage("2")), __urn: stack.urn });
    await host.diff("id", state(dockerDeployment()), { ...dockerDeployment(withImage("2")), __urn: stack.urn });
    expect(stack.messages).toEqual(["info: new revision: imageUri 1.0.0 -> 2"]);
  });

  it.each([
    [["sourceRevisionConfig.imageUri"], ["sourceRevisionConfig"]],
    [["sourceRevisionConfig"], ["sourceRevisionConfig"]],
    [["*"], ["sourceRevisionConfig"]],
    [['["sourceRevisionConfig"]["imageUri"]'], ["sourceRevisionConfig"]],
    [["waitFor", "sourceRevisionConfig.other"], []],
  ])("shows that replaceOnChanges %j replaces it, and what is lost", async (paths, replaces) => {
    const stack = offline();
    const host = stack.host();
    const news = { ...dockerDeployment(withImage("2")), __urn: stack.urn };
    const { inputs } = await host.check({}, { ...news, __replaceOnChanges: paths });
    expect(inputs).not.toHaveProperty("__replaceOnChanges");
    expect(await host.diff("id", state(dockerDeployment()), news)).toMatchObject({
      replaces,
      deleteBeforeReplace: true,
    });
    expect(stack.messages).toEqual([
      replaces.length > 0
        ? "warn: REPLACED, its database and threads are lost: imageUri 1.0.0 -> 2 (replaceOnChanges)"
        : "info: new revision: imageUri 1.0.0 -> 2",
    ]);
  });

  it("shows no value of an input that the program marks secret", async () => {
    const stack = offline();
    const host = stack.host();
    const news = { ...dockerDeployment(withImage("2")), __urn: stack.urn };
    await host.check({}, { ...news, __secretInputs: ["sourceRevisionConfig"] });
    await host.diff("id", state(dockerDeployment()), news);
    expect(stack.messages).toEqual(["info: new revision: imageUri"]);
    stack.messages = [];
    const nextHost = stack.host();
    await nextHost.check({}, news);
    await nextHost.diff("id", { ...state(dockerDeployment()), __secretInputs: ["sourceRevisionConfig"] }, news);
    expect(stack.messages).toEqual(["info: new revision: imageUri"]);
  });
});

const unused = () => Promise.reject(new Error("not called"));

/** What every kind says, and these tests do not depend on. */
const minimal = {
  description: "A kind of resource.",
  server: "controlPlane" as const,
  rules: [],
  secrets: { paths: [] },
  impact: { effects: [], replacement: "replace" as const, loses: null, onDelete: null },
  timeouts: { create: "1m", update: "1m", delete: "1m" },
  adopt: {
    ...{ plural: "things", singular: "thing", listedBy: "getThings", isNamed: false },
    title: () => "",
    fetch: unused,
    toInputs: () => ({}),
    references: {},
  },
  optionalRoutes: [],
  hasOwnershipMarker: false,
  ...{ create: unused, read: unused, update: unused, delete: unused },
};

describe("A path that references another resource", () => {
  const schema = z.strictObject({ deploymentId: z.string(), title: z.string() });
  const definition = defineResource("Thing", {
    ...minimal,
    schema: { inputs: schema, outputs: z.object({}), stable: [] },
    replace: { on: ["deploymentId", "title"], references: { deploymentId: "its deployment is replaced" } },
  });
  const host = lifecycle(definition, { clock: new TestClock(), report: silent, memory: new RunMemory() });
  host.configure({ config: { get: () => undefined } } as never);
  const before = { deploymentId: "d", title: "t" };

  it("replaces when it is unknown, since that resource is new; other paths do not", async () => {
    expect(await host.diff("id", before, { ...before, deploymentId: UNKNOWN })).toMatchObject({
      replaces: ["deploymentId"],
    });
    expect(await host.diff("id", before, { ...before, title: UNKNOWN })).toMatchObject({ replaces: [] });
  });
});

describe("A kind whose objects have a final state", () => {
  const rows: string[] = [];
  const said = { ...silent, info: (_urn: string, text: string) => void rows.push(text) };
  const definition = defineResource<{ title: string }, { status: string }>("Thing", {
    ...minimal,
    schema: {
      inputs: z.strictObject({ title: z.string() }),
      outputs: z.object({ status: z.string() }),
      stable: [],
      foreignFields: { name: "belongs to a Deployment." },
    },
    replace: { on: ["title"], when: ({ status }) => (status === "FAILED" ? "it failed" : undefined) },
    delete: async () => ({ info: "it stays" }),
  });
  const stored = { title: "t", status: "FAILED", __urn: "urn" };
  const host = () => {
    rows.length = 0;
    const created = lifecycle(definition, { clock: new TestClock(), report: said, memory: new RunMemory() });
    created.configure({ config: { get: (key: string) => settings[key] } } as never);
    return created;
  };
  const settings: Record<string, string> = {
    "agentgraph:controlPlaneUrl": "http://127.0.0.1:1",
    "agentgraph:apiKey": "k",
  };

  it("replaces an ended object without a difference, and says why", async () => {
    const planned = host();
    await planned.check({}, { title: "t", __urn: "urn" });
    const difference = await planned.diff("id", stored, { title: "t", __urn: "urn" });
    expect(difference).toMatchObject({ changes: true, replaces: ["id"], deleteBeforeReplace: true });
    expect(rows).toEqual(["REPLACED; it failed"]);
    expect(await planned.diff("id", { ...stored, status: "DONE" }, { title: "t", __urn: "urn" })).toEqual({
      changes: false,
    });
  });

  it("does not report the end as a change during a refresh", async () => {
    expect(await host().diff("id", stored, { title: "t", __urn: "urn" })).toEqual({ changes: false });
  });

  it("shows the impact on dependents of a replaced resource, which the engine diffs before the check", async () => {
    await host().diff("id", { ...stored, status: "DONE" }, { title: UNKNOWN, __urn: "urn" });
    expect(rows).toEqual(["possibly REPLACED: title (if its value changes)"]);
  });

  it("reports what a delete keeps by design as an info, not a warning", async () => {
    await host().delete("id", stored);
    expect(rows).toEqual(["it stays"]);
  });

  it("suggests the right field for a field of another kind", async () => {
    const { failures } = await host().check({}, { title: "t", name: "n", __urn: "urn" });
    expect(failures?.map(({ reason }) => reason)).toEqual(["name belongs to a Deployment."]);
  });
});

it("A definition that refers to an unknown input fails at load time", () => {
  const define = () =>
    defineResource("Thing", {
      ...minimal,
      schema: { inputs: z.strictObject({}), outputs: z.object({}), stable: [] },
      replace: { on: ["nmae"] },
    } as never);
  expect(define).toThrow('Thing: no input "nmae" exists');
});

it("A call before configure fails", async () => {
  const definition = definitions.find(({ kind }) => kind === "Deployment");
  const host = definition && lifecycle(definition, { clock: new TestClock(), report: silent, memory: new RunMemory() });
  await expect(host?.read("id", dockerDeployment())).rejects.toThrow("before it was configured");
});

it("A call during configure waits for it", async () => {
  const stack = offline();
  const host = stack.host();
  host.configure({ config: { get: () => undefined } } as never);
  const reading = host.read("id", { ...dockerDeployment(), __urn: stack.urn });
  await expect(reading).rejects.toThrow("Settings are missing");
});

describe("Warnings about settings", () => {
  /** What a preview of one resource of each type warns of, in one process. */
  async function warnings(settings: Record<string, string>): Promise<string[]> {
    const texts: string[] = [];
    const report = { ...silent, warn: (_urn: string, text: string) => void texts.push(text) };
    const environment = { clock: new TestClock(), report, memory: new RunMemory() };
    for (const definition of definitions) {
      const host = lifecycle(definition as never, environment);
      host.configure({ config: { get: (key: string) => settings[key.replace("agentgraph:", "")] } } as never);
      for (const name of ["a", "b"]) await host.check({}, { __urn: `urn:pulumi:dev::shop::x::${name}` });
    }
    return texts;
  }
  const urls = { controlPlaneUrl: "https://control.example", tracingApiUrl: "https://tracing.example" };

  it("are shown once, however many resources and types there are", async () => {
    expect(await warnings({ ...urls, apiKey: "k", tenantId: "acme" })).toEqual([
      expect.stringContaining('tenantId: "acme" is not a UUID'),
    ]);
  });

  it("name the API key that bulk exports require in addition to a bearer token", async () => {
    const tenantId = "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";
    expect(await warnings({ ...urls, tenantId, bearerToken: "t" })).toEqual([
      expect.stringContaining("apiKey: bulk exports require an API key"),
    ]);
    expect(await warnings({ ...urls, tenantId, bearerToken: "t", apiKey: "k" })).toEqual([]);
  });

  it("name each missing setting once, although several servers require it", async () => {
    expect(await warnings({})).toEqual([
      expect.stringMatching(/^Settings are missing: controlPlaneUrl, apiKey\n/),
      expect.stringMatching(/^More settings are missing: tracingApiUrl, tenantId\n(?!.*apiKey)/s),
    ]);
  });
});
