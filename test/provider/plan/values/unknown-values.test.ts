/** What a preview shows for a value that is not known yet. */
import { definitions } from "../../../../provider/definitions";
import { OutputChanges } from "../../../../provider/plan/planned-outputs";
import { UNKNOWN } from "../../../../provider/plan/property-values";
import { agent, definitionOf, outputChanges, PROJECT, planned, schedule, thread, URL_OF_AGENT } from "../plans";

describe("An unknown that may replace", () => {
  const opened = { ...thread, deploymentUrl: UNKNOWN };
  const restarted = { ...schedule, sessionId: UNKNOWN };

  it("states its possible effect while its source is unknown", () => {
    expect(planned("Thread", thread, opened)).toEqual({
      line: "possibly REPLACED, its history is lost: deploymentUrl (if it is another server)",
    });
    expect(planned("ScheduledBulkExport", schedule, restarted)).toEqual({
      line: "possibly restarts the export: sessionId (if it is another project); 10 past windows are exported again",
    });
    expect(planned("Deployment", agent, { ...agent, name: UNKNOWN })).toEqual({
      line:
        "possibly REPLACED, its database and threads are lost: name (if its value changes); keepConversations " +
        "would move them",
    });
  });

  it("states its possible effect for an unknown object too, since any part may differ", () => {
    const before = { displayName: "d", destinationType: "s3", config: { bucketName: "b" }, credentials: {} };
    expect(planned("BulkExportDestination", before, { ...before, config: UNKNOWN }).line).toBe(
      "possibly REPLACED: config (if its value changes); restarts the exports that write to it",
    );
    const githost = { name: "a", source: "githost", sourceConfig: { repoUrl: "u", integrationId: "i" } };
    expect(planned("Deployment", githost, { ...githost, sourceConfig: UNKNOWN }).line).toBe(
      "possibly REPLACED, its database and threads are lost: sourceConfig (if its value changes); fails after the " +
        "deletion if the platform keeps the name: see the setting `platform`; keepConversations would move them",
    );
  });

  it("may replace a cron whose assistant an unknown value may replace, since its ID is that of the assistant", () => {
    const changes = new OutputChanges();
    const assistant = { properties: { assistantId: PROJECT }, facts: {} };
    changes.note(definitionOf("Assistant"), assistant, ["deploymentUrl"], "possibly");
    const after = { deploymentUrl: URL_OF_AGENT, assistantId: UNKNOWN };
    const plans = [PROJECT, "another"].map((assistantId) =>
      planned("Cron", { ...after, assistantId }, after, { outputChangeOf: changes.get }),
    );
    expect(plans.map(({ replaces }) => replaces)).toEqual([undefined, ["assistantId"]]);
    expect(plans[0]?.line).toMatch(/^possibly REPLACED: assistantId \(if its value changes\)/);
  });

  const step = (asNode: string, y: unknown) => ({ updates: [{ asNode, values: { x: 1, y } }] });
  it.each<[string, unknown, unknown, boolean]>([
    ["exportFields", ["id", "name"], ["NAME", UNKNOWN], false],
    ["exportFields", ["id", "name"], ["error", UNKNOWN], true],
    ["exportFields", ["id", "name", "error"], ["id", UNKNOWN], true],
    ["supersteps", [step("a", [2])], [step("a", UNKNOWN)], false],
    ["supersteps", [step("a", [2])], [step("b", UNKNOWN)], true],
    ["supersteps", [step("a", [2])], [step("a", [2, UNKNOWN])], true],
  ])("replaces in a list only if a known part differs: %s %j becomes %j", (key, before, after, isReplaced) => {
    const kind = key === "supersteps" ? "Thread" : "BulkExport";
    const { line, replaces } = planned(kind, { [key]: before }, { [key]: after });
    expect([replaces, /^(possibly )?(REPLACED|restarts)/.exec(line)?.[1]]).toEqual(
      isReplaced ? [[key], undefined] : [undefined, "possibly "],
    );
  });

  it("certainly replaces a thread whose deployment this run replaces", () => {
    expect(planned("Thread", thread, opened, outputChanges([], true))).toEqual({
      line: "REPLACED, its history is lost: deploymentUrl (its deployment is replaced)",
      replaces: ["deploymentUrl"],
    });
  });

  it("may restart a schedule whose deployment this run replaces, since the new one may have the same project", () => {
    expect(planned("ScheduledBulkExport", schedule, restarted, outputChanges([], true)).line).toMatch(
      /^possibly restarts/,
    );
  });

  it("certainly restarts a schedule whose deployment gets another name, and with it another project", () => {
    expect(planned("ScheduledBulkExport", schedule, restarted, outputChanges(["name"], true))).toEqual({
      line: "restarts the export: sessionId (its deployment gets another name); 10 past windows are exported again",
      replaces: ["sessionId"],
    });
  });

  it("has no effect when its deployment is only updated", () => {
    const retained = "; unknown until its source is updated, which keeps the value";
    const options = outputChanges(["sourceRevisionConfig.imageUri"]);
    expect(planned("Thread", thread, opened, options)).toEqual({
      line: `changes nothing on the server: deploymentUrl${retained}`,
    });
    expect(planned("ScheduledBulkExport", schedule, restarted, options)).toEqual({
      line: `changes nothing on the server: sessionId${retained}`,
    });
  });

  it.each([
    ["sourceConfig.customUrl", false],
    ["sourceConfig", false],
    ["sourceConfig", "possibly"],
  ] as const)("may replace when the update of its deployment changes the URL: %s, replaced: %j", (path, isReplaced) => {
    const options = outputChanges([path], isReplaced);
    expect(planned("Thread", thread, opened, options).line).toMatch(/^possibly REPLACED/);
    expect(planned("ScheduledBulkExport", schedule, restarted, options).line).toMatch(/^changes nothing/);
  });
});

