import { isSecret, keepSecrets, markSecretsAt, secretValues, UNKNOWN } from "../../../../provider/plan/property-values";
import { UNKNOWN_SECRET } from "../../../../provider/schema/mapping";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { definitionOf } from "../plans";

const [deployment, thread] = [definitionOf("Deployment"), definitionOf("Thread")];

test("The secret values of a call are those of the definition and those that the program marks, at any depth", () => {
  const properties = {
    name: "agent",
    secrets: { A: "a", B: UNKNOWN, C: UNKNOWN_SECRET, D: null },
    sourceConfig: { resourceSpec: { labels: { team: "x" }, cpu: 1, env: ["y", null] } },
  };
  expect(secretValues(deployment, { properties, facts: {} })).toEqual(["a"]);
  for (const secrets of [undefined, null, UNKNOWN])
    expect(secretValues(deployment, { properties: { secrets }, facts: {} })).toEqual([]);
  const facts = { secretInputs: ["sourceConfig", "other"] };
  expect(secretValues(deployment, { properties, facts })).toEqual(["x", "1", "y", "a"]);
});

test("A secret item of a list is one alone, and the whole list is secret where earlier versions named no item", () => {
  const properties = { verify: [{ ask: { assistantId: "agent", expect: { contains: "a" } } }, { "x.y": ["b"] }] };
  const valuesOf = (...secretInputs: string[]) => secretValues(deployment, { properties, facts: { secretInputs } });
  expect(valuesOf("verify.0.ask.expect.contains")).toEqual(["a"]);
  expect(valuesOf("verify.1.x.y.0")).toEqual(["b"]);
  expect(valuesOf("verify.ask.expect.contains")).toEqual(["agent", "a", "b"]);
  expect(valuesOf("environment.A", "verify.2.http.path", "verify.0.http.path")).toEqual([]);
});

test.each<[string, PropertyMap, PropertyMap, string[]]>([
  ["has another value now", { a: "old" }, { a: "new" }, ["a"]],
  ["is no longer declared", { a: "old", b: 1 }, {}, ["a"]],
  ["is declared with the same value, but not marked", { a: "old" }, { a: "old" }, []],
  ["is in a list, of which the items may have moved", { a: ["x", "old"] }, { a: [] }, ["a"]],
  ["is declared again, and state has none", { c: 1 }, { a: ["x", "new"] }, []],
  ["has a dot in its key", { "b.c": "old" }, {}, ["b.c"]],
])("A secret of the program before an update stays one in state where it %s", (_what, kept, now, marked) => {
  const facts = { secretInputs: ["a", "a.1", "b.c"].map((path) => `redeployTriggers.${path}`) };
  const state = { properties: { redeployTriggers: kept }, facts: { secretInputs: ["redeployTriggers.d"] } };
  const before = { properties: {}, facts };
  const { properties, facts: noted } = keepSecrets(deployment, state, { redeployTriggers: now }, before);
  const keyPaths = marked.map((key) => [key]);
  expect(properties).toEqual({ redeployTriggers: markSecretsAt(kept, keyPaths) });
  const [first, ...others] = noted.secretInputs ?? [];
  const isMarked = (path: string) => marked.some((key) => path.startsWith(`redeployTriggers.${key}`));
  const isAny = marked.length > 0;
  expect([first, others.length > 0, others.some(isMarked)]).toEqual(["redeployTriggers.d", isAny, isAny]);
});

test("An output that contains a secret input is secret too, and stays so while it is what it was then", () => {
  const before = { properties: { url: "a" }, facts: { secretInputs: ["sourceConfig.customUrl"] } };
  const keptIn = (url: string) => keepSecrets(deployment, { properties: { url }, facts: {} }, {}, before);
  const properties = markSecretsAt({ url: "a" }, [["url"]]);
  expect(keptIn("a")).toEqual({ properties, facts: { secretInputs: ["url"] } });
  expect(keptIn("b")).toEqual({ properties: { url: "b" }, facts: {} });
  const marked = ["sourceConfig", "sourceConfig.customUrl", "agent", "sourceConfig.resourceSpec"];
  expect(marked.map((path) => isSecret(deployment, "url", {}, [path]))).toEqual([true, true, true, false]);
});

test("The metadata of a sensitive thread is secret, and so is everything that contains it", () => {
  const supersteps = [{ updates: [{ values: "2" }] }];
  const inputs = { sensitive: true, metadata: { a: "1" }, supersteps, extra: { b: "3" } };
  expect(secretValues(thread, { properties: inputs, facts: {} })).toEqual(["1", "2", "3"]);
  const paths = ["metadata", "metadata.a", "supersteps.0.updates", "extra.b", "deploymentId"];
  expect(paths.map((path) => isSecret(thread, path, inputs))).toEqual([true, true, true, true, false]);
  expect(paths.map((path) => isSecret(thread, path, { ...inputs, sensitive: false }))).not.toContain(true);
});
