// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs contain these placeholders by mistake.
/**
 * Values that a program writes by mistake: what Pulumi writes for an Output, missing values, and numbers that JSON
 * lacks.
 */
import { output } from "@pulumi/pulumi";
import { validate } from "../../../provider/plan/check";
import { SIGNATURE, UNKNOWN } from "../../../provider/plan/property-values";
import type { PropertyMap } from "../../../provider/schema/schema";
import { dockerDeployment } from "../../support/deployments/inputs";
import { definitionOf, planned } from "./plans";

const SETTINGS = { ownerMarker: true, vocabulary: { agentgraph: "agentgraph", githost: "githost" } };

function check(kind: string, inputs: PropertyMap, previous: PropertyMap = {}) {
  const options = { previous, settings: SETTINGS as never };
  const { failures, warnings } = validate(definitionOf(kind), inputs, options);
  const lines = (list: typeof failures) => list.map(({ path, reason }) => `${path} ${reason}`);
  return { failures: lines(failures), warnings: lines(warnings) };
}
const trigger = (text: string) => dockerDeployment({ redeployTriggers: { a: text } });
const AT = { deploymentUrl: "https://a.io" };
const image = (imageUri: string) => dockerDeployment({ sourceRevisionConfig: { imageUri } });

/** What the installed SDK writes, with an error that names what was used as a text. */
const ofNode = (() => {
  const text = `${output("x")}`;
  return [text, JSON.parse(JSON.stringify({ json: text })).json];
})();

const OUTPUT_TEXTS = [
  ...ofNode,
  "Calling [toJSON] on an [Output<T>] is not supported.\n\nTo get the value of an Output as a JSON value …",
  "Calling __str__ on an Output[T] is not supported.\n\nTo get the value of an Output[T] as an Output[str] …",
  'Calling [ToString] on an [Output<T>] is not supported.\n\n1. o.Apply(v => $"prefix{v}suffix")',
  ...["Calling [toString] on an [Output<String>] is not supported.", "<pulumi.output.Output object at 0x7f3c5c0d2e50>"],
  ...["Pulumi.Output`1[System.String]", "com.pulumi.core.internal.OutputInternal@5e91993f", "{0xc0002f4a80}"],
  "{%!s(*internal.OutputState=&{{0 0} …})}",
];

