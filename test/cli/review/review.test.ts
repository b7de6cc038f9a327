/** The summary and the effects of each kind of change. */
import { formatComment } from "../../../cli/review/comment/comment";
import { readPreview } from "../../../cli/review/preview/preview-json";
import { findMatches, type Review, reviewOf } from "../../../cli/review/summary";
import { UNKNOWN_SECRET } from "../../../provider/schema/mapping";
import { repository } from "../../support/deployments/inputs";
import { type Bag, digest, image, messageOf, NOW, reviewed } from "../support/previews";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const day = { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z" };
const schedule = { bulkExportDestinationId: "d", sessionId: "s", startTime: "2026-01-01T00:00:00Z", intervalHours: 24 };

const LOST = "its database and threads are lost";
const IF_KEPT = "fails after the deletion if the platform keeps the name: see the setting `platform`";
const KEEP = "keepConversations would move them";
const AT_ONCE = "at once and for good, also where the platform keeps the database for a week";
const forced = { ...image("1"), forceDelete: true };
const thread = { deploymentUrl: "https://agents.example.com/a", metadata: { a: "b" } };
const once = { ...day, bulkExportDestinationId: "d", sessionId: "s" };
const failed = { status: "FAILED" };
const another = { ...schedule, bulkExportDestinationId: UNKNOWN };
const ofExport = (kind: string) => ({ op: "delete", kind, before: {} });
const requested = { op: "replace", before: image("1") };

it.each<[what: string, message: string, step: Parameters<typeof messageOf>[0]]>([
  ["a changed image", "new revision: imageUri 1 -> 2", { op: "update", before: image("1"), after: image("2") }],
  [
    "another name",
    `REPLACED, ${LOST}: name agent -> other; ${KEEP}`,
    { ...requested, after: { ...image("1"), name: "other" } },
  ],
  [
    "a requested replacement",
    `REPLACED, ${LOST}; requested by \`--replace\` or \`pulumi state taint\`; ${IF_KEPT}; ${KEEP}`,
    { ...requested, after: image("1"), replaceReasons: ["id"] },
  ],
  [
    "the option replaceOnChanges",
    `REPLACED, ${LOST}: sourceRevisionConfig; ${IF_KEPT}; ${KEEP}`,
    { ...requested, after: image("2"), replaceReasons: ["sourceRevisionConfig"] },
  ],
  [
    "a repository that the platform moves, since the engine only updates",
    "takes effect with the next revision: repoUrl",
    { op: "update", before: repository(), after: repository({ repoUrl: "https://git.example/team/other" }) },
  ],
  ["a removal", `DELETED, ${LOST}`, { op: "delete", before: image("1") }],
  ["a removal with forceDelete", `DELETED, ${LOST}; ${AT_ONCE}`, { op: "delete", before: forced }],
  [
    "forceDelete itself",
    `changes nothing on the server: forceDelete (a removal deletes ${AT_ONCE})`,
    { op: "update", before: image("1"), after: forced },
  ],
  [
    "an import",
    "imported, not created; ID 6b0c, and nothing changes on the server",
    { op: "create", after: { ...image("1"), __import: "6b0c" } },
  ],
  [
    "a thread with another ID",
    "REPLACED, its history is lost: threadId",
    { op: "replace", kind: "Thread", before: thread, after: { ...thread, threadId: UNKNOWN.replace("0", "1") } },
  ],
  ["a removed thread", "DELETED, its history is lost", { op: "delete", kind: "Thread", before: thread }],
  ["a removed export", "deleted; canceled if it is still running; its files stay", ofExport("BulkExport")],
  ["a removed schedule", "deleted; stopped; its exported files stay", ofExport("ScheduledBulkExport")],
  ["a removed destination", "deleted; the files in its bucket stay", ofExport("BulkExportDestination")],
  [
    "an export that failed, although nothing differs",
    "restarts the export; it ended FAILED",
    { op: "replace", kind: "BulkExport", before: once, after: once, outputs: failed, replaceReasons: ["id"] },
  ],
  ["schedule", "created; 10 past windows are exported", { op: "create", kind: "ScheduledBulkExport", after: schedule }],
  [
    "a schedule with another interval",
    "restarts the export: intervalHours; 20 past windows are exported again",
    { op: "replace", kind: "ScheduledBulkExport", before: schedule, after: { ...schedule, intervalHours: 12 } },
  ],
  [
    "a schedule whose destination is replaced",
    "restarts the export: bulkExportDestinationId (its destination is replaced); 10 past windows are exported again",
    { op: "replace", kind: "ScheduledBulkExport", before: schedule, after: another },
  ],
])("the review says what it means: %s", (_what, message, step) => {
  const { summary, effects } = reviewed([step]).changes[0] ?? {};
  expect(summary).toBe(message);
  expect(effects?.includes("data-loss")).toBe(/ lost/.test(message));
});

describe("a deployment", () => {
  it("shows which secrets change, according to the engine, without values, and the values of environment", () => {
    const before = { ...image("1"), secrets: { A: "[secret]", "B.C": "[secret]" }, environment: { LEVEL: "info" } };
    const after = { ...image("1"), secrets: { A: "[secret]", D: "[secret]" }, environment: { LEVEL: "debug" } };
    const differing = { "secrets.A": "update", 'secrets["B.C"]': "delete", "secrets.D": "add" };
    const review = reviewed([{ op: "update", before, after, differing }]);
    const [{ summary, effects } = { summary: "", effects: [] }] = review.changes;
    expect(effects).toEqual(["revision", "unverified", "update", "secret"]);
    expect(summary).toMatch(/^new revision: .*environment\.LEVEL info -> debug/);
    for (const path of ["secrets.A", "secrets.B.C", "secrets.D"]) expect(summary).toContain(path);
    expect(formatComment([review])).toContain(
      "! secrets.A: [secret] changed\n- secrets.B.C: [secret]\n+ secrets.D: [secret]",
    );
  });

  it("shows keys that have a meaning in JavaScript, or begin with two underscores, like any other", () => {
    const keys = ["constructor", "toString", "__token"];
    const triggers = (value: string) => Object.fromEntries(keys.map((key) => [key, value]));
    const properties = (value: string) => ({ ...image("1"), redeployTriggers: triggers(value) });
    const differing = Object.fromEntries(keys.map((key) => [`redeployTriggers.${key}`, "update"]));
    const review = reviewed([{ op: "update", before: properties("1"), after: properties("2"), differing }]);
    for (const key of keys) {
      expect(review.changes[0]?.summary).toContain(`redeployTriggers.${key}`);
      expect(formatComment([review])).toContain(`- redeployTriggers.${key}: "1"\n+ redeployTriggers.${key}: "2"`);
    }
    const created = reviewed([{ op: "create", after: properties("1") }]);
    for (const key of keys) expect(formatComment([created])).toContain(`redeployTriggers.${key}: "1"`);
  });

  it("that was just adopted possibly gets a new revision, if its secrets differ", () => {
    const before = { ...image("1"), secrets: { A: UNKNOWN_SECRET } };
    const after = { ...image("1"), secrets: { A: "[secret]" } };
    expect(reviewed([{ op: "update", before, after }]).changes).toMatchObject([
      {
        summary: "possibly new revision: secrets.A; only if the server holds another value",
        effects: ["update", "unknown"],
      },
    ]);
  });

  it("loses nothing with retainOnDelete", () => {
    const { changes } = reviewed([{ op: "delete", before: image("1"), retainOnDelete: true }]);
    expect(changes).toMatchObject([{ summary: expect.stringContaining("stays on the server"), effects: ["delete"] }]);
  });

  it("that is imported is not reported as a create", () => {
    const after = { ...image("1"), __import: "6b0c" };
    const review = reviewed([{ op: "create", after }]);
    expect(review.counts).toMatchObject({ create: 0, import: 1 });
    expect(formatComment([review])).toContain("### `shop/dev`: 1 to import\n");
    expect(findMatches([review], ["create"])).toEqual({ create: ["agent"] });
  });
});

describe("a value that is unknown until apply", () => {
  const outputs = { url: "https://agents.example.com/a", tracingProjectId: "p" };
  const thread = { deploymentUrl: outputs.url };
  const talk = { op: "update", kind: "Thread", name: "talk", before: thread, after: { deploymentUrl: UNKNOWN } };
  const daily = {
    ...{ op: "update", kind: "ScheduledBulkExport", name: "daily" },
    ...{ before: { ...schedule, sessionId: "p" }, after: { ...schedule, sessionId: UNKNOWN } },
  };
  const following = (op: string, after: Bag) =>
    reviewed([{ op, name: "agent", before: image("1"), outputs, after }, talk, daily]);
  const one = (review: Review, name: string) => review.changes.find((change) => change.name === name);

  it("has possible effects, which --fail-on counts only with --include-uncertain", () => {
    const review = reviewed([talk]);
    expect(one(review, "talk")).toMatchObject({ effects: ["update", "unknown"], possible: ["data-loss", "replace"] });
    expect(findMatches([review], ["data-loss"])).toEqual({});
    expect(findMatches([review], ["data-loss"], true)).toEqual({ "data-loss": ["talk"] });
    expect(formatComment([review])).toContain(
      "> **1 possible danger, depending on values that are unknown until apply**\n>\n> - **Thread** `talk`: " +
        "**possibly REPLACED, its history is lost**: `deploymentUrl` (if it is another server)",
    );
  });

  it("of a deployment that gets another name replaces its thread, and restarts its schedule", () => {
    const review = following("replace", { ...image("1"), name: "other" });
    expect(one(review, "talk")?.effects).toEqual(expect.arrayContaining(["data-loss", "replace"]));
    expect(one(review, "daily")?.effects).toEqual(expect.arrayContaining(["replace", "restart"]));
  });

  it("of a deployment that an unknown name may replace has possible effects", () => {
    const review = following("update", { ...image("1"), name: UNKNOWN });
    expect(one(review, "talk")).toMatchObject({ possible: ["data-loss", "replace"] });
  });

  it("of a deployment that is only updated has no dangerous effects", () => {
    const review = following("update", image("2"));
    for (const name of ["talk", "daily"]) {
      const summary = expect.stringMatching(/^changes nothing on the server/);
      expect(one(review, name)).toMatchObject({ possible: [], summary });
    }
  });
});

it("a replacement or deletion of an unknown kind is a possible data loss", () => {
  const unknown = { kind: "Memory", before: { a: 1 } };
  const review = reviewed([
    { ...unknown, op: "replace", name: "a", after: { a: 2 } },
    { ...unknown, op: "delete", name: "b" },
  ]);
  expect(findMatches([review], ["data-loss"])).toEqual({});
  expect(findMatches([review], ["data-loss"], true)).toEqual({ "data-loss": ["a", "b"] });
});

it.each(["0", 0, -1, 0.5, "x", null])("review accepts a schedule with the bad intervalHours %j", (intervalHours) => {
  const kind = "ScheduledBulkExport";
  const after = { ...schedule, intervalHours };
  expect(messageOf({ op: "create", kind, after })).toBe("created");
  const replaced = messageOf({ op: "replace", kind, before: after, after: { ...after, filter: "x" } });
  expect(replaced).toMatch(/^restarts the export/);
});

it("--fail-on matches effects, and any change", () => {
  const review = reviewed([
    { op: "replace", name: "a", before: image("1"), after: { ...image("1"), name: "b" } },
    { op: "update", name: "c", before: image("1"), after: image("2") },
    { op: "create", type: "aws:s3/bucket:Bucket", name: "logs" },
  ]);
  expect(findMatches([review], ["data-loss", "delete", "revision", "change"])).toEqual({
    ...{ "data-loss": ["a"], revision: ["c"], change: ["a", "c", "logs"] },
  });
});

it("review counts unchanged resources from the summary of a digest, without the stack", () => {
  const whole = (changeSummary: object) => JSON.stringify({ ...JSON.parse(digest([])), changeSummary });
  const unchanged = (text: string) => reviewOf(readPreview(text, "x"), NOW).unchanged;
  expect(unchanged(whole({ same: 4 }))).toBe(3);
  expect(unchanged(whole({ same: 1 }))).toBe(0);
  expect(unchanged(whole({}))).toBe(0);
});

it("review reads a preview after lines of a wrapper, and rejects other text with one sentence", () => {
  expect(readPreview(`Previewing (dev)\n${digest([])}`, "x")).toMatchObject({ stack: "dev", isFailed: false });
  expect(() => readPreview("", "preview.json")).toThrow(/^preview\.json is empty; expected the output/);
  expect(() => readPreview("error: no stack", "preview.json")).toThrow(/^preview\.json is not a preview; expected/);
  for (const text of ["[1]", '{ "changeSummary": { "create": 1 } }'])
    expect(() => readPreview(text, "preview.json")).toThrow(/not a preview/);
});
