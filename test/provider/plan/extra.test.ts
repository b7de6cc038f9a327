/** Which fields `extra` may contain, and which differences it has, without a server. */
import { validate } from "../../../provider/plan/check";
import { planChange } from "../../../provider/plan/plan-change";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { renderImpacts } from "../../../provider/plan/render";
import { missingExtra, withExtra } from "../../../provider/schema/extra";
import type { PropertyMap } from "../../../provider/schema/schema";
import { dockerDeployment } from "../../support/deployments/inputs";
import { definitionOf } from "./plans";

const CRON = { deploymentUrl: "https://agent.example", assistantId: "echo", schedule: "0 3 * * *", input: {} };
const vendor = { githost: "github", agentgraph: "langgraph" };

function check(kind: string, inputs: PropertyMap, previous: PropertyMap = {}, vocabulary = vendor) {
  const settings = { ownerMarker: true, vocabulary };
  const options = { previous, settings };
  const { failures, warnings } = validate(definitionOf(kind), inputs, options);
  const texts = (list: typeof failures) => list.map(({ path, reason }) => `${path} ${reason}`).join("\n");
  return { failures: texts(failures), warnings: texts(warnings) };
}

const inputsOf = (kind: string, extra: PropertyMap) =>
  kind === "Cron" ? { ...CRON, extra } : dockerDeployment({ extra });

describe("A field in extra", () => {
  it("is accepted where no input has it, at any depth and in any form", () => {
    const inner = { new_mode: null, id: "a", metadata: { pulumi_a: 1 } };
    const extra = { new_tier: { level: 3, zone: ["a"], pulumi_a: 1 }, source_config: inner, constructor: 1, extra: 1 };
    expect(check("Deployment", dockerDeployment({ extra }))).toEqual({ failures: "", warnings: "" });
    expect(check("Deployment", dockerDeployment({ extra: { source_config: UNKNOWN, other: UNKNOWN } })).failures).toBe(
      "",
    );
    expect(check("Deployment", dockerDeployment({ extra: UNKNOWN })).failures).toBe("");
  });

  it.each<[string, PropertyMap, string, string]>([
    ["Deployment", { display_name: "a" }, "display_name", "displayName"],
    ["Deployment", { displayName: "a" }, "displayName", "displayName"],
    [
      "Deployment",
      { source_config: { install_command: "a", resource_spec: { db_cpu: 2 } } },
      ...(["source_config.resource_spec.db_cpu", "sourceConfig.resourceSpec.dbCpu"] as const),
    ],
    ["Cron", { context: { a: 1 } }, "context", "context"],
    ["Cron", { metadata: { team: "a" } }, "metadata", "metadata"],
  ])("of a %s is warned of where an input has it: %j", (kind, extra, path, input) => {
    const found = check(kind, inputsOf(kind, extra));
    expect(found.failures).toBe("");
    expect(found.warnings).toContain(`extra.${path} is what the input ${input} sends`);
  });

  it("follows the words of the platform", () => {
    const declared = (extra: PropertyMap) => ({
      ...{ name: "a", source: "githost", sourceConfig: { repoUrl: "https://git.example/a/b" } },
      ...{ sourceRevisionConfig: { agentgraphConfigPath: "a.json" }, extra },
    });
    const extra = { source_revision_config: { langgraph_config_path: "b.json" } };
    expect(check("Deployment", declared(extra)).failures).toContain(
      "is also declared, as sourceRevisionConfig.agentgraphConfigPath",
    );
  });

  it.each<[string, PropertyMap, string]>([
    ["Deployment", { name: "b" }, "extra.name is also declared, as name: two values for one field"],
    [
      "Deployment",
      { source_revision_config: { image_uri: "b" } },
      "extra.source_revision_config.image_uri is also declared, as sourceRevisionConfig.imageUri",
    ],
    [
      "Deployment",
      { source_config: "a" },
      "extra.source_config must be an object, because the input sourceConfig sends other",
    ],
    ["Deployment", { sourceRevisionConfig: { a: 1 } }, "extra.sourceRevisionConfig is also declared, as source"],
    ["Deployment", { secrets: [] }, "extra.secrets cannot be sent in extra"],
    ["Deployment", { id: "a" }, "extra.id cannot be sent in extra"],
    ["Cron", { thread_id: "a" }, "extra.thread_id cannot be sent in extra"],
    ["Cron", { if_exists: "do_nothing" }, "extra.if_exists cannot be sent"],
    ["Cron", { metadata: { team: "a", pulumi_cron: "a" } }, "metadata contains a key that begins"],
  ])("of a %s is rejected with its reason: %j", (kind, extra, failure) => {
    expect(check(kind, inputsOf(kind, extra)).failures).toContain(failure);
  });

  it.each<[string, unknown, RegExp]>([
    ["a text", "a", /^extra must be a map/],
    ["a list", ["a"], /^extra must be a map/],
    ["a key that Pulumi drops", JSON.parse('{"a":{"__proto__":1}}'), /^extra\.a\.__proto__ is not supported/],
    ["a number that JSON lacks", { a: Number.NaN }, /^extra\.a is NaN/],
  ])("is rejected where it is %s", (_what, extra, failure) => {
    expect(check("Deployment", dockerDeployment({ extra })).failures).toMatch(failure);
  });

  it("is warned of once it is no longer declared, and not where the program only does not know it yet", () => {
    const previous = dockerDeployment({ extra: { a: { b: 1, c: 2 }, "x.y": 1 } });
    const { warnings } = check("Deployment", dockerDeployment({ extra: { a: { b: 2 } } }), previous);
    expect(warnings.match(/is no longer declared/g)).toHaveLength(2);
    expect(warnings).toContain(
      "extra.a.c is no longer declared, so it is no longer sent, and the server keeps its value.",
    );
    expect(check("Deployment", dockerDeployment({ extra: UNKNOWN }), previous).warnings).toBe("");
  });
});

