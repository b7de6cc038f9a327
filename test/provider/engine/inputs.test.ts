import { RunScope } from "../../../provider/definition/context";
import {
  computedInputs,
  duplicateOf,
  importFailures,
  uniqueClaim,
  withKeptName,
} from "../../../provider/engine/inputs";
import { ManagedObjects } from "../../../provider/engine/run/managed-objects";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { NO_TRACE } from "../../../provider/telemetry/trace";
import { UserError } from "../../../provider/text/user-error";
import { definitionOf } from "../plan/plans";

const [deployment, thread] = [definitionOf("Deployment"), definitionOf("Thread")];
const ID = "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";

it.each([
  ["is kept when the program declares none", "agent-dev", "agent-dev", "agent", "agent"],
  ["follows the program when it declares one", "other", "agent-dev", "agent", "other"],
  ["is the default of a new resource", "agent-dev", "agent-dev", undefined, "agent-dev"],
  ["stays unknown while the default is", UNKNOWN, UNKNOWN, "agent", UNKNOWN],
  ["is kept when there is no default either", undefined, undefined, "agent", "agent"],
])("The name %s", (_what, name, defaultName, previousName, expected) => {
  const inputs = { source: "githost", name };
  expect(withKeptName(deployment, inputs, defaultName, previousName)).toEqual({ source: "githost", name: expected });
});

describe("The values that must be unique in a program", () => {
  it.each([
    [deployment, { name: "agent" }, '["agent"]'],
    [deployment, { name: UNKNOWN }, undefined],
    [thread, { threadId: ID, deploymentId: "d" }, `["${ID}","d",null]`],
    [thread, { deploymentId: "d" }, undefined],
  ])("of a $kind with %j are %p", (definition, inputs, claim) => {
    expect(uniqueClaim(definition, inputs)).toBe(claim);
  });

  it("that two resources share are a failure that names the other resource", () => {
    expect(duplicateOf(thread, { threadId: ID }, "urn:other")).toEqual({
      path: "threadId",
      reason:
        "is also used by urn:other, and two resources cannot manage the same Thread. Change it or remove one of them.",
    });
  });
});

describe("A computed input", () => {
  const compute = async (value: unknown) => {
    if (value === "missing") throw new UserError("does not exist.");
    if (value === "twice") throw new UserError("sourcePath /twice is empty.");
    if (value === "bug") throw new TypeError("x is undefined");
    return `digest of ${value}`;
  };
  const run = { scope: new RunScope(), trace: NO_TRACE };
  const fields = [{ path: "sourceDigest", pattern: "sourceDigest", computed: { from: "sourcePath", compute } }];
  const definition = { ...deployment, schema: { ...deployment.schema, fields } } as typeof deployment;

  it.each([
    ["a value", { sourcePath: "folder" }, { sourceDigest: "digest of folder" }],
    ["an unknown", { sourcePath: UNKNOWN }, { sourceDigest: UNKNOWN }],
    ["nothing", {}, {}],
  ])("of %s is added", async (_what, inputs, added) => {
    const failures: never[] = [];
    expect(await computedInputs(definition, inputs, failures, run)).toEqual(added);
    expect(await computedInputs(thread, inputs, failures, run)).toEqual({});
    expect(failures).toEqual([]);
  });

  it("that cannot be computed fails at its source, and a defect is thrown", async () => {
    const failures: never[] = [];
    expect(await computedInputs(definition, { sourcePath: "missing" }, failures, run)).toEqual({});
    expect(failures).toEqual([{ path: "sourcePath", reason: "does not exist." }]);
    const named: { path: string; reason: string }[] = [];
    await computedInputs(definition, { sourcePath: "twice" }, named, run);
    expect(named).toEqual([{ path: "sourcePath", reason: "/twice is empty." }]);
    await expect(computedInputs(definition, { sourcePath: "bug" }, [], run)).rejects.toThrow(TypeError);
  });
});

describe("The ID of an import", () => {
  const problems = (definition: typeof deployment, id?: string) =>
    importFailures(definition, id === undefined ? {} : { import: id }, options).map(
      ({ path, reason }) => `${path} ${reason}`,
    );
  const options = { isNew: true, found: undefined, objects: new ManagedObjects() };
  const kinds = { Deployment: deployment, Thread: thread };

  it.each<[keyof typeof kinds, string | undefined]>([
    ["Deployment", undefined],
    ["Deployment", UNKNOWN],
    ["Deployment", ID],
    ["Thread", ID],
    ["Thread", `${ID}/${ID}`],
  ])("of a %s may be %p", (kind, id) => expect(problems(kinds[kind], id)).toEqual([]));

  it.each<[keyof typeof kinds, string]>([
    ...["../projects", `${ID}/${ID}`, "..", "", "a?b", "a\nb"].map((id): ["Deployment", string] => ["Deployment", id]),
    ["Thread", `${ID}/..`],
    ["Thread", `../${ID}`],
  ])("of a %s cannot be %p, which would change the route", (kind, id) => {
    expect(problems(kinds[kind], id)).toEqual([
      `import ${JSON.stringify(id)} is not a valid ${kind} ID; copy it from the server.`,
    ]);
  });
});
