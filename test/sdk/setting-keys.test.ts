/** Keys of settings that have no effect, and secrets that are not encrypted. */
import { settingsSchema } from "../../provider/settings/settings-schema";
import { secretSettings, settingIssues, settingKeys } from "../../sdk/nodejs/setting-keys";

interface Given {
  config?: string[];
  encrypted?: string[];
  environment?: string[];
  referenced?: string[];
  project?: string;
}

const issuesOf = ({ config = [], encrypted = [], environment = [], referenced = [], project = "shop" }: Given) =>
  settingIssues({ config, isSecret: (key) => encrypted.includes(key), environment, referenced, project });

test("the program and the provider know the same settings", () => {
  expect(settingKeys).toEqual(Object.keys(settingsSchema.shape));
  expect([...secretSettings].sort()).toEqual(["agentHeaders", "apiKey", "bearerToken"]);
});

test.each([
  ["tenantID", "tenantId"],
  ["requestPerSecond", "requestsPerSecond"],
  ["controlPlaneURL", "controlPlaneUrl"],
  ["api_key", "apiKey"],
])("an unknown key %s of the stack configuration is an error that names %s", (key, expected) => {
  expect(issuesOf({ config: [`agentgraph:${key}`] })).toEqual([
    {
      id: "unknown-setting",
      severity: "error",
      message: `agentgraph:${key} in the stack configuration is not a setting of pulumi-agentgraph.`,
      remedy: `Did you mean agentgraph:${expected}? Set that key, and run \`pulumi config rm agentgraph:${key}\`.`,
    },
  ]);
});

test.each([
  [
    "nameTemplate",
    "AGENTGRAPH_NAME_TEMPLATE",
    /^Set the input `name` .* with a transform: see "Default names" in docs\/settings\.md\. Existing deployments keep/,
  ],
  [
    "stopAfterFailures",
    "AGENTGRAPH_STOP_AFTER_FAILURES",
    /^Use the runner of examples\/fleet, .*: see "Stop after failures" in docs\/fleets\.md\./,
  ],
])(
  "the removed setting %s is an error in the stack configuration and in %s, with what to do instead",
  (key, variable, instead) => {
    const issues = issuesOf({ config: [`agentgraph:${key}`], environment: [variable] });
    expect(issues).toEqual([
      {
        id: "unknown-setting",
        severity: "error",
        message: `agentgraph:${key} in the stack configuration has no effect: this setting was removed.`,
        remedy: expect.stringMatching(new RegExp(` To remove the key, run \`pulumi config rm agentgraph:${key}\`\\.$`)),
      },
      {
        id: "unknown-variable",
        severity: "error",
        message: `The environment variable ${variable} has no effect: this setting was removed.`,
        remedy: expect.stringMatching(/ Then unset the variable\.$/),
      },
    ]);
    for (const { remedy } of issues) expect(remedy).toMatch(instead);
  },
);

test("an unknown key that resembles no setting is an error that says how to remove it", () => {
  expect(issuesOf({ config: ["agentgraph:replicas"] })).toMatchObject([
    { severity: "error", remedy: "To remove it, run `pulumi config rm agentgraph:replicas`." },
  ]);
});

test("keys of other namespaces and known keys are no issue", () => {
  const config = ["shop:tenantID", "aws:region", ...settingKeys.map((key) => `agentgraph:${key}`)];
  expect(issuesOf({ config, encrypted: config })).toEqual([]);
});

test("in a project named agentgraph a misspelled key is a warning, and the program's own keys are no issue", () => {
  const config = ["agentgraph:tenantID", "agentgraph:replicas", "agentgraph:nameTemplate"];
  expect(issuesOf({ config, project: "agentgraph" })).toMatchObject([
    { id: "unknown-setting", severity: "warning", message: expect.stringContaining("tenantID") },
    { id: "unknown-setting", severity: "warning", message: expect.stringContaining("nameTemplate") },
  ]);
});

test.each(["apiKey", "bearerToken", "agentHeaders"])(
  "%s in plain text is a warning with the command that encrypts it",
  (key) => {
    const config = [`agentgraph:${key}`];
    expect(issuesOf({ config })).toEqual([
      {
        id: "plain-text-secret",
        severity: "warning",
        message: `agentgraph:${key} is stored in the stack configuration as plain text.`,
        remedy:
          `To encrypt it, run \`pulumi config set --secret agentgraph:${key}\`, and replace the value if others ` +
          "could read it.",
      },
    ]);
    expect(issuesOf({ config, encrypted: config })).toEqual([]);
  },
);

test("an unknown environment variable is a warning that names the closest known one", () => {
  const environment = ["AGENTGRAPH_TENANTID", "AGENTGRAPH_COLOR", "AGENTGRAPH_API_KEY", "HOME"];
  expect(issuesOf({ environment })).toMatchObject([
    { id: "unknown-variable", severity: "warning", remedy: "Did you mean AGENTGRAPH_TENANT_ID?" },
    {
      id: "unknown-variable",
      message: expect.stringContaining("AGENTGRAPH_COLOR"),
      remedy: expect.stringMatching(/^Unset/),
    },
  ]);
});

test("variables of the emulator and those that apiKeyEnv names are no issue", () => {
  const environment = ["AGENTGRAPH_EMULATOR_PORT", "AGENTGRAPH_CACHE", "AGENTGRAPH_STAGING_KEY"];
  expect(issuesOf({ environment, referenced: ["AGENTGRAPH_STAGING_KEY"] })).toEqual([]);
});
