/** The settings that a program is given, checked with its first resource. The engine's side is Pulumi's own mock. */
import * as pulumi from "@pulumi/pulumi";
import { defineFunction } from "../../dist/sdk/nodejs/function";
import { Provider } from "../../dist/sdk/nodejs/provider";
import { defineClass } from "../../dist/sdk/nodejs/resource";
import { resources } from "../../dist/sdk/nodejs/resources";

const Deployment = defineClass<new (name: string, args: pulumi.Inputs) => pulumi.CustomResource>(
  "Deployment",
  resources.Deployment,
);
const declare = () => new Deployment("agent", { source: "external_docker" });
const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
  call: () => ({}),
};

const warnings = jest.spyOn(console, "warn").mockImplementation(() => {});
/** What was warned of once everything that is scheduled has run. */
async function warned(): Promise<string[]> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  return warnings.mock.calls.map(([text]) => String(text));
}

beforeEach(() => {
  // A new monitor is a new run of a program.
  pulumi.runtime.setMocks(mocks, "shop", "dev", true, "acme");
  warnings.mockClear();
});
afterEach(() => {
  pulumi.runtime.setAllConfig({});
  delete process.env.AGENTGRAPH_TENANTID;
  delete process.env.AGENTGRAPH_STAGING_KEY;
});

test("a resource with an unknown key in the stack configuration fails and names the closest setting", () => {
  pulumi.runtime.setAllConfig({ "agentgraph:tenantID": "t", "agentgraph:nameTemplate": "x" });
  expect(declare).toThrow(/agentgraph:tenantID .*Did you mean agentgraph:tenantId\?/);
  expect(declare).toThrow(/\n.*agentgraph:nameTemplate .* this setting was removed\. Set the input `name`/);
  expect(declare).toThrow(pulumi.RunError);
});

test("a function call with an unknown key in the stack configuration fails before any request", async () => {
  pulumi.runtime.setAllConfig({ "agentgraph:controlPlaneURL": "http://127.0.0.1:1" });
  const [getListeners] = defineFunction("getListeners");
  await expect(getListeners()).rejects.toThrow("Did you mean agentgraph:controlPlaneUrl?");
});

test("an API key in plain text and an unknown variable cause one warning each for all resources of a run", async () => {
  pulumi.runtime.setAllConfig({ "agentgraph:apiKey": "the-key" });
  process.env.AGENTGRAPH_TENANTID = "t";
  declare();
  declare();
  const texts = await warned();
  expect(texts).toEqual([
    expect.stringContaining("pulumi config set --secret agentgraph:apiKey"),
    expect.stringContaining("Did you mean AGENTGRAPH_TENANT_ID?"),
  ]);
  expect(texts.join()).not.toContain("the-key");
});

test("a variable that a Provider declared later reads causes no warning", async () => {
  process.env.AGENTGRAPH_STAGING_KEY = "k";
  declare();
  new Provider("staging", { apiKeyEnv: "AGENTGRAPH_STAGING_KEY" });
  expect(await warned()).toEqual([]);
});

test("a Provider with an unknown argument fails and names the closest one, or what replaces a removed one", () => {
  const args = { tenantID: "t", replicas: 3, nameTemplate: "x" } as object;
  expect(() => new Provider("staging", args)).toThrow(
    new RegExp(
      '^Provider "staging": unknown arguments:\\n {2}tenantID: did you mean "tenantId"\\?\\n {2}replicas: expected ' +
        "one of apiKey, .*\\n {2}nameTemplate: this setting was removed\\. Set the input `name`",
    ),
  );
});