/** The inputs that refer to another resource: an unknown one means that it is a new one. */
const REFERENCES: Record<string, Record<string, string>> = {
  Deployment: {},
  BulkExportDestination: {},
  BulkExport: { bulkExportDestinationId: "restarts the export: bulkExportDestinationId (its destination is replaced)" },
  ScheduledBulkExport: {
    bulkExportDestinationId: "restarts the export: bulkExportDestinationId (its destination is replaced)",
  },
  Thread: {
    deploymentId: "REPLACED, its history is lost: deploymentId (its deployment is replaced)",
    copyFrom: "REPLACED, its history is lost: copyFrom (the thread it copies is replaced)",
  },
  Assistant: {
    deploymentId:
      "REPLACED, its versions and crons are lost: deploymentId (its deployment is replaced); its unfinished " +
      "runs are interrupted",
  },
  Cron: {
    deploymentId: "REPLACED: deploymentId (its deployment is replaced); runs that it started continue",
    assistantId: "REPLACED: assistantId (its assistant is replaced); runs that it started continue",
    threadId: "REPLACED: threadId (its thread is replaced); runs that it started continue",
  },
};

/** Those of a kind on agent servers that refers to nothing else. */
const ON_SERVER = { deploymentId: expect.stringMatching(/^REPLACED.*: deploymentId \(its deployment is replaced\)/) };

it.each(definitions.map((definition) => [definition.kind, definition] as const))(
  "An unknown input of a %s replaces it only if it refers to another resource",
  (kind, { schema }) => {
    const inputs = schema.fields.map(({ path }) => path).filter((path) => !path.includes("."));
    const changes = inputs.map((key) => [key, planned(kind, { [key]: "a" }, { [key]: UNKNOWN })] as const);
    const replacing = changes.filter(([, { replaces }]) => replaces !== undefined);
    expect(Object.fromEntries(replacing.map(([key, { line }]) => [key, line]))).toEqual(REFERENCES[kind] ?? ON_SERVER);
    for (const [key, { replaces }] of replacing) expect(replaces).toEqual([key]);
  },
);
