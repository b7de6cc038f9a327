/** The impact of a change. A preview and `agentgraph review` show the same data. */
import type { ServerProfile } from "../../../provider/definition/definition";
import { planCreate } from "../../../provider/plan/impact";
import { planChange } from "../../../provider/plan/plan-change";
import { OutputChanges } from "../../../provider/plan/planned-outputs";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { renderImpacts } from "../../../provider/plan/render";
import { UNKNOWN_SECRET } from "../../../provider/schema/mapping";
import type { PropertyMap } from "../../../provider/schema/schema";
import { agent, definitionOf, PROJECT, planned, schedule, thread, URL_OF_AGENT } from "./plans";

it("replaceOnChanges is the reason of a replacement, unless the definition replaces anyway", () => {
  const after = { ...agent, name: "other", sourceRevisionConfig: { imageUri: "r.example.com/a:2" } };
  const options = { replaceOnChanges: ["name", "sourceRevisionConfig.imageUri"] };
  expect(planned("Deployment", agent, after, options)).toEqual({
    line:
      "REPLACED, its database and threads are lost: name agent -> other, imageUri 1 -> 2 (replaceOnChanges); " +
      "keepConversations would move them",
    replaces: ["name", "sourceRevisionConfig.imageUri"],
  });
});

it("A replacement requested from the engine says so", () => {
  expect(planned("Deployment", agent, agent, { forcedReplacePaths: [] }).line).toBe(
    "REPLACED, its database and threads are lost; requested by `--replace` or `pulumi state taint`; fails after the " +
      "deletion if the platform keeps the name: see the setting `platform`; keepConversations would move them",
  );
});

it.each([
  [['sourceConfig["resourceSpec"].cpu'], "sourceConfig.resourceSpec.cpu"],
  [['secrets["A"]'], "secrets.A"],
  [["secrets[*]"], "secrets.A"],
  [['["secrets"]["A"]'], "secrets.A"],
  [["sourceConfig.resourceSpec"], "sourceConfig.resourceSpec.cpu"],
  [["sourceConfig[0]", "name", "secrets.B", "environment.C"], undefined],
  [['environment["C.D"]'], "environment.C.D"],
  [["verify[0]", "verify[1].timeout"], undefined],
  [["verify[1]"], "verify"],
  [["verify[*].http"], "verify"],
])("replaceOnChanges %j replaces for %s", (replaceOnChanges, path) => {
  const inputs = (value: string, cpu: number) => ({
    ...{ ...agent, secrets: { A: value }, environment: { "C.D": value }, sourceConfig: { resourceSpec: { cpu } } },
    verify: [{ http: { path: "/" } }, { http: { path: value } }],
  });
  expect(planned("Deployment", inputs("1", 1), inputs("2", 2), { replaceOnChanges }).replaces).toEqual(path && [path]);
});

it("A requested replacement states its further consequences, or why the object is replaced anyway", () => {
  expect(planned("ScheduledBulkExport", schedule, schedule, { forcedReplacePaths: [] }).line).toBe(
    "restarts the export; requested by `--replace` or `pulumi state taint`; 10 past windows are exported again",
  );
  const failed = { ...schedule, endTime: "2026-01-02T00:00:00Z", status: "FAILED" };
  expect(planned("BulkExport", failed, failed, { forcedReplacePaths: [] }).line).toBe(
    "restarts the export; it ended FAILED",
  );
});

it("A reference that changes from one ID to another needs no reason, as its values show it", () => {
  const copy = { deploymentUrl: URL_OF_AGENT, copyFrom: PROJECT };
  const other = PROJECT.replace("5", "6");
  expect(planned("Thread", copy, { ...copy, copyFrom: other }).line).toBe("REPLACED, its history is lost: copyFrom");
  expect(planned("Thread", copy, { ...copy, copyFrom: UNKNOWN }).line).toBe(
    "REPLACED, its history is lost: copyFrom (the thread it copies is replaced)",
  );
});

describe("A secret that the server does not return", () => {
  const before = { ...agent, secrets: { A: UNKNOWN_SECRET, B: "1" } };
  const after = { ...agent, secrets: { A: "a", B: "2" } };

  it("possibly changes, beside those that certainly do", () => {
    expect(planned("Deployment", before, after).line).toBe(
      "possibly new revision: secrets.A; only if the server holds another value; new revision: secrets.B",
    );
  });

  it("is not a change to report during a refresh, unless something else changed", () => {
    const refreshed = { ...before, secrets: { ...before.secrets, A: "a" } };
    expect(planned("Deployment", before, refreshed, { isRequestedByProgram: false }).line).toBe("");
    expect(planned("Deployment", before, after, { isRequestedByProgram: false }).line).not.toBe("");
  });

  it("is certainly sent where no server returns it", () => {
    const destination = { displayName: "d", destinationType: "s3", config: { bucketName: "b" } };
    const credentials = { accessKeyId: UNKNOWN_SECRET, secretAccessKey: UNKNOWN_SECRET };
    const declared = { ...destination, credentials: { accessKeyId: "a", secretAccessKey: "b" } };
    expect(planned("BulkExportDestination", { ...destination, credentials }, declared).line).toBe(
      "in place: credentials",
    );
  });
});

