/** The two forms of a look-up: settings, Inputs, secrets, errors; against the emulator over HTTP. */
import * as pulumi from "@pulumi/pulumi";
import {
  getBulkExport,
  getDeployment,
  getDeploymentOutput,
  getDeployments,
  getDeploymentsOutput,
  getPushTokenOutput,
  Provider,
} from "../../sdk";
import { failureOf } from "../support/errors";
import { type Platform, startPlatform } from "../support/platform";
import { tracing } from "../support/tracing";

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
  process.env.AGENTGRAPH_TENANT_ID = tracing(platform).tenantId;
  process.env.AGENTGRAPH_API_KEY = `sdk-${programs++}`;
  return { ...platform, id };
}
afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("AGENTGRAPH_")) delete process.env[name];
  pulumi.runtime.setAllConfig({});
});

describe("the plain form", () => {
  it("answers what is asked with the settings of the environment", async () => {
    const { id } = await start();
    expect(await getDeployment({ name: "billing" })).toMatchObject({ id, secretNames: ["KEY"] });
    expect(await getDeployments()).toHaveLength(1);
  });

  it("takes stack config before the environment", async () => {
    const { url, id } = await start();
    process.env.AGENTGRAPH_CONTROL_PLANE_URL = "http://127.0.0.1:9";
    pulumi.runtime.setAllConfig({ "agentgraph:controlPlaneUrl": url, "agentgraph:apiKey": "of-the-stack" });
    expect(await getDeployment({ name: "billing" })).toMatchObject({ id });
  });

  it("asks with the settings of a Provider, its own or that of the component around it", async () => {
    const { url, id } = await start();
    process.env.AGENTGRAPH_CONTROL_PLANE_URL = "http://127.0.0.1:9";
    const provider = new Provider("red", { controlPlaneUrl: url, apiKey: pulumi.secret("of-red") });
    const parent = new pulumi.ComponentResource("shop:index:Team", "team", {}, { providers: [provider] });
    expect(await getDeployment({ name: "billing" }, { provider })).toMatchObject({ id });
    expect(await getDeployments({}, { parent })).toMatchObject([{ id }]);
    expect(await known(getDeploymentOutput({ name: "billing" }, { parent }).id)).toBe(id);
  });

  it("says what to call where the settings of the Provider are not known in a preview", async () => {
    const parts = [undefined, false, false, new Set()].map((part) => Promise.resolve(part));
    const later: pulumi.Output<string> = Reflect.construct(pulumi.Output as never, [new Set(), ...parts]);
    const provider = new Provider("red", { controlPlaneUrl: "http://127.0.0.1:9", apiKey: later });
    expect((await failureOf(getDeployments({}, { provider }))).message).toBe(
      "getDeployments: the settings of its Provider are not known in this preview. Call getDeploymentsOutput instead, which waits for them.",
    );
  });

  it("refuses options that it has no use for, since else the wrong workspace would be asked", async () => {
    const careless = getDeployments as (...args: unknown[]) => Promise<unknown>;
    expect((await failureOf(careless({}, { dependsOn: [] }))).message).toBe(
      "getDeployments: dependsOn is an option of getDeploymentsOutput alone, which can wait for resources.",
    );
    expect((await failureOf(careless({}, { provder: {} }))).message).toBe(
      'getDeployments: unknown option "provder"; expected provider, parent or dependsOn.',
    );
    expect((await failureOf(careless({}, { provider: {} }))).message).toContain("make one with `new Provider(…)`");
  });

  it("says what failed in which look-up, as an error that the engine shows without a stack", async () => {
    await start();
    const error = await failureOf(getDeployment({ name: "biling" }));
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect(error.message).toBe(
      'getDeployment: There is no deployment with name "biling" that the key may see. There are "billing".',
    );
    process.env.AGENTGRAPH_API_KEY = "";
    expect((await failureOf(getBulkExport({ id: "x" }))).message).toMatch(
      /^getBulkExport: Settings are missing: apiKey\n/,
    );
  });
});

describe("the twin", () => {
  it("takes Inputs and answers an Output", async () => {
    const { id } = await start();
    const found = getDeploymentOutput({ name: pulumi.output(Promise.resolve("billing")) });
    expect(await known(found.id)).toBe(id);
    expect(await known(getDeploymentsOutput({ deploymentIds: [pulumi.output(id)] }))).toHaveLength(1);
    expect(await known(getDeploymentsOutput().apply((all) => all.length))).toBe(1);
  });

  it("holds the secrets of one object as secrets, and all else in clear", async () => {
    await start();
    const found = getDeploymentOutput({ name: "billing" });
    expect(await known(found.secrets)).toEqual({ KEY: "the-value" });
    const secrets = await secrecy([found, found.secrets, found.secrets.KEY, found.apply((all) => all.name)]);
    expect(secrets).toEqual([true, true, true, true]);
    expect(await secrecy([found.name, found.url, found.secretNames])).toEqual([false, false, false]);
  });

  it("holds the secrets of many only where they are asked for, and then it is secret as a whole", async () => {
    await start();
    const open = getDeploymentsOutput();
    expect(JSON.stringify(await known(open))).not.toContain("the-value");
    expect(await pulumi.isSecret(open)).toBe(false);
    const whole = getDeploymentsOutput({ withSecrets: true });
    expect(await known(whole)).toMatchObject([{ secrets: { KEY: "the-value" } }]);
    expect(await pulumi.isSecret(whole)).toBe(true);
  });

  it("keeps what a secret argument leads to secret", async () => {
    await start();
    expect(await pulumi.isSecret(getDeploymentOutput({ name: pulumi.secret("billing") }).id)).toBe(true);
  });

  it("gives a token for pushing as a secret, and the registry in clear", async () => {
    const { emulator } = await start();
    const { deployments: [deploymentId = ""] = [] } = await emulator.seed({
      deployments: [{ name: "p", source: "internal_docker" }],
    });
    const { token, registryUrl } = getPushTokenOutput({ deploymentId });
    expect(await known(token)).toMatch(/.{20}/);
    expect(await secrecy([token, registryUrl])).toEqual([true, false]);
  });

  it("refuses a provider that is none of ours", async () => {
    const other = new (class {
      urn = "x";
    })() as unknown as Provider;
    expect(() => getDeploymentsOutput({}, { provider: other })).toThrow("make one with `new Provider(…)`");
  });
});
