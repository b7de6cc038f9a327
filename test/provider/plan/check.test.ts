/** check without the engine: every forbidden value has a path and says what to write instead. */
import { runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import { forAll } from "../../../emulator/test/support/for-all";
import { validate } from "../../../provider/plan/check";
import type { PropertyMap } from "../../../provider/schema/schema";
import { closestMatch } from "../../../provider/text/did-you-mean";
import { allPaths, partiallyUnknownInputs, setAt, validInputs } from "../../support/arbitraries/deployment-inputs";
import { dockerDeployment, withResourceSpec } from "../../support/deployments/inputs";
import { definitionOf } from "./plans";

const [deployment, thread] = [definitionOf("Deployment"), definitionOf("Thread")];
const withSpec = (spec: PropertyMap) => dockerDeployment(withResourceSpec(spec));
const SETTINGS = { ownerMarker: true, vocabulary: { githost: "githost", agentgraph: "agentgraph" } };
const findings = (inputs: PropertyMap, previous: PropertyMap = {}) =>
  validate(deployment, inputs, { previous, settings: SETTINGS });
const failuresOf = (inputs: PropertyMap, previous?: PropertyMap) =>
  findings(inputs, previous).failures.map(({ path, reason }) => `${path} ${reason}`);
const warningsOf = (inputs: PropertyMap) => findings(inputs).warnings.map(({ path, reason }) => `${path} ${reason}`);

describe("An invalid value fails at its path", () => {
  const listener = (change: PropertyMap) => dockerDeployment({ sourceConfig: change });
  // @covers 2A.Deployment.name, 2A.Secret.value, 2A.SecretReference.secret_key
  it.each([
    ["a name that is missing", dockerDeployment({ name: undefined }), /^name is required/],
    ["a name that is empty", dockerDeployment({ name: "" }), /^name must not be empty/],
    ["a name that is a number", dockerDeployment({ name: 7 }), /^name must be a string/],
    ["no image", dockerDeployment({ sourceRevisionConfig: {} }), /^sourceRevisionConfig\.imageUri is required/],
    ["too little CPU", withSpec({ cpu: 0.05 }), /^sourceConfig\.resourceSpec\.cpu must be at least 0\.1/],
    ["memory between the steps", withSpec({ memoryMb: 1000 }), /memoryMb must be a multiple of 128/],
    ["half a replica", withSpec({ minScale: 0.5 }), /minScale must be a whole number/],
    ["a listener that is not a UUID", listener({ listenerId: "x" }), /^sourceConfig\.listenerId must be a UUID/],
    ["settings alone", listener({ listenerConfig: { k8sNamespace: "a" } }), /listenerConfig requires .*listenerId/],
    ["a secret that is not a string", dockerDeployment({ secrets: { A: 1 } }), /^secrets\.A must be a string/],
    [
      "a reference without its key",
      dockerDeployment({ secretReferences: { A: { secretName: "s" } } }),
      /^secretReferences\.A\.secretKey is required/,
    ],
    ["null", dockerDeployment({ sourceConfig: null }), /^sourceConfig must be an object, not null/],
    ["a list for a map", dockerDeployment({ secrets: [] }), /^secrets must be a map, not an array/],
    ["an empty key", dockerDeployment({ secrets: { "": "x" } }), /^secrets has an entry with an empty name; use the/],
    [
      "an empty key of a reference",
      dockerDeployment({ secretReferences: { "": { secretName: "s", secretKey: "k" } } }),
      /^secretReferences has an entry with an empty name/,
    ],
    ["a misspelled field", dockerDeployment({ soruceConfig: {} }), /^soruceConfig .*did you mean "sourceConfig"/],
    ["the API's spelling", withSpec({ memory_mb: 128 }), /^sourceConfig\.resourceSpec\.memory_mb .*"memoryMb"/],
    [
      "unknown",
      dockerDeployment({ other: 1 }),
      /^other is not a known field; expected one of name, source, (?!.*Digest).*\.$/,
    ],
    ["a field of another source", listener({ repoUrl: "x" }), /^sourceConfig\.repoUrl is not a known field/],
  ])("%s", (_what, inputs, message) => {
    expect(failuresOf(JSON.parse(JSON.stringify(inputs)))).toEqual([expect.stringMatching(message)]);
  });

  it("and all failures are reported together", () => {
    expect(failuresOf(dockerDeployment({ name: "", ...withResourceSpec({ cpu: 0, memoryMb: 1 }) }))).toHaveLength(3);
  });
});

it.each([
  ...["dbCpu", "dbCpuLimit"].map((field) => [field, -1]),
  ...["dbStorageGi", "dbMaxConnections"].map((field) => [field, 0]),
  ...["dbMemoryMb", "dbMemoryLimitMb"].map((field) => [field, -128]),
] as [string, number][])("A spec whose %s is %p fails in the preview, as it does on the server", (field, value) => {
  const failures = failuresOf(withSpec({ [field]: value }));
  expect(failures).toContainEqual(expect.stringMatching(new RegExp(`^sourceConfig\\.resourceSpec\\.${field} must be`)));
});

// @covers 2A.Deployment.source
it.each([
  [undefined, "is missing"],
  ["docker", 'is "docker"'],
  [7, "is 7"],
  [null, "is null"],
  [runtime.unknownValue, "is not known yet"],
])("the source %p is one failure that lists the words", (source, problem) => {
  const reason =
    `${problem}; write one of "githost", "external_docker", "internal_docker", "internal_source", ` +
    `"internal_template", as a plain text.`;
  expect(findings({ ...dockerDeployment(), source })).toEqual({ failures: [{ path: "source", reason }], warnings: [] });
});

it("the words of a platform are rejected with the neutral ones, and with the setting that maps them", () => {
  const remedy =
    "whatever the platform calls it. Run `pulumi config set agentgraph:vocabulary " +
    `'{"githost":"github","agentgraph":"langgraph"}'\`, or set`;
  expect(failuresOf({ ...dockerDeployment(), source: "github" })).toEqual([
    expect.stringContaining(`source is "github"; write "githost", ${remedy}`),
  ]);
  const sourceRevisionConfig = { langgraphConfigPath: "langgraph.json", agentgraphConfigPath: "langgraph.json" };
  expect(failuresOf({ ...dockerDeployment(), source: "internal_source", sourceRevisionConfig })).toEqual([
    expect.stringContaining(`langgraphConfigPath is not a known field; write "agentgraphConfigPath", ${remedy}`),
  ]);
});

it("A key that Pulumi drops fails once, although its value is invalid too", () => {
  const declared = JSON.stringify(dockerDeployment({ secrets: {} })).replace(/\}$/, ',"__proto__":7}');
  const dropped = "__proto__ is not supported, because Pulumi drops keys of this name.";
  expect(failuresOf(JSON.parse(declared))).toEqual([dropped]);
  expect(failuresOf({ ...JSON.parse(declared), name: "" })).toEqual([dropped, "name must not be empty."]);
});