describe("A change that can only fail", () => {
  const empty = { source: "internal_docker", name: "agent", secrets: { A: "1", B: UNKNOWN_SECRET } };
  const warningsOf = (secrets: PropertyMap, isRequestedByProgram = true, environment: PropertyMap = {}) => {
    const options = { now: 0, isRequestedByProgram };
    return planChange(definitionOf("Deployment"), empty, { ...empty, secrets, environment }, options).warnings;
  };

  it("has a warning, which a refresh does not repeat", () => {
    const secrets = { ...empty.secrets, A: "2" };
    expect(warningsOf(secrets)).toEqual([
      {
        path: "secrets",
        reason:
          "the new revision will fail because there is no image yet. Declare sourceRevisionConfig.imageUri, " +
          "or run `pulumi refresh` first if an image was pushed outside of Pulumi.",
      },
    ]);
    expect(warningsOf(secrets, false)).toEqual([]);
  });

  it("has none while it is not certain", () => {
    expect(warningsOf({ ...empty.secrets, B: "2" })).toEqual([]);
    expect(warningsOf({ B: UNKNOWN_SECRET }, true, { A: "1" })).toEqual([]);
    const moved = { ...empty, redeployTriggers: { url: URL_OF_AGENT } };
    const options = { now: 0, isRequestedByProgram: true };
    const after = { ...moved, waitFor: "revision" };
    expect(planChange(definitionOf("Deployment"), moved, after, options).warnings).toEqual([]);
  });
});

it("A resource that is replaced in this run stays so, although another with the same output is only updated", () => {
  const changes = new OutputChanges();
  changes.note(definitionOf("Deployment"), { properties: agent, facts: {} }, [], true);
  changes.note(definitionOf("Deployment"), { properties: agent, facts: {} }, ["sourceRevisionConfig.imageUri"], false);
  expect(changes.get(URL_OF_AGENT)).toBe("replaced");
  expect(changes.get("other")).toBeUndefined();
});

it("A change that the server cannot make replaces nothing, and names the inputs whose update fails", () => {
  const plan = (profile: ServerProfile, more: PropertyMap = {}) =>
    planChange(
      definitionOf("Thread"),
      { ...thread, extra: { a: 1 } },
      { ...thread, metadata: { team: "b" }, ...more },
      { now: 0, isRequestedByProgram: true, profile },
    );
  expect(plan({ "threads-patch": false }, { deleteForeignCrons: true })).toMatchObject({
    paths: ["metadata.team", "extra.a", "deleteForeignCrons"],
    unsupported: ["metadata.team"],
  });
  expect(plan({ "threads-patch": false })).not.toHaveProperty("replace");
  for (const profile of [{}, { "threads-patch": true }, { "crons-patch": false }])
    expect(plan(profile).unsupported).toEqual([]);
  expect(plan({ "threads-patch": false }, { threadId: "another" })).toMatchObject({
    replace: { paths: ["threadId"] },
    unsupported: [],
  });
});

it("An update without a difference continues an unfinished run", () => {
  const lineOf = (isUnfinished: boolean) => planned("Thread", thread, thread, { isUnfinished }).line;
  expect([true, false].map(lineOf)).toEqual(["in place; continues what the last `pulumi up` started", ""]);
});

it("The line of a creation states its consequences, and that of an import that nothing changes", () => {
  const lineOf = (kind: string, inputs: PropertyMap, facts = {}) =>
    renderImpacts([planCreate(definitionOf(kind), inputs, facts, Date.parse("2026-01-11T00:00:00Z"))]);
  expect(lineOf("Deployment", agent)).toBe("created");
  expect(lineOf("ScheduledBulkExport", schedule)).toBe("created; 10 past windows are exported");
  expect(lineOf("Deployment", agent, { import: "d-1" })).toBe(
    "imported, not created; ID d-1, and nothing changes on the server",
  );
});

it("A refresh reports neither the end of an export nor unfinished work", () => {
  const failed = { ...schedule, endTime: "2026-01-02T00:00:00Z", status: "FAILED" };
  expect(planned("BulkExport", failed, failed, { isRequestedByProgram: false, isUnfinished: true })).toEqual({
    line: "",
  });
  expect(planned("BulkExport", failed, failed).line).toBe("restarts the export; it ended FAILED");
});

it.each(["__proto__", "constructor", "toString"])("A replacement for the field %s states no reason", (path) => {
  const profile = { "deletes-in-a-week": false };
  expect(planned("Deployment", agent, agent, { forcedReplacePaths: [path], profile })).toEqual({
    line: `REPLACED, its database and threads are lost: ${path}; keepConversations would move them`,
    replaces: [path],
  });
});
