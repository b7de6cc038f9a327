// biome-ignore-all lint/suspicious/noTemplateCurlyInString: users write these placeholders in a setting.
/** What a resource class of the built package registers with the engine, which is a mock of the Pulumi SDK. */
import * as pulumi from "@pulumi/pulumi";
import { defineClass as defineNativeClass } from "../../dist/sdk/nodejs/native/resource";
import { Provider } from "../../dist/sdk/nodejs/provider";
import { defineClass } from "../../dist/sdk/nodejs/resource";
import { resources } from "../../dist/sdk/nodejs/resources";
import { stubOf } from "../../dist/sdk/nodejs/stub";
import { failureOf } from "../support/errors";
import { type Class, known, waitUntilRegistered } from "./shared/registrations";

const Deployment = defineClass<Class>("Deployment", resources.Deployment);
const Thread = defineClass<Class>("Thread", resources.Thread);
const NativeDeployment = defineNativeClass<Class>("Deployment", resources.Deployment);
const NativeThread = defineNativeClass<Class>("Thread", resources.Thread);
const args = { source: "external_docker", sourceRevisionConfig: { imageUri: "r.example/a:1" } };

describe("a resource", () => {
  it("is registered with its token, its stub and the internal inputs that its handlers need", async () => {
    const customTimeouts = { create: "5m" };
    const made = new Deployment("agent", { ...args, name: "n" }, { customTimeouts });
    const { type, inputs } = await waitUntilRegistered(made);
    expect(type).toBe("pulumi-nodejs:dynamic/agentgraph:Deployment");
    expect(inputs).toEqual({
      ...args,
      ...{ name: "n", __provider: stubOf("Deployment") },
      ...{ __urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::agent", __organization: "acme" },
      __timeouts: customTimeouts,
    });
  });

  it("passes replaceOnChanges and ignoreChanges to its handlers, which the engine does not", async () => {
    const options = { replaceOnChanges: ["sourceRevisionConfig"], ignoreChanges: ["secrets"] };
    const { inputs } = await waitUntilRegistered(new Deployment("replaced", args, options));
    const all = await waitUntilRegistered(new Deployment("ignored", args, { ignoreChanges: ["*"] }));
    expect(all.inputs.__ignoreChanges).toEqual(expect.arrayContaining(["secrets", "sourceConfig"]));
    expect(inputs).toMatchObject({ __replaceOnChanges: ["sourceRevisionConfig"], __ignoreChanges: ["secrets"] });
    expect((await waitUntilRegistered(new Deployment("kept", args))).inputs).not.toHaveProperty("__replaceOnChanges");
  });

  it("hides differences that the program or the class hides, and keeps the secrets of the program", async () => {
    const seen: pulumi.CustomResourceOptions[] = [];
    const transformations: pulumi.ResourceTransformation[] = [({ opts }) => void seen.push(opts)];
    const options = { transformations, hideDiffs: ["redeployTriggers"], additionalSecretOutputs: ["createdAt"] };
    await waitUntilRegistered(new Deployment("hidden", args, options));
    const hideDiffs = expect.arrayContaining(["__urn", "__provider", "redeployTriggers"]);
    expect(seen).toMatchObject([{ hideDiffs, additionalSecretOutputs: ["createdAt"] }]);
  });

  it("disables stack traces of the SDK, but an error still shows where the resource is declared", async () => {
    const depth = Error.stackTraceLimit;
    const failure = await failureOf((async () => new Deployment("", args))());
    expect(failure.stack).toContain("resource.test.ts");
    await waitUntilRegistered(new Deployment("fast", args));
    expect(Error.stackTraceLimit).toBe(depth);
    Error.stackTraceLimit = depth + 1;
    expect(Error.stackTraceLimit).toBe(depth + 1);
    Error.stackTraceLimit = depth;
  });

  it("names in a preview the one resource that an input is an output of, for its handlers", async () => {
    const [one, two] = [new Deployment("one", args), new Deployment("two", args)];
    const metadata = pulumi.all([one.id, two.id]).apply(([first, second]) => ({ first, second }));
    Reflect.get(pulumi.runtime, "_setIsDryRun")(true);
    const made = new Thread("session", { deploymentId: one.id, metadata, sensitive: pulumi.output(true) });
    Reflect.get(pulumi.runtime, "_setIsDryRun")(false);
    const sources = { deploymentId: await known(one.urn), metadata: "", sensitive: "" };
    expect((await waitUntilRegistered(made)).inputs.__sources).toEqual(sources);
  });

  it("has its own URN inside a component", async () => {
    const parent = new pulumi.ComponentResource("shop:index:Team", "team");
    const made = new Deployment("agent", args, { parent });
    expect((await waitUntilRegistered(made)).inputs.__urn).toBe(await known(made.urn));
  });

  it("passes the option import to its handlers and not to the engine", async () => {
    expect((await waitUntilRegistered(new Deployment("agent", args, { import: "id-1" }))).inputs.__import).toBe("id-1");
  });

  it("names its inputs that contain a secret, and no others", async () => {
    const parent = new pulumi.ComponentResource("shop:index:Team", "team");
    // A resource stands for its ID, and its parent leads back to it.
    const owner = new Deployment("owner", args, { parent });
    Object.assign(parent, { owner });
    const triggers = {
      ...{ rotation: pulumi.output("1"), owner, later: Promise.resolve({ key: pulumi.secret("4") }) },
      nested: { keys: ["1", pulumi.secret("2"), pulumi.secret("3")] },
    };
    const config = { imageUri: pulumi.secret("r.example.com/a:1"), repoRef: "main" };
    const declared = { ...args, name: pulumi.output("n"), sourceRevisionConfig: config, redeployTriggers: triggers };
    const secret = await waitUntilRegistered(new Deployment("agent", declared));
    expect(secret.inputs.__secretInputs).toEqual([
      ...["sourceRevisionConfig.imageUri", "redeployTriggers.later", "redeployTriggers.nested.keys.1"],
      "redeployTriggers.nested.keys.2",
    ]);
    const open = await waitUntilRegistered(new Deployment("agent", { ...args, name: "n" }));
    expect(open.inputs).not.toHaveProperty("__secretInputs");
  });

  it("supports keys with a meaning in JavaScript, in plain objects and in Outputs", async () => {
    const keys = ["constructor", "toString", "valueOf", "hasOwnProperty", "__token"];
    const map = Object.fromEntries(keys.map((key) => [key, "x"]));
    for (const secrets of [map, pulumi.output(map), { ...map, other: pulumi.output("y") }]) {
      const { inputs } = await waitUntilRegistered(new Deployment("agent", { ...args, secrets }));
      expect(inputs.secrets).toMatchObject(map);
    }
    const deep = { ...args, sourceConfig: { resourceSpec: { labels: map } } };
    const { sourceConfig } = (await waitUntilRegistered(new Deployment("agent", deep))).inputs;
    expect(sourceConfig).toMatchObject(deep.sourceConfig);
  });

  it("rejects a key that Pulumi would drop, with its path", () => {
    const secrets = JSON.parse('{"A":"x","__proto__":"y"}');
    expect(() => new Deployment("agent", { ...args, secrets })).toThrow(
      'Deployment "agent": secrets.__proto__ is not supported, because Pulumi drops keys of this name. Use ' +
        "another key.",
    );
    const volumes = [{ name: "a", csi: JSON.parse('{"deep":{"__proto__":{}}}') }];
    expect(() => new Deployment("agent", { ...args, sourceConfig: { resourceSpec: { volumes } } })).toThrow(
      "sourceConfig.resourceSpec.volumes.0.csi.deep.__proto__ is not supported",
    );
  });

  it("rejects a text that Pulumi would change, with its path", () => {
    const invalid = "is not a valid Unicode text: it contains half of a character. Correct the text.";
    for (const [change, path] of [
      [{ name: "a\ud83d" }, "name"],
      [{ secrets: { KEY: "\udc00x" } }, "secrets.KEY"],
      [{ secrets: { "KEY\ud800": "x" } }, "secrets.KEY\ufffd"],
      [
        { sourceConfig: { resourceSpec: { volumes: [{ name: "\ud800" }] } } },
        "sourceConfig.resourceSpec.volumes.0.name",
      ],
    ] as const)
      expect(() => new Deployment("agent", { ...args, ...change })).toThrow(`Deployment "agent": ${path} ${invalid}`);
    expect(() => new Deployment("valid", { ...args, secrets: { KEY: "\u{1f600}" } })).not.toThrow();
  });

  it("rejects a value that would not reach the server as it is, with its path", () => {
    for (const OfHost of [Thread, NativeThread])
      expect(
        () => new OfHost("t", { deploymentId: "d", metadata: { deep: [{ value: new Float32Array(1) }] } }),
      ).toThrow('Thread "t": metadata.deep.0.value is an object of the class Float32Array, which JSON cannot contain');
  });

  it("rejects deleteBeforeReplace: false", () => {
    for (const OfHost of [Deployment, NativeDeployment])
      expect(() => new OfHost("agent", args, { deleteBeforeReplace: false })).toThrow(
        /Deployment "agent": deleteBeforeReplace: false is not supported.*Remove the option/,
      );
    expect(() => new Deployment("agent", args, { deleteBeforeReplace: true })).not.toThrow();
  });
});

describe("get", () => {
  const hidden = {
    __provider: stubOf("Deployment"),
    __urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::shared",
    __organization: "acme",
    __external: true,
  };

  it("reads by ID, declares nothing, and marks the resource as not managed by the program", async () => {
    const { inputs, id } = await waitUntilRegistered(Deployment.get("shared", pulumi.output("id-1")));
    expect({ inputs, id }).toEqual({ inputs: hidden, id: "id-1" });
  });

  it("returns every input and output as an Output", async () => {
    const shared = Deployment.get("shared", "id-1");
    const { inputs, outputs } = resources.Deployment;
    expect([...inputs, ...outputs].filter((key) => !pulumi.Output.isInstance(shared[key]))).toEqual([]);
    expect(await known(shared.url as pulumi.Output<unknown>)).toBe("https://agent.example");
  });

  it.each([
    ["by the ID of its deployment", "d-1/t-1", { deploymentId: "d-1" }],
    ["by its server's URL", "https://a.example/agents/7/t-1", { deploymentUrl: "https://a.example/agents/7" }],
  ])("finds a thread %s", async (_by, id, place) => {
    for (const given of [id, pulumi.output(Promise.resolve(id))]) {
      const read = await waitUntilRegistered(Thread.get("talk", given));
      expect(read).toMatchObject({ id: "t-1", inputs: place });
      expect(Object.keys(read.inputs).filter((key) => !key.startsWith("__"))).toEqual(Object.keys(place));
    }
  });

  it.each(["t-1", "d-1/", "/t-1"])("rejects the ID %s, which does not identify the deployment of the thread", (id) => {
    expect(() => Thread.get("talk", id)).toThrow(
      `Thread "talk" (get): an ID alone is not enough; expected "<deploymentId>/<ID>" or ` +
        `"<deploymentUrl>/<ID>", got "${id}".`,
    );
  });
});

it("isInstance returns true only for resources of the class", () => {
  const [deployment, thread] = [new Deployment("agent", args), Thread.get("talk", "d-1/t-1")];
  const values = [deployment, thread, {}, undefined, "text"];
  expect(values.map((value) => Deployment.isInstance(value))).toEqual([true, false, false, false, false]);
  expect(Thread.isInstance(thread)).toBe(true);
});

it("a subclass registers the same type, with its additional members", async () => {
  class Agent extends Deployment {
    readonly team = "support";
    constructor(name: string) {
      super(name, args, { parent: new pulumi.ComponentResource("shop:index:Team", name) });
    }
  }
  const agent = new Agent("extended");
  expect(Deployment.isInstance(agent)).toBe(true);
  expect(agent.team).toBe("support");
  expect((await waitUntilRegistered(agent)).type).toBe("pulumi-nodejs:dynamic/agentgraph:Deployment");
  expect(Deployment.isInstance(Agent.get("other", "id-1"))).toBe(true);
});

it("a Provider passes its settings as strings, with secret API keys, and marks them as explicit", async () => {
  const vocabulary = { githost: "gitplace" };
  const own = new Provider("p", { apiKey: "k", tenantId: "t", ownerMarker: false, requestsPerSecond: 2, vocabulary });
  const { type, inputs } = await waitUntilRegistered(own);
  expect(type).toBe("pulumi:providers:pulumi-nodejs");
  const secret = { [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig, value: "k" };
  expect([{ ...inputs, "agentgraph:apiKey": "k" }, inputs["agentgraph:apiKey"]]).toEqual([
    {
      "agentgraph:explicitProvider": "true",
      "agentgraph:apiKey": "k",
      "agentgraph:tenantId": "t",
      "agentgraph:ownerMarker": "false",
      "agentgraph:requestsPerSecond": "2",
      "agentgraph:vocabulary": JSON.stringify(vocabulary),
    },
    secret,
  ]);
});
