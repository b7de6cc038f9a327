/** The generated YAML program has the right values, whatever names and values the server returns. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { printYaml } from "../../../../cli/adopt/program/code/yaml-code";
import { declareAll, type Program } from "../../../../cli/adopt/program/declarations";
import { Names } from "../../../../cli/adopt/program/names";
import { yaml } from "../../../../cli/adopt/program/yaml";
import type { Adopted } from "../../../../cli/adopt/types";
import { newFolder } from "../../../../emulator/test/support/folder";
import { runs } from "../../../support/run/runs";
import { adopted, inputsOf, kind, text, value } from "../../support/adopted-values";

/** The engine reads YAML 1.1 words such as `yes`; both versions must agree. */
const readBoth = (source: string) => {
  const [first, second] = (["1.1", "1.2"] as const).map((version) => parse(source, { version }) as unknown);
  expect(first).toEqual(second);
  return second;
};
const wellFormed = (given: unknown): unknown =>
  JSON.parse(JSON.stringify(given), (_key, part) => (typeof part === "string" ? part.toWellFormed() : part));

const words = fc.constantFrom(
  ..."yes No on OFF y N true ~ null .inf .nan 0x1f 1e3 e0 E+1 017 0o17 1_000 12:30:45 2026-01-01 <<".split(" "),
  ...["= ", "- a", "a: b", "a #b", "? a", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "a:", "", " a", "a ", "\t"],
  ...["---", "..."],
);
const hostile = fc.oneof(text, words, fc.string({ minLength: 1100, maxLength: 1200 }));

test("printed YAML parses to the same value in both versions of YAML", () => {
  const values = fc.oneof(hostile, value, fc.array(hostile), fc.dictionary(hostile, fc.oneof(hostile, value)));
  const isKept = (given: unknown) => JSON.stringify(given).includes("__proto__") === false;
  fc.assert(
    fc.property(fc.record({ given: values.filter(isKept) }), (given) =>
      expect(readBoth(printYaml(given))).toEqual(wellFormedKeys(given)),
    ),
    runs(1000),
  );
});

/** Replaces lone surrogates, which no file can contain, in values and keys. */
function wellFormedKeys(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(wellFormedKeys);
  if (typeof given !== "object" || given === null) return wellFormed(given);
  return Object.fromEntries(Object.entries(given).map(([key, part]) => [key.toWellFormed(), wellFormedKeys(part)]));
}

/** With an installed plugin: without one, the program would name that of this checkout once it is built. */
const parent = newFolder();
const folder = join(parent, "agents");
beforeAll(() => {
  const plugin = join(folder, "node_modules", "pulumi-agentgraph", "build", "plugin");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(join(plugin, "pulumi-resource-agentgraph"), "");
});

const sourceOf = (program: Program) => yaml.sources(program, { folder, from: folder })["Pulumi.yaml"] ?? "";

test("a program declares the project, its plugin, its secrets, and resources that refer to each other", () => {
  const names = new Names(yaml.naming);
  const inputs = [
    { name: "support-agent", source: "external_docker", secrets: { TOKEN: `price: $5, \${x} and $\${y}` } },
    { startTime: "2026-01-01T00:00:00Z", intervalHours: 24, sessionId: "project-1", exportFields: ["id", "name"] },
    { deploymentId: "id-0", metadata: { on: "yes", port: 8080, nested: [{ a: 1 }, []] } },
  ];
  const all = (["deployments", "schedules", "threads"] as const).map(
    (of, index): Adopted => ({
      ...{ kind: of, title: of, id: `id-${index}`, inputs: inputs[index] ?? {} },
      outputs: of === "deployments" ? { tracingProjectId: "project-1" } : {},
      ...names.nameResource(index === 0 ? "support-agent" : of, of),
    }),
  );
  expect(sourceOf(declareAll(all, names))).toBe(`name: agents
runtime: yaml
plugins:
  providers:
    - name: agentgraph
      path: node_modules/pulumi-agentgraph/build/plugin
resources:
  supportAgent:
    type: agentgraph:Deployment
    name: support-agent
    properties:
      name: support-agent
      source: external_docker
      secrets:
        TOKEN: "price: $5, $\${x} and $$$\${y}"
  schedules:
    type: agentgraph:ScheduledBulkExport
    properties:
      sessionId: \${supportAgent.tracingProjectId}
      startTime: "2026-01-01T00:00:00Z"
      intervalHours: 24
      exportFields:
        - id
        - name
  threads:
    type: agentgraph:Thread
    properties:
      deploymentId: \${supportAgent.id}
      metadata:
        "on": "yes"
        port: 8080
        nested:
          - a: 1
          - []
`);
});

/** Reads a text as the YAML runtime does. @throws if it refers to anything. */
function interpolate(source: string): string {
  return source.replace(/\$\$|\$\{[^}]*\}/g, (part) => {
    if (part === "$$") return "$";
    throw new Error(`${part} is a reference`);
  });
}
const interpolated = (given: unknown): unknown => {
  if (typeof given === "string") return interpolate(given);
  if (Array.isArray(given)) return given.map(interpolated);
  if (typeof given !== "object" || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([key, part]) => [interpolate(key), interpolated(part)]));
};

test("a hostile value reaches the resource unchanged, and secrets are declared as such", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(kind, text), { minLength: 1 }),
      text,
      fc.dictionary(text, value),
      (titles, any, map) => {
        const names = new Names(yaml.naming);
        const all = adopted(titles, (of, index) => inputsOf(of, index, any, JSON.parse(JSON.stringify(map))), names);
        const accepted = all.filter(({ inputs }) => yaml.problemOf?.(inputs) === undefined && !isPrototype(inputs));
        const program = declareAll(accepted, names);
        const { resources = {}, config = {} } = parse(sourceOf(program)) as {
          resources?: Record<string, { name?: string; properties: Record<string, unknown> }>;
          config?: Record<string, { secret: boolean }>;
        };
        expect(Object.keys(resources)).toEqual(accepted.map(({ variable }) => variable));
        expect(Object.entries(resources).map(([key, { name = key }]) => name)).toEqual(
          accepted.map(({ name }) => name),
        );
        expect(Object.keys(config)).toEqual(program.secrets.map(({ key }) => key));
        expect(Object.keys(config).filter((key) => key in resources)).toEqual([]);
        for (const { variable, inputs, kind: of } of accepted) {
          if (of !== "threads") continue;
          expect(interpolated(resources[variable]?.properties.metadata)).toEqual(wellFormedKeys(inputs.metadata));
        }
      },
    ),
    runs(160),
  );
});

/** A parser of JavaScript cannot return such a key as an own one. */
const isPrototype = (inputs: object) => JSON.stringify(inputs).includes("__proto__");

test("a key that YAML programs take for a function is a reason not to adopt the resource", () => {
  expect(yaml.problemOf?.({ metadata: { a: [{ "Fn::Secret": "x" }] } })).toContain('"fn::"');
  expect(yaml.problemOf?.({ metadata: { a: "fn::secret" } })).toBeUndefined();
});

test('a key "<<", which merges maps, and null in a list are problems at any depth, and such values are not', () => {
  expect(yaml.problemOf?.({ sourceConfig: { resourceSpec: { labels: { "<<": "x" } } } })).toContain('"<<"');
  expect(yaml.problemOf?.({ metadata: { a: [{ b: [1, null] }] } })).toContain("null in a list");
  expect(yaml.problemOf?.({ metadata: { a: "<<", b: null, c: ["<<", [], {}] } })).toBeUndefined();
});
