// biome-ignore-all lint/suspicious/noTemplateCurlyInString: users write these placeholders in a setting.
/** The names that resources have without one, by the template of the settings. */
import * as pulumi from "@pulumi/pulumi";
import { nameTemplateOf, Provider } from "../../dist/sdk/provider";
import { defineClass } from "../../dist/sdk/resource";
import { resources } from "../../dist/sdk/resources";
import { type Class, waitUntilRegistered } from "./shared/registrations";

const Deployment = defineClass<Class>("Deployment", resources.Deployment);
const args = { source: "external_docker", sourceRevisionConfig: { imageUri: "r.example/a:1" } };

describe("a default name", () => {
  const nameOf = async (options?: pulumi.CustomResourceOptions) =>
    (await waitUntilRegistered(new Deployment("agent", args, options))).inputs.name;
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    delete process.env.AGENTGRAPH_NAME_TEMPLATE;
  });

  it("is the name of the resource", async () => {
    expect(await nameOf()).toBe("agent");
  });

  it("follows nameTemplate of the stack configuration, in preference to the environment", async () => {
    process.env.AGENTGRAPH_NAME_TEMPLATE = "env-${name}";
    expect(await nameOf()).toBe("env-agent");
    pulumi.runtime.setAllConfig({ "agentgraph:nameTemplate": "${project}-${stack}-${name}" });
    expect(await nameOf()).toBe("shop-dev-agent");
  });

  it("is the name of the resource if nameTemplate is empty", async () => {
    process.env.AGENTGRAPH_NAME_TEMPLATE = "";
    expect(await nameOf()).toBe("agent");
  });

  it("keeps unknown placeholders of nameTemplate", async () => {
    pulumi.runtime.setAllConfig({ "agentgraph:nameTemplate": "${name}-${region}-$x" });
    expect(await nameOf()).toBe("agent-${region}-$x");
  });

  it("follows only nameTemplate of an explicit Provider", async () => {
    pulumi.runtime.setAllConfig({ "agentgraph:nameTemplate": "config-${name}" });
    expect(await nameOf({ provider: new Provider("p", { nameTemplate: "team-${name}" }) })).toBe("team-agent");
    expect(await nameOf({ provider: new Provider("q", {}) })).toBe("agent");
  });

  it("follows the Provider of its component", async () => {
    const provider = new Provider("p", { nameTemplate: "team-${name}" });
    const parent = new pulumi.ComponentResource("shop:index:Team", "team", {}, { providers: [provider] });
    expect(await nameOf({ parent })).toBe("team-agent");
    expect(nameTemplateOf({ parent })).toBe("team-${name}");
  });

  it("is also in an internal input, so that check can keep a previous one", async () => {
    pulumi.runtime.setAllConfig({ "agentgraph:nameTemplate": "x-${name}" });
    for (const name of [undefined, null, pulumi.output(undefined), Promise.resolve(undefined)]) {
      const { inputs } = await waitUntilRegistered(new Deployment("agent", { ...args, name }));
      expect([inputs.name, inputs.__defaultName]).toEqual(["x-agent", "x-agent"]);
    }
  });

  it("is not used for a declared name, whether it is a string or an Output", async () => {
    pulumi.runtime.setAllConfig({ "agentgraph:nameTemplate": "x-${name}" });
    for (const name of ["mine", pulumi.output("mine"), Promise.resolve("mine")]) {
      const { inputs } = await waitUntilRegistered(new Deployment("agent", { ...args, name }));
      expect(inputs.name).toBe("mine");
      expect(inputs).not.toHaveProperty("__defaultName");
    }
  });
});
