/** The names of deployments that declare none. */
import * as pulumi from "@pulumi/pulumi";
import { defineClass } from "../../dist/sdk/nodejs/resource";
import { resources } from "../../dist/sdk/nodejs/resources";
import { type Class, waitUntilRegistered } from "./shared/registrations";

const Deployment = defineClass<Class>("Deployment", resources.Deployment);
const args = { source: "external_docker", sourceRevisionConfig: { imageUri: "r.example/a:1" } };

describe("A default name", () => {
  it("is the name of the resource, and also an internal input, so that check can keep a previous one", async () => {
    for (const name of [undefined, null, pulumi.output(undefined), Promise.resolve(undefined)]) {
      const { inputs } = await waitUntilRegistered(new Deployment("agent", { ...args, name }));
      expect([inputs.name, inputs.__defaultName]).toEqual(["agent", "agent"]);
    }
  });

  it("is not used for a declared name, whether it is a string or an Output", async () => {
    for (const name of ["mine", pulumi.output("mine"), Promise.resolve("mine")]) {
      const { inputs } = await waitUntilRegistered(new Deployment("agent", { ...args, name }));
      expect(inputs.name).toBe("mine");
      expect(inputs).not.toHaveProperty("__defaultName");
    }
  });
});
