/** The settings of a provider: what is wrong is shown on the provider's row, before anything is sent. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { configOf } from "../../plugin/settings";
import { UNKNOWN } from "../../provider/plan/property-values";
import type { PropertyMap } from "../../provider/schema/schema";
import { fromStruct, PluginClient, toStruct } from "../support/hosts/plugin-client";
import { secret } from "../support/hosts/plugin-secrets";
import { TestClock } from "../support/time/clock";

const urnOf = (name: string, project = "shop") => `urn:pulumi:dev::${project}::pulumi:providers:agentgraph::${name}`;
const DEFAULT = urnOf("default_0_1_0");
const EXPLICIT = urnOf("staging");

async function checkConfig(settings: PropertyMap, urn = DEFAULT) {
  const warnings: string[] = [];
  const plugin = await PluginClient.start(new TestClock(), {
    show: (_kind, rowUrn, text) => void warnings.push(`${rowUrn === urn ? "row" : rowUrn}: ${text}`),
    flush: async () => {},
  });
  const request = new messages.CheckRequest().setUrn(urn).setNews(toStruct(settings));
  const response = await plugin.call("checkConfig", request);
  const failures = response.getFailuresList().map((one) => one.getProperty() + one.getReason());
  return { inputs: fromStruct(response.getInputs()), failures, warnings };
}

test("Valid settings are returned, with secrets marked, also where the engine sends them without a mark", async () => {
  const settings = { controlPlaneUrl: "https://agents.example", version: "0.1.0", apiKey: secret("k") };
  const { inputs, failures, warnings } = await checkConfig({ ...settings, bearerToken: "t" });
  expect([failures, warnings]).toEqual([[], []]);
  expect(inputs).toEqual({ ...settings, bearerToken: secret("t") });
});

test("An unknown key of the stack configuration fails and names the closest setting", async () => {
  const { failures } = await checkConfig({ tenantID: "t" });
  expect(failures).toEqual([
    "agentgraph:tenantID in the stack configuration is not a setting of pulumi-agentgraph. Did you mean " +
      "agentgraph:tenantId? Set that key, and run `pulumi config rm agentgraph:tenantID`.",
  ]);
});

test.each([
  ["a text", UNKNOWN],
  ["a part of a map", { "x-team": UNKNOWN }],
  ["a secret", secret(UNKNOWN)],
])(
  "An argument that a preview does not know yet is absent, and no text of the engine is its value: %s",
  (_what, value) => {
    const config = configOf(toStruct({ controlPlaneUrl: value, tenantId: "t" }), "staging");
    expect([config("agentgraph:controlPlaneUrl"), config("agentgraph:tenantId")]).toEqual([undefined, "t"]);
  },
);

test("An unknown argument of an explicit provider fails and names the closest one", async () => {
  const { failures } = await checkConfig({ tenantID: "t", replicas: 3, nameTemplate: "x" }, EXPLICIT);
  expect(failures.sort()).toEqual([
    expect.stringMatching(/^unknown argument "nameTemplate"; this setting was removed\. Set the input `name`/),
    expect.stringMatching(/^unknown argument "replicas"; expected one of apiKey, /),
    'unknown argument "tenantID"; did you mean "tenantId"?',
  ]);
});

test("All invalid settings are reported together, without the values of secrets", async () => {
  const settings = { controlPlaneUrl: "agents.example", requestsPerSecond: "many", apiKey: "a\nplain-canary" };
  const { failures } = await checkConfig(settings, EXPLICIT);
  expect(failures).toHaveLength(1);
  for (const key of ["controlPlaneUrl", "requestsPerSecond", "apiKey"]) expect(failures[0]).toContain(`  ${key}: `);
  expect(failures[0]).toContain("argument controlPlaneUrl of the Provider");
  expect(failures[0]).not.toContain("plain-canary");
});

test.each([
  ["equal settings in another order", { a: "1", b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: "1" }, "DIFF_NONE"],
  ["another API key", { apiKey: secret("1") }, { apiKey: secret("2") }, "DIFF_SOME"],
])("%s never replace a provider", async (_what, before, after, expected) => {
  const plugin = await PluginClient.start(new TestClock());
  const request = new messages.DiffRequest().setUrn(EXPLICIT).setOldInputs(toStruct(before)).setNews(toStruct(after));
  const response = await plugin.call("diffConfig", request);
  expect(response.getChanges()).toBe(messages.DiffResponse.DiffChanges[expected as "DIFF_NONE"]);
  expect(response.getReplacesList()).toEqual([]);
});

test("Only a provider that the engine names has the settings of the stack, and none of the program", () => {
  const names = ["default", "default_0_1_0_alpha_1", "default_https_/a.com/b", "default_company.com", "default_eu"];
  expect(names.filter((name) => configOf(undefined, name)("agentgraph:explicitProvider"))).toEqual(["default_eu"]);
});