describe.each(OUTPUT_TEXTS)("The text of an Output, %j,", (text) => {
  it.each<[string, (text: string) => PropertyMap, string]>([
    ["Deployment", (value) => dockerDeployment({ secrets: { PEER: `https://${value}` } }), "secrets.PEER"],
    ["Deployment", (value) => dockerDeployment({ name: value }), "name"],
    ["Thread", (value) => ({ ...AT, metadata: { deep: [{ a: value }] } }), "metadata.deep.0.a"],
    ["Cron", (value) => ({ ...AT, assistantId: value, schedule: "0 3 * * *", input: {} }), "assistantId"],
  ])("is an error of a %s", (kind, inputsWith, path) => {
    // In a URL, the text of the address that Go prints is none.
    const value = text.startsWith("{0x") && path === "secrets.PEER" ? `a %!s(*pulumi.OutputState=0xc0)` : text;
    expect(check(kind, inputsWith(value)).failures).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${path.replaceAll(".", "\\.")} contains the text that Pulumi writes for an Output`),
      ),
    );
  });
});

it.each([
  ["a tag", image("r.example.com/a:undefined"), 'sourceRevisionConfig.imageUri contains "undefined"'],
  ["a tag of Go", image("r.example.com/a:<nil>"), 'sourceRevisionConfig.imageUri contains "<nil>"'],
  ["a tag of Python", image("r.example.com/a:None"), 'sourceRevisionConfig.imageUri contains "None"'],
  ["a part of a path", image("r.example.com/undefined/a:1"), 'sourceRevisionConfig.imageUri contains "undefined"'],
  ["a part of a name", dockerDeployment({ name: "agent-undefined" }), 'name contains "undefined"'],
  ["an object", trigger("v [object Object]"), 'redeployTriggers.a contains "[object Object]"'],
  ["a promise", trigger("[object Promise]"), 'redeployTriggers.a contains "[object Promise]"'],
  ["a number", trigger("NaN"), 'redeployTriggers.a contains "NaN"'],
  ["null, in a separate line", trigger("null\n"), 'redeployTriggers.a contains "null"'],
  ["a format of Go", trigger("%!d(<nil>)"), "redeployTriggers.a contains"],
  ["a secret, without its text", dockerDeployment({ secrets: { A: "undefined" } }), "secrets.A contains the text that"],
  ["a key", dockerDeployment({ redeployTriggers: { "a-undefined": "1" } }), 'has a name that contains "undefined"'],
  ["a quoted expression", dockerDeployment({ secrets: { A: "${agent.url}/x" } }), "secrets.A contains the text that"],
])("The text of a missing value is a warning: %s", (_what, inputs, expected) => {
  const { failures, warnings } = check("Deployment", inputs);
  expect([failures, warnings]).toEqual([[], expect.arrayContaining([expect.stringContaining(expected)])]);
});

it.each([
  ["a sentence", "The value undefined is null, and None of these matter."],
  ["a word that contains one", "nullable/undefinedness"],
  ["a variable of a shell", "${HOME}/bin"],
])("A text with %s is not a warning", (_what, text) => {
  expect(check("Deployment", trigger(text)).warnings).toEqual([]);
});

it.each([
  [Number.NaN, "failures", "metadata.n is NaN, which JSON cannot contain"],
  [Number.NEGATIVE_INFINITY, "failures", "metadata.n is -Infinity, which JSON cannot contain"],
  [2 ** 53, "warnings", "metadata.n is 9007199254740992, beyond 2^53"],
  [-1e21, "warnings", "metadata.n is -1e+21, beyond 2^53"],
  [{ [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", path: "a.txt" }, "failures", "metadata.n is an asset"],
  ["\ud83d", "failures", "metadata.n is not a valid Unicode text"],
  [{ "\ud83d": 1 }, "failures", "metadata.n.\ufffd is not a valid Unicode text"],
] as const)("The value %p is among the %s of a thread's metadata", (n, list, expected) => {
  const found = check("Thread", { deploymentUrl: "https://a.example", metadata: { n } });
  expect(found[list]).toEqual([expect.stringContaining(expected)]);
});

describe("A secret that is", () => {
  const before = dockerDeployment({ secrets: { KEY: "k", OTHER: "o", KEPT: "", NEW: "1", "a.b": "x" } });
  const after = dockerDeployment({ secrets: { OTHER: "", KEPT: "", NEW: "2" } });

  it("removed or empty is a warning, once it changes or is created", () => {
    expect(check("Deployment", after).warnings.join()).toMatch(/^secrets\.OTHER is empty\..*secrets\.KEPT is empty\./);
    expect(check("Deployment", after, before).warnings).toEqual([
      expect.stringMatching(/^secrets\.OTHER is empty\./),
      expect.stringMatching(/^secrets\.KEY is removed\./),
      expect.stringMatching(/^secrets\.a\.b is removed\./),
    ]);
    expect(check("Deployment", after, after).warnings).toEqual([]);
  });

  it.each([
    ["becomes a variable", { ...after, environment: { KEY: "k", "a.b": "x" } }],
    ["may become one", { ...after, environment: UNKNOWN }],
    ["is not known", { ...after, secrets: UNKNOWN }],
  ])("that %s is not removed", (_what, now) => {
    expect(check("Deployment", now, before).warnings.join()).not.toContain("removed");
  });

  it("removed or empty shows in the line of the preview", () => {
    expect(planned("Deployment", before, after).line).toBe(
      "new revision: secrets.KEY (removed), secrets.OTHER (empty), secrets.NEW, secrets.a.b (removed)",
    );
  });
});