test.each<[string, PropertyMap, PropertyMap | undefined, string]>([
  ["Deployment", { a: { b: 1 } }, { a: { b: 2 } }, "possibly new revision: extra.a.b; as the server decides"],
  ["Assistant", {}, { a: [1] }, "new version: extra.a; as the server decides"],
  ["Thread", { a: 1 }, { a: 2 }, "in place: extra.a; as the server decides"],
  ["BulkExport", { a: 1 }, { a: 2 }, "restarts the export: extra.a"],
  ["BulkExport", { a: 1 }, undefined, "changes nothing on the server: extra.a; no longer sent, so the server keeps it"],
  [
    "Deployment",
    { a: 1, b: { c: 1 } },
    { a: 1 },
    "changes nothing on the server: extra.b.c; no longer sent, so the server keeps it",
  ],
])("A preview of %s shows the change of extra from %j to %j", (kind, before, after, line) => {
  const given = kind === "Deployment" ? dockerDeployment() : {};
  const options = { now: 0, isRequestedByProgram: true };
  const { changes } = planChange(definitionOf(kind), { ...given, extra: before }, { ...given, extra: after }, options);
  expect(renderImpacts(changes)).toBe(line);
});

test("What an update sends is what the server shows otherwise, or what it hides and was not sent", () => {
  const declared = {
    ...{ shown: 1, same: 1.0, hidden: 2, masked: "a", list: [1], none: null },
    ...{ part: { a: 1, b: 2 }, "a.b": 3 },
  };
  const shown = { shown: 9, same: 1, masked: "***", list: [1, 2], part: { a: 1, other: 5 }, extraneous: true };
  const sent = { hidden: 2, masked: "a", part: { b: 1 } };
  expect(missingExtra(sent, declared, shown)).toEqual({ shown: 1, list: [1], part: { b: 2 }, "a.b": 3 });
  expect(missingExtra(declared, declared)).toBeUndefined();
});

test("Further fields of a body replace nothing that it has", () => {
  const body = { name: "a", metadata: { pulumi_cron: "own" }, list: [1], config: { a: 1 } };
  const extra = { name: "b", metadata: { pulumi_cron: "other", x: 1 }, list: [2], config: { b: 2 }, more: { c: 3 } };
  const merged = { ...body, metadata: { pulumi_cron: "own", x: 1 }, config: { a: 1, b: 2 }, more: { c: 3 } };
  expect(withExtra(body, extra)).toEqual(merged);
  expect(withExtra(body, undefined)).toBe(body);
});
