/** The generated Python program parses and has the right values, whatever names and values the server returns. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { Call, printValue } from "../../../../cli/adopt/program/code/python-code";
import { declareAll } from "../../../../cli/adopt/program/declarations";
import { Names } from "../../../../cli/adopt/program/names";
import { python } from "../../../../cli/adopt/program/python";
import { type Adopted, Secret } from "../../../../cli/adopt/types";
import { forAll } from "../../../../emulator/test/support/for-all";
import { UNKNOWN_SECRET } from "../../../../provider/schema/mapping";
import { adopted, inputsOf, kind, text, value } from "../../support/adopted-values";

/** Runs Python with a JSON value as its input, and returns its output as JSON. */
function runPython(program: string, input: unknown): unknown {
  const { status, stdout, stderr } = spawnSync("python3", ["-c", program], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const declare = (all: readonly Adopted[]) => declareAll(all, new Names(python.naming));
const sourceOf = (all: readonly Adopted[]) =>
  python.sources(declare(all), { folder: "/agents", from: "/agents" })["__main__.py"] ?? "";

test("a printed value evaluates to itself at every indentation", () => {
  const values = fc.sample(fc.tuple(fc.oneof(text, value, fc.dictionary(text, value)), fc.nat(90)), 500);
  const program = "import ast,json,sys; print(json.dumps([ast.literal_eval(one) for one in json.load(sys.stdin)]))";
  const read = runPython(
    program,
    values.map(([given, indent]) => printValue({ given }, indent)),
  );
  expect(read).toEqual(values.map(([given]) => wellFormed({ given })));
});

/** Replaces lone surrogates, which no request can contain, in values and keys. */
function wellFormed(given: unknown): unknown {
  if (typeof given === "string") return given.toWellFormed();
  if (Array.isArray(given)) return given.map(wellFormed);
  if (typeof given !== "object" || given === null) return Object.is(given, -0) ? 0 : given;
  return Object.fromEntries(Object.entries(given).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]));
}

test("a program assigns only what others refer to, and writes fields in snake case but keys of maps unchanged", () => {
  const names = new Names(python.naming);
  const inputs = [
    {
      name: "filter",
      source: "external_docker",
      sourceConfig: {
        resourceSpec: {
          cpu: 1,
          labels: { costCenter: "a" },
          sidecars: [{ name: "a", securityContext: { runAsUser: 1 } }],
        },
      },
      sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
      secrets: { TOKEN: new Secret(["secrets", "TOKEN"], UNKNOWN_SECRET) },
      secretReferences: { apiKey: { secretName: "a", secretKey: "b" } },
      rollbackOnFailure: true,
    },
    { destinationType: "s3", config: { bucketName: "b", s3AdditionalKwargs: { endpointUrl: "x" } } },
    { startTime: "2026-01-01T00:00:00Z", sessionId: "project-1", bulkExportDestinationId: "id-1" },
  ];
  const all = (["deployments", "destinations", "schedules"] as const).map(
    (of, index): Adopted => ({
      ...{ kind: of, title: of, id: `id-${index}`, inputs: inputs[index] ?? {} },
      outputs: of === "deployments" ? { tracingProjectId: "project-1" } : {},
      ...names.nameResource(index === 0 ? "filter" : of, of.slice(0, -1)),
    }),
  );
  expect(sourceOf(all)).toBe(`import pulumi
import pulumi_agentgraph as agentgraph

config = pulumi.Config()

deployment_filter = agentgraph.Deployment(
    "filter",
    name="filter",
    source="external_docker",
    source_config={
        "resource_spec": {
            "cpu": 1,
            "labels": {"costCenter": "a"},
            "sidecars": [{"name": "a", "security_context": {"runAsUser": 1}}],
        },
    },
    source_revision_config={"image_uri": "registry.example.com/agent:1"},
    secrets={"TOKEN": config.require_secret("deploymentFilterToken")},
    secret_references={"apiKey": {"secret_name": "a", "secret_key": "b"}},
    rollback_on_failure=True,
)

destinations = agentgraph.BulkExportDestination(
    "destinations",
    destination_type="s3",
    config={"bucket_name": "b", "s3_additional_kwargs": {"endpointUrl": "x"}},
)

agentgraph.ScheduledBulkExport(
    "schedules",
    bulk_export_destination_id=destinations.id,
    session_id=deployment_filter.tracing_project_id,
    start_time="2026-01-01T00:00:00Z",
)
`);
});

test("a program parses, and its names are no keywords and no builtins", () => {
  const titles = fc.sample(
    fc.tuple(
      kind,
      fc.oneof(text, fc.constantFrom("id", ..."filter List class None print match pulumi config 7 aB".split(" "))),
    ),
    60,
  );
  const [texts, values] = [fc.sample(text, 60), fc.sample(fc.dictionary(text, value), 60)];
  const all = adopted(
    titles,
    (of, index) => inputsOf(of, index, texts[index] ?? "", values[index] ?? {}),
    new Names(python.naming),
  );
  const variables = all.map(({ variable }) => variable);
  expect(new Set(variables).size).toBe(variables.length);
  const program = `
import ast, builtins, json, keyword, sys
source, names = json.load(sys.stdin)
calls = [node for node in ast.parse(source).body if not isinstance(node, (ast.Import,))]
taken = keyword.kwlist + keyword.softkwlist + dir(builtins)
print(json.dumps([len(calls), [name for name in names if name in taken or not name.isidentifier()]]))`;
  expect(runPython(program, [sourceOf(all), variables])).toEqual([all.length + 1, []]);
});

test("no line is longer than formatters allow, unless one text is", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abc -'é\"".split("")), maxLength: 30 });
  forAll(fc.dictionary(word, fc.array(fc.dictionary(word, word))), (given) => {
    const call = new Call("agentgraph.Thread", [
      [undefined, "a"],
      ["metadata", given],
    ]);
    for (const line of printValue(call).split("\n")) expect(line.length).toBeLessThanOrEqual(88);
  });
});
