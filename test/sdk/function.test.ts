/** Both forms of a function: settings, Inputs, secrets and errors, against the emulator over HTTP. */
import * as pulumi from "@pulumi/pulumi";
import {
  getBulkExport,
  getDeployment,
  getDeploymentOutput,
  getDeployments,
  getDeploymentsOutput,
  getPushTokenOutput,
  Provider,
} from "../../sdk/nodejs";
import { failureOf } from "../support/errors";
import { tracingSettings } from "../support/exports/tracing";
import { type Platform, startPlatform } from "../support/platform";

const secrecy = (outputs: unknown[]): Promise<boolean[]> =>
  Promise.all(outputs.map((output) => pulumi.isSecret(output as pulumi.Output<unknown>)));
const known = <T>(output: pulumi.Output<T>): Promise<T> => (output as unknown as { promise(): Promise<T> }).promise();
const secret = [{ name: "KEY", value: "the-value" }];

let programs = 0;
/** A workspace with a deployment, and settings in the environment as in a pipeline. */
async function start(): Promise<Platform & { id: string }> {
  const platform = await startPlatform();
  const { deployments: [id = ""] = [] } = await platform.emulator.seed({
    deployments: [{ name: "billing", secrets: secret }],
  });
  process.env.AGENTGRAPH_CONTROL_PLANE_URL = platform.url;
  process.env.AGENTGRAPH_TRACING_API_URL = platform.url;
  process.env.AGENTGRAPH_TENANT_ID = tracingSettings(platform).tenantId;
  process.env.AGENTGRAPH_API_KEY = `sdk-${programs++}`;
  return { ...platform, id };
}
afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("AGENTGRAPH_")) delete process.env[name];
  pulumi.runtime.setAllConfig({});
});

describe("a function that returns a Promise", () => {
  it("prefers the stack configuration to the environment", async () => {
    const { url, id } = await start();
    process.env.AGENTGRAPH_CONTROL_PLANE_URL = "http://127.0.0.1:9";
    pulumi.runtime.setAllConfig({ "agentgraph:controlPlaneUrl": url, "agentgraph:apiKey": "a" }, ["agentgraph:apiKey"]);
    expect(await getDeployment({ name: "billing" })).toMatchObject({ id });
  });

  it("uses the settings of the Provider in its options, or of its parent", async () => {
    const { url, id } = await start();
    process.env.AGENTGRAPH_CONTROL_PLANE_URL = "http://127.0.0.1:9";
    const provider = new Provider("red", { controlPlaneUrl: url, apiKey: pulumi.secret("of-red") });
    const parent = new pulumi.ComponentResource("shop:index:Team", "team", {}, { providers: [provider] });
    expect(await getDeployment({ name: "billing" }, { provider })).toMatchObject({ id });
    expect(await getDeployments({}, { parent })).toMatchObject([{ id }]);
    expect(await known(getDeploymentOutput({ name: "billing" }, { parent }).id)).toBe(id);
  });

  it("names the Output form if the settings of the Provider are unknown in a preview", async () => {
    const parts = [undefined, false, false, new Set()].map((part) => Promise.resolve(part));
    const later: pulumi.Output<string> = Reflect.construct(pulumi.Output as never, [new Set(), ...parts]);
    const provider = new Provider("red", { controlPlaneUrl: "http://127.0.0.1:9", apiKey: later });
    expect((await failureOf(getDeployments({}, { provider }))).message).toBe(
      "getDeployments: the settings of its Provider are unknown in this preview. Use getDeploymentsOutput, " +
        "which waits for them.",
    );
  });

  it("rejects unknown options", async () => {
    const careless = getDeployments as (...args: unknown[]) => Promise<unknown>;
    expect((await failureOf(careless({}, { dependsOn: [] }))).message).toBe(
      "getDeployments: the option dependsOn is supported only by getDeploymentsOutput.",
    );
    expect((await failureOf(careless({}, { provder: {} }))).message).toBe(
      'getDeployments: unknown option "provder"; expected provider, parent or dependsOn.',
    );
    expect((await failureOf(careless({}, { provider: {} }))).message).toContain(
      "Create one with `new agentgraph.Provider(...)`",
    );
  });

  it("fails with its name and the cause, as an error that the engine shows without a stack trace", async () => {
    await start();
    const error = await failureOf(getDeployment({ name: "biling" }));
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect(error.message).toBe(
      'getDeployment: No deployment with name "biling" is visible to this API key. Available: "billing".',
    );
    process.env.AGENTGRAPH_API_KEY = "";
    expect((await failureOf(getBulkExport({ id: "x" }))).message).toMatch(
      /^getBulkExport: Settings are missing: apiKey\n/,
    );
  });
});

describe("a function that returns an Output", () => {
  it("accepts Inputs and returns an Output", async () => {
    const { id } = await start();
    const found = getDeploymentOutput({ name: pulumi.output(Promise.resolve("billing")) });
    expect(await known(found.id)).toBe(id);
    expect(await known(getDeploymentsOutput({ deploymentIds: [pulumi.output(id)] }))).toHaveLength(1);
    expect(await known(getDeploymentsOutput().apply((all) => all.length))).toBe(1);
  });

  it("returns the secrets of one object as secrets, and all other fields in plain text", async () => {
    await start();
    const found = getDeploymentOutput({ name: "billing" });
    expect(await known(found.secrets)).toEqual({ KEY: "the-value" });
    const secrets = await secrecy([found, found.secrets, found.secrets.KEY, found.apply((all) => all.name)]);
    expect(secrets).toEqual([true, true, true, true]);
    expect(await secrecy([found.name, found.url, found.secretNames])).toEqual([false, false, false]);
  });

  it("returns the secrets of a list only on request, and then the whole list is secret", async () => {
    await start();
    const open = getDeploymentsOutput();
    expect(JSON.stringify(await known(open))).not.toContain("the-value");
    expect(await pulumi.isSecret(open)).toBe(false);
    const whole = getDeploymentsOutput({ withSecrets: true });
    expect(await known(whole)).toMatchObject([{ secrets: { KEY: "the-value" } }]);
    expect(await pulumi.isSecret(whole)).toBe(true);
  });

  it("returns a secret result for a secret argument", async () => {
    await start();
    expect(await pulumi.isSecret(getDeploymentOutput({ name: pulumi.secret("billing") }).id)).toBe(true);
  });

  it("returns a push token as a secret, and the registry in plain text", async () => {
    const { emulator } = await start();
    const { deployments: [deploymentId = ""] = [] } = await emulator.seed({
      deployments: [{ name: "p", source: "internal_docker" }],
    });
    const { token, registryUrl } = getPushTokenOutput({ deploymentId });
    expect(await known(token)).toMatch(/.{20}/);
    expect(await secrecy([token, registryUrl])).toEqual([true, false]);
  });
});