it("The advice for a field of another kind is not given for a nested field of the same name", () => {
  const reasonsOf = (inputs: PropertyMap) =>
    validate(thread, inputs, { previous: {}, settings: SETTINGS }).failures.map((one) => `${one.path} ${one.reason}`);
  const inputs = { deploymentUrl: "https://agents.example", metadata: { graph_id: "echo" } };
  expect(reasonsOf({ ...inputs, values: {} })).toEqual([
    "values is the current state of a thread; declare the initial state with supersteps.",
  ]);
  expect(reasonsOf({ ...inputs, supersteps: [{ updates: [{ asNode: "a", values: {} }], values: {} }] })).toEqual([
    "supersteps.0.values is not a known field; expected one of updates.",
  ]);
});

describe("A rule across fields", () => {
  const mounts = { volumeMounts: [{ name: "data", mountPath: "/data" }] };
  const missing = 'sourceConfig.resourceSpec.volumeMounts.0.name "data" is not in volumes; expected one of: ';

  it.each([
    ["is skipped while a value is unknown", { ...mounts, volumes: runtime.unknownValue }, []],
    ["is skipped while a part of a value is unknown", { ...mounts, volumes: [{ name: runtime.unknownValue }] }, []],
    ["is checked while others are unknown", { ...mounts, cpu: runtime.unknownValue }, [`${missing}(none declared).`]],
    [
      "is skipped where the schema fails",
      { ...mounts, volumes: [{ name: "A_b" }] },
      [expect.stringMatching(/^sourceConfig\.resourceSpec\.volumes\.0\.name /)],
    ],
    ["is checked otherwise", { ...mounts, volumes: [{ name: "logs" }] }, [`${missing}logs.`]],
  ])("%s", (_what, spec, expected) => {
    expect(failuresOf(withSpec(spec))).toEqual(expected);
  });

  it("is skipped while an object that contains its values is unknown", () => {
    expect(findings(dockerDeployment({ sourceConfig: runtime.unknownValue }))).toEqual({ failures: [], warnings: [] });
  });
});

it("An invalid value beside an unknown one fails", () => {
  const inputs = dockerDeployment({ secrets: { A: runtime.unknownValue, B: 7 } });
  expect(failuresOf(inputs)).toEqual(["secrets.B must be a string, not a number."]);
});

describe("For arbitrary inputs", () => {
  it("valid inputs pass", () => {
    fc.assert(fc.property(validInputs, (inputs) => expect(failuresOf(inputs)).toEqual([])));
  });

  it("an unknown at any path is not validated", () => {
    fc.assert(fc.property(partiallyUnknownInputs, ({ inputs }) => expect(failuresOf(inputs)).toEqual([])));
  });

  it("invalid values at any path never throw", () => {
    const change = validInputs.chain((inputs) =>
      fc.tuple(fc.constant(inputs), fc.constantFrom(...allPaths(inputs)), fc.jsonValue()),
    );
    forAll(change, ([inputs, path, value]) => expect(() => findings(setAt(inputs, path, value))).not.toThrow());
  });

  it("no failure and no warning contains a secret", () => {
    const sentinel = fc.stringMatching(/^[a-z]{4}$/).map((text) => `S3CR3T${text}`);
    const bad = sentinel.chain((text) =>
      fc.constantFrom(text, [text], { deep: text }, { [runtime.unknownValue]: text }, runtime.unknownValue + text),
    );
    const names = fc.oneof(
      fc.constantFrom("", "PULUMI_RESOURCE", "PATH", "REDIS_URI", "a.b", "toString"),
      fc.string({ maxLength: 6 }),
    );
    const secrets = fc.oneof(bad, fc.dictionary(names, bad, { noNullPrototype: true }));
    forAll(secrets, (declared) => {
      for (const inputs of [
        dockerDeployment({ secrets: declared }),
        dockerDeployment({ secret: declared }),
        dockerDeployment({ secrets: declared, name: 1 }),
      ]) {
        const told = [...failuresOf(inputs), ...warningsOf(inputs)].join("\n");
        expect(told).not.toContain("S3CR3T");
      }
    });
  });
});

it.each([
  ["memory_mb", "memoryMb"],
  ["memorymb", "memoryMb"],
  ["memoryMB", "memoryMb"],
  ["memryMb", "memoryMb"],
  ["cpus", "cpu"],
  ["replicas", undefined],
])("The suggestion for %p is %p", (word, expected) => {
  expect(closestMatch(word, ["cpu", "memoryMb", "minScale"])).toBe(expected);
});
